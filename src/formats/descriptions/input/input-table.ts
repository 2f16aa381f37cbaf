import { cutWords, effectWords, readCut, readEffects, readUpdate, repeatableWords } from "./input-content.ts";
import type {
  ExplicitLocation,
  InputLocation,
  Position,
  RowMark,
  TableLocation,
  TableValue,
} from "./input-description.ts";
import { isNumber, type LocationWords } from "./input-words.ts";

export const explicitWords = ["row", "regexp", "pos", "rep", "typed", ...cutWords, ...effectWords];
export const tableWords = [
  "row",
  "regexp",
  "skip",
  "start",
  "columns",
  "rows",
  "separator",
  "run",
  "table",
  "pos",
  "rep",
  "typed",
  "update",
  ...cutWords,
];
export const tableRepeatable = ["row", "regexp", ...repeatableWords];

export function readExplicit(words: LocationWords): ExplicitLocation {
  const name = words.name();
  const [row, second] = readRows(words);
  const [, secondWord] = words.all("row", "regexp");
  if (second) throw words.error(secondWord ?? words, "row= and regexp= exclude each other");
  if (!row || (row.kind === "number" && row.number === 0))
    throw words.error(words.one("row") ?? words, `${words.keyword} needs row=, a number from 1 on or a keyword`);
  return {
    kind: "explicit",
    name,
    row,
    ...readEntry(words, false),
    ...readCut(words),
    ...readEffects(words),
    origin: words.origin,
  };
}

/** One column. `joinedTables` makes tables of them. */
export function readColumn(words: LocationWords): { table: TableLocation; number: number } {
  const name = words.name();
  const rows = readRows(words);
  if (rows.length > 1 && rows.some((row) => row.kind === "number"))
    throw words.error(words, "a row's number excludes other rows");
  const columns = words.number("columns", 1);
  const most = words.number("rows", 1);
  const separator = words.one("separator");
  const { blanks, ...cut } = readCut(words);
  const value: TableValue = { name, ...readEntry(words, true), ...cut, ...readUpdate(words), origin: words.origin };
  const table: TableLocation = {
    kind: "table",
    rows,
    start: readStart(words, rows),
    ...(columns === undefined ? {} : { columns }),
    ...(most === undefined ? {} : { most }),
    ...(blanks === undefined ? {} : { blanks }),
    ...(separator ? { separator: words.filled(separator) } : {}),
    ...(words.flag("run") ? { separates: true } : {}),
    values: [value],
    origin: words.origin,
  };
  return { table, number: words.number("table", 1) ?? 1 };
}

/** `skip` counts the lines between the row and the data, `start` from the row itself. */
function readStart(words: LocationWords, rows: readonly RowMark[]): number {
  const [skip, start] = [words.number("skip"), words.number("start")];
  if (skip !== undefined && start !== undefined)
    throw words.error(words.one("start") ?? words, "skip= and start= exclude each other");
  const first = start ?? (skip ?? 0) + 1;
  if (first > 1 && rows.length === 0)
    throw words.error(
      words.one("skip") ?? words.one("start") ?? words,
      `${skip === undefined ? "start" : "skip"} needs row=`,
    );
  return first;
}

function readRows(words: LocationWords): RowMark[] {
  return words.all("row", "regexp").map((word) => {
    if (word.key === "row" && isNumber(word)) return { kind: "number", number: words.wholeNumber(word) };
    return words.mark(word);
  });
}

function readEntry(words: LocationWords, relative: boolean): Pick<TableValue, "position" | "repetition" | "typed"> {
  const word = words.one("pos");
  if (!word) throw words.error(words, `${words.keyword} needs pos=, a number from 1 on or a keyword`);
  const position = readPosition(words, word, relative);
  const rep = words.one("rep");
  if (rep && position.kind !== "keyword") throw words.error(rep, "rep needs a keyword as pos");
  return { position, repetition: words.number("rep", 1) ?? 1, typed: words.flag("typed") ?? false };
}

/** `3` is the third entry, `+1` the one behind that of the previous column. */
function readPosition(
  words: LocationWords,
  word: NonNullable<ReturnType<LocationWords["one"]>>,
  relative: boolean,
): Position {
  if (!isNumber(word)) return { kind: "keyword", text: words.filled(word) };
  if (relative && /^[+-]/.test(word.text)) return { kind: "relative", offset: words.wholeNumber(word, -999_999_999) };
  return { kind: "number", number: words.wholeNumber(word, 1) };
}

/** Columns that agree in everything that belongs to the table make one, which stands where its first column does. */
export function joinedTables(locations: readonly (InputLocation | ReturnType<typeof readColumn>)[]): InputLocation[] {
  const tables = new Map<string, TableValue[]>();
  return locations.flatMap((location) => {
    if ("kind" in location) return location;
    const { table, number } = location;
    const key = tableKey(table, number);
    const known = tables.get(key);
    if (known) known.push(...table.values);
    else tables.set(key, [...table.values]);
    return known ? [] : { ...table, values: tables.get(key) ?? [] };
  });
}

/** Equal for tables of which the text spelling says the same, but for the columns. */
export function tableKey(table: TableLocation, number: number): string {
  const { rows, start, columns, most, blanks, separator, separates } = table;
  return JSON.stringify([rows, start, columns, most, blanks, separator, separates, number]);
}
