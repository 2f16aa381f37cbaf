import { Failure } from "../../core/failures/index.ts";
import { NumberColumnBuilder, type ColumnBuilder, type TableBuilder } from "../../core/tables/index.ts";
import { type DataType, InvalidValue, lossOf, readFloat, readValue, type Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { reportUnit, toBaseUnit, type ReportUnit } from "../../formats/benchmarks/index.ts";
import { floatOf } from "../../formats/bytes/index.ts";
import type { ImportEvent } from "./importer.ts";
import { isBlankByte, isMissingMark, type PlainRow, type SourceRow } from "../../formats/text/index.ts";

export type Cell = SourceRow["cells"][number];

/** The target of a column's cells. */
export interface CellColumn {
  readonly variable: Pick<Variable, "name" | "type">;
  /** The unit of numbers, which are converted to its base unit. */
  readonly unit: ReportUnit | undefined;
  /** The file has types: times are numbers. */
  readonly isTyped: boolean;
  /** The base unit of cells with units of their own, such as `86.01ns`. */
  readonly quantity?: string;
}

/** Reads the cell between two offsets; returns false when the cell is not plain. */
type Take = (row: number, plain: PlainRow, start: number, end: number) => boolean;

/** Receives a number that is stored as another one, and why. */
type Report = (line: number, problem: string) => void;

/** Numbers of a column that are stored as others: the first one, and how many. */
interface Loss {
  readonly line: number;
  readonly problem: string;
  count: number;
  /** The line of the last one. */
  last: number;
}

/** Fills a table from the bytes of rows: numbers are parsed in place, without strings. */
export class PlainCells {
  readonly #builder: TableBuilder;
  readonly #takes: readonly Take[];
  /** Number of rows with fewer cells than columns, and the line of the first one. */
  #short = 0;
  #firstShort = 0;
  /** Number of cells that stand for a missing number, and the first one. */
  #missing = 0;
  #firstMissing: { readonly line: number; readonly text: string } | undefined;
  /** Number of cells that are stored as another number, by column, and the first one. */
  readonly #losses = new Map<string, Loss>();

  constructor(builder: TableBuilder, columns: readonly CellColumn[]) {
    this.#builder = builder;
    this.#takes = columns.map((column, at) => {
      const { name } = column.variable;
      return takeOf(builder.columns[at]!, column, (line, problem) => this.#addLoss(name, line, problem));
    });
  }

  /** Adds a row; returns false, without adding it, when a cell is not plain. */
  push(plainRow: PlainRow): boolean {
    const { block, start, end } = plainRow;
    const [takes, row] = [this.#takes, this.#builder.length];
    const { bytes } = block;
    const separator = block.separator.charCodeAt(0);
    let column = 0;
    for (let at = start; at <= end; column++) {
      let stop = at;
      while (stop < end && bytes[stop] !== separator) stop++;
      const take = takes[column];
      if (take === undefined || !take(row, plainRow, at, stop)) return false;
      at = stop + 1;
    }
    if (column < takes.length) this.addShort(plainRow.line);
    for (; column < takes.length; column++) this.#builder.columns[column]!.set(row, null);
    this.#builder.length += 1;
    return true;
  }

  /** Counts a row with fewer cells than columns. */
  addShort(line: number): void {
    if (this.#short++ === 0) this.#firstShort = line;
  }

  /** Counts a cell that stands for a missing number. */
  addMissing(line: number, text: string): void {
    if (this.#missing++ === 0) this.#firstMissing = { line, text };
  }

  /** Counts a cell whose number is stored as another one. */
  addLossy(line: number, cell: Cell, { variable: { name, type } }: CellColumn): void {
    if (type !== "float" || (typeof cell !== "string" && typeof cell !== "bigint")) return;
    const problem = lossOf(String(cell).trim(), Number(cell));
    if (problem !== undefined) this.#addLoss(name, line, problem);
  }

  #addLoss(name: string, line: number, problem: string): void {
    const loss = this.#losses.get(name) ?? { line, problem, count: 0, last: 0 };
    // A row that is not plain is read again.
    if (loss.last !== line) loss.count += 1;
    loss.last = line;
    this.#losses.set(name, loss);
  }

  /** The notices about numbers that are stored as others, one per column. */
  *lostDigits(): Generator<ImportEvent> {
    for (const [name, { line, problem, count }] of this.#losses) {
      const more = count === 1 ? "" : `, as ${count - 1} more from here on`;
      yield { kind: "notice", line, text: `column ${name}: ${problem}${more}` };
    }
  }

  /** The notice about cells that stand for missing numbers. */
  *missingCells(): Generator<ImportEvent> {
    if (!this.#firstMissing) return;
    const { line, text } = this.#firstMissing;
    const count = this.#missing === 1 ? "" : `, as ${this.#missing - 1} more from here on`;
    yield { kind: "notice", line, text: `'${text}' in a column of numbers is a missing value${count}` };
  }

  /** The notice about rows with fewer cells than columns. */
  *shortRows(): Generator<ImportEvent> {
    if (this.#short === 0) return;
    const text = `${this.#short} of the rows from here on have fewer cells than the header: the last ones are missing`;
    yield { kind: "notice", line: this.#firstShort, text };
  }
}

function takeOf(cells: ColumnBuilder, { variable: { type }, unit, quantity }: CellColumn, report: Report): Take {
  if (quantity !== undefined) return () => false;
  if (cells instanceof NumberColumnBuilder && type !== "boolean") return numbersOf(cells, type, unit, report);
  return (row, { block: { text } }, start, end) => {
    const cell = text.slice(start, end).trim();
    const isOfType = cell === "" || !isTime(type) || isTimeIn(cell, type);
    const value = cell === "" ? null : type === "boolean" ? truthOf(cell) : isOfType ? cell : undefined;
    if (value !== undefined) cells.set(row, value);
    return value !== undefined;
  };
}

/** Returns undefined for other texts. */
function truthOf(text: string): boolean | undefined {
  const word = text.toLowerCase();
  return word === "true" ? true : word === "false" ? false : undefined;
}

function numbersOf(
  cells: NumberColumnBuilder,
  type: Variable["type"],
  unit: ReportUnit | undefined,
  report: Report,
): Take {
  return (row, plain, start, end) => {
    const { bytes } = plain.block;
    let [from, to] = [start, end];
    while (from < to && isBlankByte(bytes[from]!)) from++;
    while (from < to && isBlankByte(bytes[to - 1]!)) to--;
    if (from === to) {
      cells.set(row, null);
      return true;
    }
    const exact = floatOf(bytes, from, to);
    const value = Number.isNaN(exact) && type === "float" ? lossyNumber(plain, from, to, report) : exact;
    if (Number.isNaN(value) || (type === "integer" && !Number.isSafeInteger(value))) return false;
    cells.put(row, unit === undefined ? value : toBaseUnit(value, unit));
    return true;
  };
}

/** A number that is stored as another one, which is reported; NaN for other texts. */
function lossyNumber({ block, line }: PlainRow, from: number, to: number, report: Report): number {
  const text = block.text.slice(from, to);
  const value = readFloat(text);
  const problem = typeof value === "number" ? lossOf(text, value) : undefined;
  if (problem === undefined) return Number.NaN;
  report(line, problem);
  return Number(value);
}

export function numberOf(cell: Cell): number | undefined {
  if (typeof cell === "number") return cell;
  if (typeof cell === "bigint") return Number(cell);
  const value = typeof cell === "string" ? readFloat(cell) : undefined;
  return value === undefined || value instanceof InvalidValue ? undefined : value;
}

/** True for `NA` and the like in a column of numbers. */
export function isMissing(cell: Cell): boolean {
  return typeof cell === "string" && isMissingMark(cell);
}

/** A number directly followed by its unit, or after one blank. */
const quantityText = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?) ?([a-z\u00b5\u03bc%][a-z\u00b5\u03bc%/]{0,20})$/i;

/** Base units of measured quantities. */
const measuredUnits = new Set(["s", "Byte", "Byte/s", "1/s", "%"]);

function quantityOf(cell: Cell): { readonly unit: string; readonly value: number } | undefined {
  const [, digits, word = ""] = (typeof cell === "string" && quantityText.exec(cell.trim())) || [];
  if (digits === undefined) return undefined;
  const unit = reportUnit(word);
  return measuredUnits.has(unit.unit) ? { unit: unit.unit, value: toBaseUnit(Number(digits), unit) } : undefined;
}

/**
 * The base unit of a column of texts such as `86.01ns`; undefined if the texts are others, or all without a fraction:
 * `4KiB` and `10s` are rather parameters.
 */
export function quantityUnit(cells: readonly Cell[]): string | undefined {
  const there = cells.filter((cell) => cell !== null && !isMissing(cell));
  const unit = quantityOf(there[0] ?? null)?.unit;
  if (unit === undefined || !there.every((cell) => quantityOf(cell)?.unit === unit)) return undefined;
  return there.some((cell) => /\d\.\d/.test(String(cell))) ? unit : undefined;
}

export function truthIn(cell: Cell): boolean | undefined {
  if (typeof cell === "boolean") return cell;
  return typeof cell === "string" ? truthOf(cell) : undefined;
}

/** ISO 8601 spellings in tables; digits beyond microseconds would be lost. */
const times = {
  date: /^\d{4}-\d\d-\d\d$/,
  timestamp: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:?\d\d)?$/,
};

/** True for the types of times that tables have as texts. */
function isTime(type: DataType): type is keyof typeof times {
  return type in times;
}

/** Whether a cell is a date or timestamp in ISO 8601. */
export function isTimeIn(cell: Cell, type: keyof typeof times): boolean {
  return typeof cell === "string" && times[type].test(cell) && typeof readValue(cell, type) === "number";
}

/** The variable of the texts in a column: an experiment may keep times as they are written. */
export function asWritten({ variable, isTyped }: { readonly variable: Variable; readonly isTyped: boolean }): Variable {
  return isTyped || !isTime(variable.type) ? variable : { ...variable, type: "string" };
}

/** True for integers with repeated values, texts aside. */
export function isVaried(cells: readonly Cell[]): boolean {
  const numbers = cells.flatMap((cell) => (cell === null ? [] : (numberOf(cell) ?? [])));
  return numbers.every((value) => Number.isInteger(value)) && new Set(numbers).size * 2 <= numbers.length;
}

/** True for integers that are exact, and missing values. */
export function areIntegers(cells: readonly Cell[]): boolean {
  return cells.every((cell) => cell === null || isMissing(cell) || Number.isSafeInteger(numberOf(cell)));
}

/** The value of a cell that is not plain. Fails with `damaged-report` when it is not of the column's type. */
export function cellValue(
  cell: Cell,
  { variable: { name, type }, unit, isTyped, quantity }: CellColumn,
  file: string,
  line: number,
): Value {
  if (cell === null) return null;
  if (type === "string") return String(cell);
  const isSpelled = !isTyped && isTime(type);
  if (isSpelled && isTimeIn(cell, type)) return String(cell);
  const value = isSpelled ? undefined : valueIn(cell, type, quantity);
  if (value === undefined) {
    const wanted = isSpelled || type === "boolean" ? type : quantity === undefined ? "number" : "number with a unit";
    const problem = `column ${name}: '${String(cell).slice(0, 40)}' is not a ${wanted} as in the first rows`;
    throw new Failure("damaged-report", { file, problem, line });
  }
  if (type === "integer" && typeof cell === "bigint") return cell;
  if (type === "integer" && typeof value === "number" && !Number.isSafeInteger(value)) {
    const problem = `column ${name}: '${String(cell).slice(0, 40)}' is not an integer as in the first rows`;
    throw new Failure("damaged-report", { file, problem, line });
  }
  return typeof value === "number" && unit !== undefined ? toBaseUnit(value, unit) : value;
}

function valueIn(cell: Cell, type: DataType, quantity: string | undefined): number | boolean | undefined {
  if (type === "boolean") return truthIn(cell);
  if (quantity === undefined) return numberOf(cell);
  const found = quantityOf(cell);
  return found?.unit === quantity ? found.value : undefined;
}
