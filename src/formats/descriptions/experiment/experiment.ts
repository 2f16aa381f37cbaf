import { nearest } from "../../../core/text/index.ts";
import { commentedKeywords, type CommentedKeyword, type Experiment } from "../../../core/experiments/index.ts";
import { findVariable, isName, mostVariables, type Variable } from "../../../core/variables/index.ts";
import { descriptionError, descriptionLines, readWords, type DescriptionLine, type Word } from "../lexical-syntax.ts";
import { readVariable } from "./experiment-variable.ts";

/*
 * The experiment description of the original design (`.exp`): keyword lines begin with `*keyword`. Every other line
 * that is neither empty nor a `#` comment belongs to the preceding keyword: of an experiment or a variable, the first
 * is its synopsis, the rest its description. A leading backslash escapes the first character of such a line; a lone
 * backslash is an empty line.
 */

const keywords = [
  "database",
  "experiment",
  "read",
  "write",
  "admin",
  "performed_by",
  "organization",
  "project",
  "parameter",
  "result",
];

/** The description read so far. */
interface Draft {
  name?: string;
  performedBy?: string;
  organization?: string;
  project?: string;
  database?: NonNullable<Experiment["database"]>;
  readonly readers: string[];
  readonly writers: string[];
  admins?: string[];
  readonly comments: string[];
  /** Comments of lines other than *experiment, *parameter and *result. */
  readonly lineComments: Map<CommentedKeyword, string[]>;
  readonly variables: { readonly variable: Variable; readonly comments: string[] }[];
  /** Comments of the last keyword. */
  current?: string[];
}

/** Reads an `.exp` text. Fails with `description-error` at file:line:col. */
export function parseExperiment(text: string, file: string): Experiment {
  const draft: Draft = { readers: [], writers: [], comments: [], variables: [], lineComments: new Map() };
  const lines = descriptionLines(text, file);
  for (const line of lines) readLine(draft, line);
  const last = lines.at(-1) ?? { file, number: 1, text: "" };
  return buildExperiment(draft, last);
}

function readLine(draft: Draft, line: DescriptionLine): void {
  const text = line.text.trim();
  if (text === "" || text.startsWith("#")) return;
  if (text.startsWith("*")) readKeyword(draft, line);
  else if (draft.current === undefined) {
    throw descriptionError(line, 1, "a comment comes before the first keyword", {
      advice: "begin with *experiment NAME, or start it with #",
    });
  } else draft.current.push(text.startsWith("\\") ? text.slice(1) : text);
}

function readKeyword(draft: Draft, line: DescriptionLine): void {
  const start = line.text.indexOf("*");
  const keyword = /^\*(\S*)/.exec(line.text.slice(start))?.[1] ?? "";
  const words = readWords(line, start + 1 + keyword.length);
  const column = start + 1;
  const name = keyword.toLowerCase();
  draft.current = commentsOf(draft, name);
  switch (name) {
    case "experiment":
      draft.name = readName(draft.name, line, column, words);
      return;
    case "database":
      draft.database = readDatabase(line, column, words);
      return;
    case "read":
      draft.readers.push(...readUsers(words));
      return;
    case "write":
      draft.writers.push(...readUsers(words));
      return;
    case "admin":
      draft.admins = [...(draft.admins ?? []), ...readUsers(words)];
      return;
    case "performed_by":
      draft.performedBy = wordsAsText(words);
      return;
    case "organization":
      draft.organization = wordsAsText(words);
      return;
    case "project":
      draft.project = wordsAsText(words);
      return;
    case "parameter":
    case "result":
      addVariable(draft, line, readVariable(name, line, column, words));
      return;
    default:
      throw unknownKeyword(line, column, keyword);
  }
}

/** Where the comments of a keyword belong; `addVariable` replaces those of a variable. */
function commentsOf(draft: Draft, keyword: string): string[] {
  const own = commentedKeywords.find((each) => each === keyword);
  if (own === undefined) return draft.comments;
  const comments = draft.lineComments.get(own) ?? [];
  draft.lineComments.set(own, comments);
  return comments;
}

function unknownKeyword(line: DescriptionLine, column: number, keyword: string): Error {
  const near = nearest(keyword.slice(0, 40), keywords).map((name) => `*${name}`);
  const problem = `unknown keyword '*${keyword}'${near.length > 0 ? `, did you mean ${near.join(", ")}?` : ""}`;
  return descriptionError(line, column, problem, {
    advice: `keywords are ${keywords.map((name) => `*${name}`).join(" ")}`,
  });
}

function readName(before: string | undefined, line: DescriptionLine, column: number, words: readonly Word[]): string {
  const [word, more] = words;
  if (before !== undefined)
    throw descriptionError(line, column, `a second *experiment, after '${before}'`, {
      advice: "describe one experiment per file",
    });
  if (!word) throw descriptionError(line, column, "*experiment needs a name");
  if (more)
    throw descriptionError(line, more.column, `'${more.text}' is one word too many after the experiment's name`);
  if (word.key === undefined && isName(word.text)) return word.text;
  throw descriptionError(line, word.column, `'${word.text}' is not a valid name`, {
    advice: "names have letters, digits, _ . and -, and do not begin with a digit",
  });
}

function readDatabase(
  line: DescriptionLine,
  column: number,
  words: readonly Word[],
): NonNullable<Experiment["database"]> {
  const [first, second, more] = words;
  if (!first || more)
    throw descriptionError(line, more?.column ?? column, "*database takes [USER@]HOST[:PORT] NAME, or a path");
  if (!second) return { name: first.text };
  const match = /^(?:(.+)@)?(\[[^\]]*\]|[^:@]+)(?::(\d{1,5}))?$/.exec(first.text);
  if (!match || !isHost(match[2] ?? "") || !isPort(match[3] ?? "1"))
    throw descriptionError(line, first.column, `'${first.text}' is not a host and port`);
  const [, user, host = "", port] = match;
  if (user?.includes(":"))
    throw descriptionError(line, first.column, "a password is not allowed in a description", passwordAdvice);
  return {
    host,
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(user === undefined ? {} : { user }),
    name: second.text,
  };
}

/** A name, an address, or an IPv6 address in brackets. */
export function isHost(text: string): boolean {
  return /^(?:\[[0-9a-fA-F:.]+\]|[^:@[\]\s]+)$/.test(text);
}

export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}

/** Descriptions are shared and stored with the experiment, so a password in them would leak. */
export const passwordAdvice = { advice: "keep it in ~/.pgpass, or give it by PGPASSWORD" };

/** Names separated by commas, blanks, or both. */
export function readUsers(words: readonly Word[]): string[] {
  return words.flatMap((word) => (word.quoted ? [word.text] : word.text.split(","))).filter((name) => name !== "");
}

/** The rest of a line as one text. */
export function wordsAsText(words: readonly Word[]): string {
  return words.map((word) => (word.key === undefined ? word.text : `${word.key}=${word.text}`)).join(" ");
}

function addVariable(draft: Draft, line: DescriptionLine, variable: Variable): void {
  const same = findVariable(
    draft.variables.map((entry) => entry.variable),
    variable.name,
  );
  if (same)
    throw descriptionError(
      line,
      1,
      `'${variable.name}' is already defined${same.name === variable.name ? "" : ` as '${same.name}'`}`,
    );
  if (draft.variables.length === mostVariables)
    throw descriptionError(line, 1, `more than ${mostVariables} parameters and results`);
  draft.current = [];
  draft.variables.push({ variable, comments: draft.current });
}

function buildExperiment(draft: Draft, last: DescriptionLine): Experiment {
  const variables = draft.variables.map((entry) => ({ ...entry.variable, ...commentTexts(entry.comments) }));
  if (draft.name === undefined) throw descriptionError(last, 1, "there is no *experiment NAME");
  if (!variables.some((variable) => variable.role === "result"))
    throw descriptionError(last, 1, "there is no *result, at least one is needed");
  const { performedBy, organization, project, database, readers, writers, admins } = draft;
  return {
    name: draft.name,
    ...commentTexts(draft.comments),
    ...(performedBy === undefined ? {} : { performedBy }),
    ...(organization === undefined ? {} : { organization }),
    ...(project === undefined ? {} : { project }),
    ...(database === undefined ? {} : { database }),
    readers,
    writers,
    ...(admins === undefined ? {} : { admins }),
    ...lineComments(draft),
    variables,
  };
}

function lineComments({ lineComments: found }: Draft): Pick<Experiment, "comments"> {
  const texts = [...found].flatMap(([keyword, lines]) =>
    lines.length === 0 ? [] : [[keyword, lines.join("\n")] as const],
  );
  return texts.length === 0 ? {} : { comments: Object.fromEntries(texts) };
}

/** The lines below a keyword: the first is the synopsis, the rest the description. */
export function commentTexts([synopsis, ...description]: readonly string[]): Pick<
  Variable,
  "synopsis" | "description"
> {
  return {
    ...(synopsis ? { synopsis } : {}),
    ...(description.length > 0 ? { description: description.join("\n") } : {}),
  };
}
