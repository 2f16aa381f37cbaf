import type { Experiment } from "../../../core/experiments/experiment.ts";
import { formatUnit } from "../../../core/values/unit.ts";
import { formatValue } from "../../../core/values/value.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import { printList, printWord, quote } from "../lexical-syntax.ts";

/** The experiment as `.exp` text; `parseExperiment` reads the same experiment back. */
export function printExperiment(experiment: Experiment): string {
  const { name, database, readers, writers, admins, performedBy, organization, project } = experiment;
  const head = [
    ...(database ? [`*database ${printDatabase(database)}`] : []),
    `*experiment ${name}`,
    ...printComments(experiment),
    ...(performedBy === undefined ? [] : [`*performed_by ${quote(performedBy)}`]),
    ...(organization === undefined ? [] : [`*organization ${quote(organization)}`]),
    ...(project === undefined ? [] : [`*project ${quote(project)}`]),
    ...printUsers("read", readers),
    ...printUsers("write", writers),
    ...(admins ? printUsers("admin", admins, true) : []),
  ];
  const variables = experiment.variables.map((variable) => `*${printVariable(variable)}`);
  return `${[head.join("\n"), ...variables].join("\n\n")}\n`;
}

function printDatabase({ host, port, user, name }: NonNullable<Experiment["database"]>): string {
  if (host === undefined) return printWord(name);
  return `${printWord((user === undefined ? "" : `${user}@`) + host + (port === undefined ? "" : `:${port}`))} ${printWord(name)}`;
}

function printUsers(keyword: string, users: readonly string[], always = false): string[] {
  return users.length === 0 && !always ? [] : [[`*${keyword}`, ...users.map(printUser)].join(" ")];
}

export function printUser(user: string): string {
  return /^[\w.@-]+$/.test(user) ? user : quote(user);
}

/** A variable with its comments, without the `*` before it. */
export function printVariable(variable: Variable): string {
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

/** The lines below a keyword that hold a synopsis and a description. */
export function printComments({ synopsis, description }: Pick<Variable, "synopsis" | "description">): string[] {
  if (synopsis === undefined && description === undefined) return [];
  return [synopsis ?? "", ...(description === undefined ? [] : description.split("\n"))].map(printComment);
}

/** Lines that would be read as something else, or lose their blanks, are protected by a backslash. */
function printComment(line: string): string {
  return line === "" || /^[#*\\\s]/.test(line) ? `\\${line}` : line;
}
