import type { DescriptionLine } from "../lexical-syntax.ts";
import type { LineWords } from "../line-words.ts";
import { patternGroups } from "./pattern-groups.ts";
import { layoutWords, readLayout } from "./row-layout.ts";
import type { Effects, RowMark } from "./location-parts.ts";
import type {
  MatrixLocation,
  MatrixValue,
  PatternGroup,
  PatternLocation,
  TransposedLocation,
} from "./row-locations.ts";
import { cutWords, effectWords, readCut, readEffects, repeatableWords } from "./value-descriptors.ts";

const columnWords = cutWords.filter((word) => word !== "ws" && word !== "ignore");

export const patternGrammar = { allowed: ["regexp", "rows", ...effectWords.filter((word) => word !== "update")] };
export const groupGrammar = { allowed: cutWords, repeatable: repeatableWords };
export const transposedGrammar = {
  allowed: ["row", "regexp", "table", "missing", ...layoutWords, ...cutWords],
  repeatable: ["missing", ...repeatableWords],
};
export const matrixGrammar = {
  allowed: ["row", "regexp", "skip", "start", "rows", "optional", "missing", ...layoutWords, ...cutWords],
  repeatable: ["row", "regexp", "missing", ...repeatableWords],
};
export const matrixPartGrammar = { allowed: ["label", ...columnWords], repeatable: repeatableWords };

/** `PATTERN regexp="(?<a>..)" [rows=yes]` and the GROUP lines after it. */
export function readPattern(words: LineWords, groupLines: readonly LineWords[]): PatternLocation {
  words.bareWords(0);
  const word = words.one("regexp");
  if (!word) throw words.error(words, "PATTERN needs regexp=, a pattern with named groups (?<name>...)");
  const source = words.pattern(word);
  const given = groupLines.map((line): PatternGroup => ({ name: line.name(), ...readCut(line), origin: line.origin }));
  const at = { ...words.origin, column: word.column };
  const result = patternGroups(source, given, at);
  if (typeof result === "string") throw words.error(word, result);
  if ("group" in result) throw words.error({ column: result.group.origin.column }, result.problem);
  const rows = words.flag("rows") ?? false;
  const effects: Effects = readEffects(words);
  if (rows && Object.keys(effects).length > 0)
    throw words.error(words, `rows excludes ${effectWords.filter((each) => each !== "update").join(", ")}`);
  return {
    kind: "pattern",
    source,
    ...(rows ? { rows } : {}),
    groups: result.groups,
    ...effects,
    origin: words.origin,
  };
}

/** One line of a transposed table; `mergeTransposed` joins them. */
export function readTransposed(words: LineWords): { transposed: TransposedLocation; number: number } {
  const name = words.name();
  const [word, second] = words.all("row", "regexp");
  if (!word || second) throw words.error(words, "TRANSPOSED needs row= or regexp=, the text before its values");
  const { blanks, ...cut } = readCut(words);
  const value = { name, row: words.mark(word), ...readMissing(words), ...cut, origin: words.origin };
  const transposed: TransposedLocation = {
    kind: "transposed",
    ...readLayout(words, blanks),
    values: [value],
    origin: words.origin,
  };
  return { transposed, number: words.number("table", 1) ?? 1 };
}

export function transposedKey({ blanks, separator, gap, grid }: TransposedLocation, number: number): string {
  return JSON.stringify([blanks, separator, gap, grid, number]);
}

/** `MATRIX name row=...` with its ACROSS and DOWN lines. */
export function readMatrix(
  words: LineWords,
  rows: readonly RowMark[],
  start: number,
  parts: readonly LineWords[],
): MatrixLocation {
  const name = words.name();
  if (rows.length === 0) throw words.error(words, "MATRIX needs row= or regexp=, the line of its headings");
  const [across, down] = [partOf(words, parts, "ACROSS"), partOf(words, parts, "DOWN")];
  if (across.label !== undefined) throw words.error(words, "only DOWN takes label=");
  const { blanks, ...cut } = readCut(words);
  const most = words.number("rows", 1);
  const layout = readLayout(words, blanks);
  if (down.label && Object.keys(layout).some((key) => key !== "blanks"))
    throw words.error(words, "label needs entries that are separated by blanks");
  return {
    kind: "matrix",
    rows,
    start,
    ...(most === undefined ? {} : { most }),
    ...layout,
    cell: { name, ...cut, origin: words.origin },
    across: across.value,
    down: down.value,
    ...(down.label ? { label: true } : {}),
    ...(words.flag("optional") ? { optional: true } : {}),
    ...readMissing(words),
    origin: words.origin,
  };
}

function partOf(
  words: LineWords,
  parts: readonly LineWords[],
  keyword: string,
): { value: MatrixValue; label: true | undefined } {
  const [part, second] = parts.filter((each) => each.keyword === keyword);
  if (!part || second) throw (second ?? words).error(second ?? words, `MATRIX needs one ${keyword} after it`);
  const { blanks: _, ...cut } = readCut(part);
  return { value: { name: part.name(), ...cut, origin: part.origin }, label: part.flag("label") ? true : undefined };
}

/** Entries that are missing values. */
export function readMissing(words: LineWords): { missing?: readonly string[] } {
  const missing = words.all("missing").map((word) => words.filled(word).trim());
  return missing.length > 0 ? { missing } : {};
}

/** The keyword of the next line, if it is one of `keywords`. */
export function followingKeyword(line: DescriptionLine | undefined, keywords: readonly string[]): string | undefined {
  const word = /^\s*(\S+)/.exec(line?.text ?? "")?.[1]?.toUpperCase();
  return keywords.find((each) => each === word);
}
