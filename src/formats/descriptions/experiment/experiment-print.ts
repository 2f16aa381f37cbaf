import type {
  CommentedKeyword,
  ExperimentUpdate,
  VariableAlteration,
  VariableChange,
  Experiment,
} from "../../../core/experiments/index.ts";
import { formatUnit, formatValue } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { quote, printList, printWord } from "../lexical-syntax.ts";

/** Prints an update as text; `parseExperimentUpdate` reads it back. */
export function printExperimentUpdate({ experiment, about, changes, access }: ExperimentUpdate): string {
  const forgotten = (["synopsis", "description"] as const).filter((field) => about[field] === null);
  const head = [
    `*update ${experiment}`,
    ...printComments(presentTexts(about)),
    ...(forgotten.length === 0 ? [] : [`*forget ${forgotten.join(" ")}`]),
    ...printAbout("performed_by", about.performedBy),
    ...printAbout("organization", about.organization),
    ...printAbout("project", about.project),
  ];
  const rights = access.map(({ action, level, who }) => `*${action} ${level} ${printUser(who)}`);
  const parts = [head.join("\n"), ...changes.map(printChange), ...(rights.length === 0 ? [] : [rights.join("\n")])];
  return `${parts.join("\n\n")}\n`;
}

/** The texts that are set, without those that are removed. */
function presentTexts({ synopsis, description }: Pick<VariableAlteration, "synopsis" | "description">): {
  synopsis?: string;
  description?: string;
} {
  return {
    ...(typeof synopsis === "string" ? { synopsis } : {}),
    ...(typeof description === "string" ? { description } : {}),
  };
}

function printAbout(keyword: string, text: string | null | undefined): string[] {
  if (text === undefined) return [];
  return [text === null ? `*${keyword}` : `*${keyword} ${quote(text)}`];
}

function printChange(change: VariableChange): string {
  if (change.kind === "add") return `*add ${printVariable(change.variable)}`;
  if (change.kind === "drop") return `*drop ${change.name}`;
  const words = printAlteration(change);
  const renamed = change.kind === "alter" && words.length === 1 && change.newName !== undefined;
  const line = renamed
    ? ["*rename", change.name, change.newName]
    : [change.kind === "auto" ? "*put" : "*alter", change.name, ...words];
  return [line.join(" "), ...printComments(presentTexts(change))].join("\n");
}

/** Prints an experiment as `.exp` text; `parseExperiment` reads it back. */
export function printExperiment(experiment: Experiment): string {
  const { name, database, readers, writers, admins, performedBy, organization, project, comments = {} } = experiment;
  const commented = (keyword: CommentedKeyword, lines: readonly string[]): string[] => {
    const text = comments[keyword];
    // A keyword without a value, such as *read, keeps its comments.
    const head = lines.length === 0 && text !== undefined && isList(keyword) ? [`*${keyword}`] : lines;
    return head.length === 0 || text === undefined ? [...head] : [...head, ...text.split("\n").map(printComment)];
  };
  const about = (keyword: CommentedKeyword, text: string | undefined): string[] =>
    commented(keyword, text === undefined ? [] : [`*${keyword} ${quote(text)}`]);
  const head = [
    ...commented("database", database ? [`*database ${printDatabase(database)}`] : []),
    `*experiment ${name}`,
    ...printComments(experiment),
    ...about("performed_by", performedBy),
    ...about("organization", organization),
    ...about("project", project),
    ...commented("read", printUsers("read", readers)),
    ...commented("write", printUsers("write", writers)),
    ...commented("admin", admins ? printUsers("admin", admins, true) : []),
  ];
  const variables = experiment.variables.map((variable) => `*${printVariable(variable)}`);
  return `${[head.join("\n"), ...variables].join("\n\n")}\n`;
}

function isList(keyword: CommentedKeyword): boolean {
  return keyword === "read" || keyword === "write";
}

function printDatabase({ host, port, user, name }: NonNullable<Experiment["database"]>): string {
  if (host === undefined) return printWord(name);
  const address = (user === undefined ? "" : `${user}@`) + host + (port === undefined ? "" : `:${port}`);
  return `${printWord(address)} ${printWord(name)}`;
}

function printUsers(keyword: string, users: readonly string[], always = false): string[] {
  return users.length === 0 && !always ? [] : [[`*${keyword}`, ...users.map(printUser)].join(" ")];
}

function printUser(user: string): string {
  return /^[\w.@-]+$/.test(user) ? user : quote(user);
}

/** A variable with its comments, without the leading `*`. */
function printVariable(variable: Variable): string {
  const words = [
    `${variable.role} ${variable.name}`,
    variable.type === "integer" ? "int" : variable.type,
    formatUnit(variable.unit) || "-",
    printDefault(variable),
    ...(variable.occurrence === "once" ? ["once"] : []),
    ...(variable.size === undefined ? [] : [`size=${variable.size}`]),
    ...(variable.valid ? [`valid=${printList(variable.valid.map((value) => formatValue(value, variable.type)))}`] : []),
    ...(variable.longest === undefined ? [] : [`longest=${variable.longest}`]),
    ...(variable.numeric ? ["numeric"] : []),
    ...(variable.better ? [`better=${variable.better}`] : []),
  ];
  return [words.join(" "), ...printComments(variable)].join("\n");
}

function printDefault(variable: Variable): string {
  if (variable.default === undefined) return "-";
  if (variable.default === null) return "NULL";
  const text = formatValue(variable.default, variable.type);
  return ["-", "NULL", "once", "multiple", "numeric"].includes(text) ? quote(text) : printWord(text);
}

/** The synopsis and description lines below a keyword. */
function printComments({ synopsis, description }: Pick<Variable, "synopsis" | "description">): string[] {
  if (synopsis === undefined && description === undefined) return [];
  return [synopsis ?? "", ...(description === undefined ? [] : description.split("\n"))].map(printComment);
}

/** Escapes with a backslash a line that would be read as something else or lose its leading blanks. */
function printComment(line: string): string {
  return line === "" || /^[#*\\\s]/.test(line) ? `\\${line}` : line;
}

/** Words that `readAlteration` reads back. Synopsis and description are comments unless they are removed. */
function printAlteration(change: VariableAlteration): string[] {
  const { newName, role, type, size, occurrence, default: fallback, unit, valid, longest, numeric, better } = change;
  const gone = (["synopsis", "description"] as const).filter((field) => change[field] === null);
  return [
    ...(newName === undefined ? [] : [`name=${newName}`]),
    ...(role === undefined ? [] : [`role=${role}`]),
    ...(type === undefined ? [] : [`type=${type}`]),
    ...(size === undefined ? [] : [`size=${size}`]),
    ...(occurrence === undefined ? [] : [`occurrence=${occurrence}`]),
    ...(fallback === undefined ? [] : [`default=${printAlteredDefault(fallback)}`]),
    ...(unit === undefined ? [] : [`unit=${formatUnit(unit ?? undefined) || "none"}`]),
    ...(valid === undefined ? [] : [printValidChange(valid)]),
    ...(longest === undefined ? [] : [`longest=${longest ?? "none"}`]),
    ...(numeric === undefined ? [] : [`numeric=${numeric ? "yes" : "no"}`]),
    ...(better === undefined ? [] : [`better=${better ?? "none"}`]),
    ...(gone.length === 0 ? [] : [`forget=${printList(gone)}`]),
  ];
}

function printAlteredDefault(fallback: NonNullable<VariableAlteration["default"]>): string {
  if (fallback === "none") return "-";
  if (fallback.value === null) return "NULL";
  return ["-", "NULL"].includes(fallback.value) ? quote(fallback.value) : printWord(fallback.value);
}

function printValidChange(valid: NonNullable<VariableAlteration["valid"]>): string {
  if (valid === "any") return "only=any";
  return "add" in valid ? `valid=${printList(valid.add)}` : `only=${printList(valid.only)}`;
}
