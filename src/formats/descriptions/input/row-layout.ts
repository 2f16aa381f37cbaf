import type { TableLocation, TableValue } from "./input-description.ts";
import type { Position, RowLayout } from "./location-parts.ts";
import type { LineWords } from "../line-words.ts";

export const layoutWords = ["separator", "gap", "grid"];
const most = 999_999;

/** Reads how lines are divided into entries. `blanks` are those of the description line. */
export function readLayout(words: LineWords, blanks: string | undefined): RowLayout {
  const separator = words.one("separator");
  const gap = words.number("gap", 2);
  const layout: RowLayout = {
    ...(blanks === undefined ? {} : { blanks }),
    ...(separator ? { separator: words.filled(separator) } : {}),
    ...(gap === undefined ? {} : { gap }),
    ...(words.flag("grid") ? { grid: true } : {}),
  };
  const problem = layoutProblem(layout);
  if (problem !== undefined) throw words.error(words, problem);
  return layout;
}

/** Number of lines of the header; negative: up to the marked row. */
export function readHeader(words: LineWords): number | undefined {
  const header = words.number("header", -99);
  if (header === 0) throw words.error(words.one("header") ?? words, "header counts lines, from 1 or -1 on");
  return header;
}

/** The lines inside a table that do not end it. */
export function readSkipped(words: LineWords): Pick<TableLocation, "skipsBlank" | "skipPatterns" | "skipsHeads"> {
  const patterns = words.all("skip_regexp").map((word) => words.pattern(word));
  return {
    ...(words.flag("skip_blank") ? { skipsBlank: true } : {}),
    ...(patterns.length > 0 ? { skipPatterns: patterns } : {}),
    ...(words.flag("skip_heads") ? { skipsHeads: true } : {}),
  };
}

/** The conflict between the parts of a layout, worded for both syntaxes; undefined if there is none. */
export function layoutProblem({ blanks, separator, gap, grid }: RowLayout): string | undefined {
  if ([separator, gap, grid].filter((each) => each !== undefined).length > 1)
    return "separator, gap and grid exclude each other";
  if (blanks !== undefined && (gap !== undefined || grid)) return `${grid ? "grid" : "gap"} excludes ws`;
  return undefined;
}

/** The conflict between the parts of a table, worded for both syntaxes; undefined if there is none. */
export function tableProblem(table: TableLocation): string | undefined {
  const { values, header, rows, columns } = table;
  const ranges = values.filter(({ position }) => position.kind === "characters").length;
  if (ranges > 0 && ranges < values.length) return "either all columns of a table have chars, or none";
  if (ranges > 0 && [table.blanks, table.separator, table.gap, table.grid, columns, header].some(isGiven))
    return "chars exclude ws, separator, gap, grid, columns and header";
  if (header !== undefined && (rows.length === 0 || rows.some(({ kind }) => kind === "number")))
    return "header needs a row that is found by a text or a pattern";
  if (header !== undefined && table.start < Math.max(1, header)) return "the rows of a table begin after its header";
  return values.map((value) => columnProblem(value, table)).find(isGiven) ?? labelProblem(table);
}

function columnProblem({ typed, optional, label, missing }: TableValue, table: TableLocation): string | undefined {
  const special = optional ? "optional" : label ? "label" : missing ? "missing" : undefined;
  if (typed && special) return `typed and ${special} exclude each other`;
  return typed && (table.gap !== undefined || table.grid)
    ? "typed needs entries that are separated by blanks"
    : undefined;
}

function labelProblem({ values, columns, separator, gap, grid }: TableLocation): string | undefined {
  const labels = values.filter(({ label }) => label);
  if (labels.length === 0) return undefined;
  if (labels.length > 1) return "a table has one column with label";
  if (separator !== undefined || gap !== undefined || grid) return "label needs entries that are separated by blanks";
  if (labels.some(({ position }) => position.kind !== "number")) return "label needs the number of its column";
  if (values.some(({ optional }) => optional)) return "label and optional exclude each other";
  return columns === undefined ? "label needs columns, the number of entries with the label as one" : undefined;
}

function isGiven<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** Reads `10-17`, `10-` or `10`; undefined if the text is none of them. */
export function readRange(text: string): Extract<Position, { kind: "characters" }> | undefined {
  const [, from, dash, to] = /^\s*(\d{1,6})(?:(-)(\d{1,6})?)?\s*$/.exec(text) ?? [];
  const first = Number(from);
  if (from === undefined || first < 1) return undefined;
  if (dash !== undefined && to === undefined) return { kind: "characters", first };
  const last = to === undefined ? first : Number(to);
  return last >= first && last <= most ? { kind: "characters", first, last } : undefined;
}

export function printRange({ first, last }: Extract<Position, { kind: "characters" }>): string {
  return last === first ? String(first) : `${first}-${last ?? ""}`;
}
