import { type Experiment, parseRunName, type RunName } from "../../core/experiments/index.ts";
import { columnKind } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { InputDescription, InputLocation } from "./input/input-description.ts";
import type { Cut, Origin } from "./input/location-parts.ts";
import { descriptionError, descriptionLines, readWords, type DescriptionLine } from "./lexical-syntax.ts";

/**
 * The input description that reads an ascii export: `# run N` begins a run, `name = value` lines are its once values,
 * and the lines below `#` are its rows, whose first entry is ignored. Variables that the experiment does not define are
 * skipped.
 */
export function asciiInput(
  experiment: Experiment,
  once: readonly Variable[],
  rows: readonly Variable[],
): InputDescription {
  const isDefined = (variable: Variable): boolean => experiment.variables.includes(variable);
  const begin: InputLocation = {
    kind: "separation",
    mark: { kind: "pattern", source: "^# run [0-9]+$" },
    run: true,
    origin,
  };
  const table = tableOf(rows, isDefined);
  return {
    file: "",
    experiment: experiment.name,
    rules: "sets",
    locations: [begin, ...once.filter(isDefined).map(namedOf), ...(table === undefined ? [] : [table])],
  };
}

const origin: Origin = { line: 0, column: 0 };

function namedOf(variable: Variable): InputLocation {
  const { name, type } = variable;
  const source = `^${name.replaceAll(".", "\\.")} = (.*)$`;
  const whole = type === "string" || type === "text" ? { length: 0 } : {};
  return { kind: "named", name, aliases: [], patterns: [source], ...whole, ...cutOf(variable), origin };
}

function tableOf(rows: readonly Variable[], isOwn: (variable: Variable) => boolean): InputLocation | undefined {
  const values = rows.flatMap((variable, at) => {
    const position = { kind: "number" as const, number: at + 2 };
    return isOwn(variable)
      ? [{ name: variable.name, position, repetition: 1, typed: false, ...cutOf(variable), origin }]
      : [];
  });
  if (values.length === 0) return undefined;
  return {
    kind: "table",
    rows: [{ kind: "pattern", source: "^#\\t" }],
    start: 1,
    columns: rows.length + 1,
    separator: "\t",
    values,
    origin,
  };
}

function cutOf({ type }: Variable): Pick<Cut, "escapes"> {
  return columnKind(type) === "text" ? { escapes: true } : {};
}

/** The selection of an export, as read by pb_export. Empty lists do not restrict it. */
export interface ExportDescription {
  readonly format?: ExportFormat;
  readonly variables: readonly string[];
  /** Conditions in query syntax. */
  readonly where: readonly string[];
  readonly runs: readonly RunName[];
  readonly commits: readonly string[];
  /** Include deleted runs. */
  readonly deleted: boolean;
}

const formats = ["ascii", "csv", "json", "ndjson", "parquet"] as const;
export type ExportFormat = (typeof formats)[number];

const keywords = ["FORMAT", "VALUE", "WHERE", "RUN", "COMMIT", "DELETED"] as const;
type Keyword = (typeof keywords)[number];

interface Draft {
  format?: ExportFormat;
  readonly variables: string[];
  readonly where: string[];
  readonly runs: RunName[];
  readonly commits: string[];
  deleted: boolean;
}

/**
 * Reads an export description: one keyword per line (FORMAT, VALUE, WHERE, RUN, COMMIT, DELETED) followed by its
 * values. Empty lines and lines that begin with # are ignored. Fails with `description-error`.
 */
export function readExportDescription(text: string, file: string): ExportDescription {
  const draft: Draft = { variables: [], where: [], runs: [], commits: [], deleted: false };
  for (const line of descriptionLines(text, file)) {
    const [, blanks = "", word = "", rest = ""] = /^(\s*)(\S+)\s*(.*?)\s*$/.exec(line.text) ?? [];
    if (word === "" || word.startsWith("#")) continue;
    const keyword = keywords.find((each) => each === word.toUpperCase());
    if (keyword === undefined)
      throw descriptionError(line, blanks.length + 1, `unknown keyword '${word.slice(0, 40)}'`, {
        word,
        candidates: keywords,
      });
    readKeywordLine(draft, keyword, line, rest);
  }
  return draft;
}

function readKeywordLine(draft: Draft, keyword: Keyword, line: DescriptionLine, rest: string): void {
  const column = line.text.indexOf(rest, line.text.toUpperCase().indexOf(keyword) + keyword.length) + 1;
  if (keyword === "DELETED") {
    if (rest !== "") throw descriptionError(line, column, "DELETED takes no value");
    draft.deleted = true;
    return;
  }
  if (rest === "") throw descriptionError(line, column, `${keyword} needs a value`);
  if (keyword === "WHERE") draft.where.push(rest);
  else for (const word of namedWords(line, column - 1)) readKeywordWord(draft, keyword, line, word);
}

interface NamedWord {
  readonly column: number;
  readonly text: string;
}

function namedWords(line: DescriptionLine, from: number): NamedWord[] {
  return readWords(line, from).map(({ column, key, text }) => {
    if (key === undefined) return { column, text };
    throw descriptionError(line, column, `expected a name, not '${key}='`, {
      advice: "write conditions after WHERE",
    });
  });
}

function readKeywordWord(
  draft: Draft,
  keyword: Exclude<Keyword, "DELETED" | "WHERE">,
  line: DescriptionLine,
  { column, text }: NamedWord,
): void {
  if (keyword === "VALUE") draft.variables.push(text);
  else if (keyword === "COMMIT") draft.commits.push(text);
  else if (keyword === "RUN") draft.runs.push(parseRunName(text));
  else {
    const format = formats.find((each) => each === text.toLowerCase());
    if (format === undefined)
      throw descriptionError(line, column, `unknown format '${text.slice(0, 40)}'`, {
        word: text,
        candidates: formats,
        advice: `choose from ${formats.join(", ")}`,
      });
    if (draft.format !== undefined) throw descriptionError(line, column, "the format is given twice");
    draft.format = format;
  }
}
