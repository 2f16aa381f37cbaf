/** A cell of results with the contents of its parameters by their names; `param2` where the table does not name one. */
export interface AsvCell {
  readonly parameters: readonly (readonly [name: string, content: string])[];
  readonly text: string;
}

type Span = readonly [from: number, to: number];

/**
 * Names of parameters are told of the first columns; the contents of the last one stand above columns of their own
 * where there are several.
 */
interface Head {
  readonly names: readonly string[];
  readonly last?: string;
  readonly choices: readonly string[];
}

const doubleRule = /^=+(?: =+)*$/;
const singleRule = /^-+(?: -+)*$/;

/**
 * Results of a benchmark with parameters as `asv run` shows them: a table in reStructuredText between two rules of `=`.
 * Its head ends with a row of names; in front of it there is one with the name of the last parameter where that one's
 * contents are columns. A table without an end has no cells.
 */
export function asvTableCells(lines: readonly string[]): AsvCell[] {
  const [top, ...others] = placesOf(lines, doubleRule);
  const [dashes] = placesOf(lines, singleRule);
  const end = others.at(-1);
  if (top === undefined || end === undefined || dashes === undefined) return [];
  // A head of two rows has the dashes between them, and ends with a rule of its own.
  const isWide = others.length > 1;
  const bottom = isWide ? others[0]! : dashes;
  if (dashes < top || bottom < dashes || bottom >= end) return [];
  const columns = spansOf(lines[bottom]!);
  const head = isWide ? wideHead(lines.slice(top + 1, bottom), columns) : plainHead(lines[bottom - 1]!, columns);
  return lines.slice(bottom + 1, end).flatMap((line) => cellsIn(line, columns, head));
}

function placesOf(lines: readonly string[], rule: RegExp): number[] {
  return lines.flatMap((line, at) => (rule.test(line.trim()) ? [at] : []));
}

/** Where each column begins and ends, by a rule. */
function spansOf(rule: string): Span[] {
  return [...rule.matchAll(/[=-]+/g)].map(({ index, 0: { length } }) => [index, index + length]);
}

function cellsOf(line: string, columns: readonly Span[]): string[] {
  return columns.map(([from, to], at) => line.slice(from, at === columns.length - 1 ? undefined : to).trim());
}

function plainHead(line: string, columns: readonly Span[]): Head {
  return { names: cellsOf(line, columns).slice(0, -1), choices: [""] };
}

/** The last of the dashes lie below the name of the last parameter. */
function wideHead([above = "", dashes = "", below = ""]: readonly string[], columns: readonly Span[]): Head {
  const [from] = spansOf(dashes).at(-1) ?? [0];
  const own = columns.filter(([begin]) => begin < from).length;
  const titles = cellsOf(below, columns);
  return { names: titles.slice(0, own), last: above.slice(from).trim(), choices: titles.slice(own) };
}

function cellsIn(line: string, columns: readonly Span[], { names, last, choices }: Head): AsvCell[] {
  const cells = cellsOf(line, columns);
  const own = names.map((name, at) => [name === "" ? `param${at + 1}` : name, cells[at] ?? ""] as const);
  return choices.map((choice, at) => ({
    parameters: last === undefined ? own : [...own, [last === "" ? `param${names.length + 1}` : last, choice] as const],
    text: cells[names.length + at] ?? "",
  }));
}
