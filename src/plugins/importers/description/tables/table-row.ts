import type { NumberColumnBuilder } from "../../../../core/tables/index.ts";
import { isFailure } from "../../../../core/failures/index.ts";
import { InvalidValue, type Value } from "../../../../core/values/index.ts";
import { hasUnits, type Variable } from "../../../../core/variables/index.ts";
import type { ByteText } from "../../../../formats/text/index.ts";
import type { Batch } from "../batch.ts";
import { severalNumbers } from "../values/number-doubts.ts";
import { UnfitNumber, type PresentValue } from "../value-reader.ts";
import { absentEntry } from "./table-headings.ts";
import { DamagedRows } from "./damaged-rows.ts";
import type { RowCell } from "./row-cell.ts";
import type { Scanner } from "./row-scanner.ts";
import type { RowValues } from "./row-table.ts";
import type { TableColumn } from "./table-column.ts";
import type { LostRows } from "./lost-rows.ts";
import { SplitRows } from "./split-rows.ts";
import { UnitEntries } from "./unit-entries.ts";
import { hasValue, UnitsOfRows } from "./units-of-rows.ts";

/** A cell that has no value of its column's type. */
export interface Misfit {
  readonly variable: Variable;
  /** Why the row has no value: `'x' is not a valid value`. */
  readonly problem: string;
  /** Its position, after that of the line: `, column 2`. */
  readonly where: string;
  /** The same as `problem`, with the type: `'x' is not a valid float for 'T'`. */
  readonly typeProblem: string;
}

/** Reads the cells of rows that a scanner has split; holds those of the last one. */
export class TableRow implements RowValues {
  readonly columns: readonly TableColumn[];
  /** Rows may have fewer entries. */
  readonly hasOptional: boolean;
  /** NaN where the value is in `#values`. */
  readonly #numbers: Float64Array;
  readonly #values: (PresentValue | null)[];
  readonly #scanner: Scanner;
  readonly #cell: RowCell;
  readonly #emptyIsMissing: boolean;
  readonly #needsNumber: boolean;
  readonly #units: UnitsOfRows;
  readonly #damaged: DamagedRows;
  readonly #split: SplitRows;
  readonly #unitEntries: UnitEntries;
  /** The column that did not fit the last line. */
  #misfit: TableColumn | undefined;
  /** Why its cell cannot be read; undefined: it is not of the type. */
  #problem: string | undefined;
  /** Why a number of the last line may be another one. */
  #doubt: string | undefined;
  /** A number of the last line that its variable cannot hold. */
  #unfit: UnfitNumber | undefined;
  /** Lines without a row that are still examined for units. */
  #unitTries = 10_000;
  /** True if `checkRange` and `doubt` have nothing to say about the last line. */
  isPlain = true;

  /** `emptyIsMissing`: empty entries are missing values. */
  constructor(columns: readonly TableColumn[], scanner: Scanner, cell: RowCell, emptyIsMissing: boolean) {
    this.#emptyIsMissing = emptyIsMissing;
    this.#units = new UnitsOfRows(columns);
    this.#damaged = new DamagedRows(columns);
    this.#split = new SplitRows(columns);
    this.#unitEntries = new UnitEntries(columns);
    this.#needsNumber = columns.some(({ location }) => location.position.kind === "characters");
    this.columns = columns;
    this.hasOptional = columns.some(({ location }) => location.optional);
    this.#numbers = new Float64Array(columns.length).fill(Number.NaN);
    this.#values = columns.map(() => null);
    this.#scanner = scanner;
    this.#cell = cell;
  }

  /** True when a line with this number of entries may be a row; `expected`: entries of a row, 0: unknown. */
  hasEntries(count: number, expected: number): boolean {
    if (!this.hasOptional) return count > 0 && (expected === 0 || count === expected);
    const last = (columns: readonly TableColumn[]): number => Math.max(0, ...columns.map(({ entry }) => entry + 1));
    const least = Math.max(1, last(this.columns.filter((column) => !column.location.optional)));
    return count >= least && (expected === 0 || count <= Math.max(expected, last(this.columns)));
  }

  /** The value of a column. */
  value(at: number): Value {
    const value = this.#numbers[at] ?? Number.NaN;
    return Number.isNaN(value) ? (this.#values[at] ?? null) : value;
  }

  /** Appends the row to a batch; columns of values that are once per run have no target. */
  writeTo(batch: Batch): void {
    const row = batch.addRow();
    const { columns } = this;
    const numbers = this.#numbers;
    for (let at = 0; at < columns.length; at++) {
      const { target } = columns[at] as TableColumn;
      const value = numbers[at] as number;
      if (value === value) (batch.columns[target] as NumberColumnBuilder).values[row] = value;
      else batch.columns[target]?.set(row, this.#values[at] ?? null);
    }
  }

  /** What of the last line is read in part. */
  get doubt(): { readonly kind: string; readonly text: string } | undefined {
    if (this.#scanner.cutsWord) return { kind: "words cut by chars", text: "chars= cut a word of this row" };
    return this.#doubt === undefined ? undefined : { kind: "doubt about a row", text: this.#doubt };
  }

  /** The cell of the last line that does not fit. */
  get misfit(): Misfit | undefined {
    const column = this.#misfit;
    if (!column) return undefined;
    const { count, starts } = this.#scanner;
    const { entry, variable, reader } = column;
    const isMissing = entry < 0 || entry >= count || entry >= starts.length;
    const text = isMissing ? undefined : this.#cell.at(entry).text;
    const missing = entry < 0 ? "there is no value at its keyword" : `it has only ${count} entries`;
    const isNone = text === undefined ? `there is no` : `'${text.slice(0, 80)}' is not a valid`;
    return {
      variable,
      problem: text === undefined ? missing : (this.#problem ?? `'${text.slice(0, 40)}' is not a valid value`),
      where: entry < 0 ? "" : `, column ${entry + 1}`,
      typeProblem: `${this.#problem ?? `${isNone} ${reader.typeName}`} for '${variable.name}'`,
    };
  }

  /** True when the line, which is after the end of its table or above it, looks like a row. */
  isLost(lost: LostRows, block: ByteText, start: number, number: number): boolean {
    const { count } = this.#scanner;
    if (lost.fits(count) && (this.#resembles(block, start, number) || this.#isUnreadable(block, start, number)))
      return true;
    // The rows of the table may have units that this one lacks.
    const isPartial = count < lost.entries && this.columns.every(({ entry }) => entry < count);
    if (isPartial && this.isPartial(block, start, number, lost.entries)) return true;
    return (
      lost.mayDifferInUnits(count, this.#units.areEntries) && this.#differsInUnits(block, start, number, lost.entries)
    );
  }

  #isUnreadable(block: ByteText, start: number, number: number): boolean {
    this.#cell.setRow(block, start, number);
    return this.#damaged.areUnreadable(this.#cell, this.#scanner.count);
  }

  /** True when the line has a value of its type in every column. */
  #resembles(block: ByteText, start: number, number: number): boolean {
    try {
      return this.read(block, start, number);
    } catch (error) {
      if (isFailure(error)) return false;
      throw error;
    }
  }

  /**
   * True when at least two columns, one of numbers, are in the line, and all of these have a value of their type; or
   * when it differs from a row of `entries` entries only in units, or lacks some of its entries, or has others before.
   */
  isPartial(block: ByteText, start: number, number: number, entries: number): boolean {
    const { count, starts } = this.#scanner;
    const mayDiffer = count > entries || this.#units.areEntries;
    if (mayDiffer && this.#differsInUnits(block, start, number, entries)) return true;
    const present = this.columns.filter(({ entry }) => entry >= 0 && entry < count && entry < starts.length);
    this.#cell.setRow(block, start, number);
    if (present.length < 2 || !present.some(({ reader }) => reader.isPlainNumber)) return false;
    return (
      present.every((column) => hasValue(column, this.#cell.at(column.entry))) ||
      this.#damaged.areIncomplete(this.#cell, count, entries)
    );
  }

  /** Whether a line just before is the beginning of a row that other text splits. */
  isSplitBefore(line: number): boolean {
    return this.#split.hasBeginningBefore(line);
  }

  /** The lines of a row, of `entries` entries (0: unknown), that other text splits and that this line completes. */
  splitLines(block: ByteText, start: number, number: number, entries: number): readonly number[] {
    this.#cell.setRow(block, start, number);
    return this.#split.linesOf(this.#cell, this.#scanner.count, entries);
  }

  /** True for the last line of the input, without a line end, if it looks like the beginning of a row. */
  isCutOff(block: ByteText, start: number, number: number, entries: number): boolean {
    if (!block.isUnfinished) return false;
    const { count } = this.#scanner;
    this.#cell.setRow(block, start, number);
    if (this.#split.isBeginning(this.#cell, count, entries)) return true;
    const label = this.value(this.columns.findIndex(({ entry }) => entry === 0));
    return count === 1 && entries > 1 && typeof label === "string" && label.startsWith(this.#cell.at(0).text);
  }

  /** True when a line that is no row has a value for every column apart from units after its numbers. */
  mayDifferInUnits(block: ByteText, start: number, number: number): boolean {
    const least = this.columns.length + (this.#units.areEntries ? 0 : 1);
    if (this.#scanner.count < least || this.#unitTries <= 0) return false;
    this.#unitTries -= 1;
    return this.#differsInUnits(block, start, number, 0);
  }

  #differsInUnits(block: ByteText, start: number, number: number, entries: number): boolean {
    this.#cell.setRow(block, start, number);
    return this.#units.differ(this.#cell, this.#scanner.count, entries);
  }

  /** Fails with `bad-content` when the row has a number that its variable cannot hold. */
  checkRange(number: number): void {
    if (this.#unfit) throw this.#unfit.at(number);
  }

  /** Returns true when every column has a value of its type. */
  read(block: ByteText, start: number, number: number): boolean {
    const { columns } = this;
    const numbers = this.#numbers;
    const scanner = this.#scanner;
    const { starts, ends, count } = scanner;
    let slow = this.#needsNumber;
    if (slow) this.#beginSlow(block, start, number);
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at] as TableColumn;
      const { entry, fast } = column;
      if (entry >= count || entry >= starts.length || entry === absentEntry) {
        if (this.#setMissing(column, at)) continue;
        this.#cell.setRow(block, start, number);
        [this.#misfit, this.#problem] = [column, undefined];
        return false;
      }
      const value = fast && entry >= 0 ? fast(block.bytes, starts[entry] as number, ends[entry] as number) : Number.NaN;
      numbers[at] = value;
      if (value === value) continue;
      if (!slow) this.#beginSlow(block, start, number);
      slow = true;
      if (!this.#readCell(column, at)) return false;
    }
    const word = this.#cell.isDelimited ? -1 : this.#unitEntries.next(block.bytes, scanner);
    if (word >= 0) {
      if (!slow) this.#beginSlow(block, start, number);
      slow = true;
      this.#doubtUnits(block.bytes, word);
    }
    this.isPlain = !slow;
    return !this.#needsNumber || this.#hasNumber();
  }

  #doubtUnits(bytes: Uint8Array, first: number): void {
    const [entries, scanner] = [this.#unitEntries, this.#scanner];
    for (let at = first; at >= 0; at = entries.next(bytes, scanner, at + 1))
      this.#doubt ??= entries.doubt(bytes, scanner, this.#cell, at);
  }

  #beginSlow(block: ByteText, start: number, number: number): void {
    this.#cell.setRow(block, start, number);
    this.#unfit = undefined;
    this.#doubt = undefined;
  }

  /** At fixed positions any text is an entry: a row has a value next to its texts, if it has other columns. */
  #hasNumber(): boolean {
    const others = this.columns.filter(({ variable: { type } }) => type !== "string" && type !== "text");
    const [first] = others;
    if (!first || others.some((column) => this.value(this.columns.indexOf(column)) !== null)) return true;
    [this.#misfit, this.#problem] = [first, "there are only texts in the columns, no value"];
    return false;
  }

  /** Only optional columns may be missing. */
  #setMissing(column: TableColumn, at: number): boolean {
    this.#numbers[at] = Number.NaN;
    this.#values[at] = null;
    return column.location.optional === true;
  }

  #readCell(column: TableColumn, at: number): boolean {
    const cell = this.#cell.at(column.entry);
    const { missing } = column.location;
    const isMissing = (cell.isEmpty && this.#emptyIsMissing) || (missing !== undefined && missing.includes(cell.entry));
    const value = isMissing ? null : column.reader.read(cell, column);
    if (value instanceof UnfitNumber) this.#unfit ??= value;
    else if (value === undefined || value instanceof InvalidValue) {
      [this.#misfit, this.#problem] = [column, value?.problem];
      return false;
    } else this.#values[at] = value;
    if (value !== null && hasUnits(column.variable.type))
      this.#doubt ??=
        column.reader.doubt ??
        (cell.isDelimited
          ? (severalNumbers(cell.entry, column.location) ?? column.unitDoubts.nextToMark(cell.entry))
          : undefined);
    return true;
  }
}
