import {
  numberColumn,
  textColumn,
  columnKind,
  type NumberColumn,
  type Table,
  type TextColumn,
} from "../../../core/tables/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { DataType, Value } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";

/** Target length of a piece in characters. */
const pieceLength = 1 << 24;

type Cells = (row: number) => string;

/**
 * Prints rows losslessly and deterministically as text in pieces of bounded size. A piece is a line of column names and
 * a line per row with tab-separated cells. \N is a missing value; backslash, tab, line feed and carriage return in
 * texts are \\, \t, \n, \r. Floats have the shortest digits that round-trip (also NaN, Infinity, -0), integers all
 * digits; booleans are 0 and 1, dates days and timestamps microseconds since 1970-01-01T00:00:00Z, times of day and
 * durations seconds, binary is base64. Without rows there is no piece.
 */
export function* encodeRows(table: Table, most: number = pieceLength): Iterable<Uint8Array> {
  const cells = table.columns.map((column) => cellsOf(column as NumberColumn | TextColumn));
  const head = `${table.variables.map(({ name }) => escaped(name)).join("\t")}\n`;
  let [lines, length]: [string[], number] = [[head], 0];
  for (let row = 0; row < table.length; row++) {
    const line = `${cells.map((cell) => cell(row)).join("\t")}\n`;
    if (length > 0 && length + line.length > most) {
      yield new TextEncoder().encode(lines.join(""));
      [lines, length] = [[head], 0];
    }
    lines.push(line);
    length += line.length;
  }
  if (length > 0) yield new TextEncoder().encode(lines.join(""));
}

function cellsOf(column: NumberColumn | TextColumn): Cells {
  if (column.kind === "text") {
    const texts = column.dictionary.map(escaped);
    return (row) => texts[column.codes[row] as number] ?? missing;
  }
  const { values, exact } = column;
  return (row) => (column.missing?.[row] === 1 ? missing : (exact?.get(row) ?? numberText(values[row] as number)));
}

const missing = "\\N";

function numberText(value: number): string {
  return value === 0 && Object.is(value, -0) ? "-0" : String(value);
}

const toEscape = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function escaped(text: string): string {
  return toEscape.test(text) ? text.replace(/[\\\t\n\r]/g, (letter) => escapes[letter] as string) : text;
}

/**
 * Reads a piece; `where` names it in messages. Fails with `dump-damaged` unless it is exactly the output of
 * `encodeRows`.
 */
export function decodeRows(bytes: Uint8Array, variables: readonly Variable[], where: string): Table {
  const lines = textOf(bytes, where).split("\n");
  const [head] = lines;
  if (lines.pop() !== "" || lines.length < 2) throw wrong(where, "its last line is not whole");
  if (head !== variables.map(({ name }) => escaped(name)).join("\t"))
    throw wrong(where, "it has other columns than it should");
  const length = lines.length - 1;
  const columns: Value[][] = variables.map(() => Array.from({ length }));
  const readers = variables.map(({ type }) => readerOf(type));
  for (let row = 0; row < length; row++) {
    const cells = (lines[row + 1] as string).split("\t");
    if (cells.length !== variables.length) throw wrong(where, `row ${row + 1} has ${cells.length} cells`);
    for (const [at, read] of readers.entries()) {
      const value = read(cells[at] as string);
      if (value === undefined)
        throw wrong(
          where,
          `'${(cells[at] as string).slice(0, 40)}' in row ${row + 1} is not a valid ${variables[at]?.type}`,
        );
      (columns[at] as Value[])[row] = value;
    }
  }
  const column = (values: readonly Value[], { type }: Variable): NumberColumn | TextColumn =>
    columnKind(type) === "text" ? textColumn(values as readonly (string | null)[]) : numberColumn(values);
  return { variables, columns: columns.map((values, at) => column(values, variables[at] as Variable)), length };
}

function textOf(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Failure("dump-damaged", { path: where, problem: "it is no UTF-8" }, error);
  }
}

/** undefined if the cell is not of that type. */
type Read = (cell: string) => Value | undefined;

function readerOf(type: DataType): Read {
  const read = columnKind(type) === "text" ? (type === "binary" ? binary : plain) : (numberReaders[type] ?? integer);
  return (cell) => (cell === missing ? null : read(cell));
}

const numberReaders: Partial<Record<DataType, Read>> = {
  float,
  timeofday: float,
  duration: float,
  boolean: (cell) => (cell === "1" ? true : cell === "0" ? false : undefined),
};

function float(cell: string): Value | undefined {
  const value = Number(cell);
  return numberText(value) === cell ? value : undefined;
}

function integer(cell: string): Value | undefined {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(cell)) return undefined;
  const value = Number(cell);
  return Number.isSafeInteger(value) ? value : bigOf(cell);
}

/** Like engines: a number if it is a safe integer, else a bigint. */
function bigOf(cell: string): Value | undefined {
  const value = BigInt(cell);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function binary(cell: string): Value | undefined {
  return base64.test(cell) ? cell : undefined;
}

const unescapes: Readonly<Record<string, string>> = { "\\\\": "\\", "\\t": "\t", "\\n": "\n", "\\r": "\r" };

function plain(cell: string): Value | undefined {
  if (!cell.includes("\\")) return cell.includes("\r") ? undefined : cell;
  return /^(?:[^\\\r]|\\[\\tnr])*$/.test(cell)
    ? cell.replace(/\\[\\tnr]/g, (pair) => unescapes[pair] as string)
    : undefined;
}

function wrong(where: string, problem: string): Failure {
  return new Failure("dump-damaged", { path: where, problem });
}
