import { isFailure } from "../../../../core/failures/index.ts";
import { hasUnits } from "../../../../core/variables/index.ts";
import { InvalidValue } from "../../../../core/values/index.ts";
import { bareWord } from "../values/number-reader.ts";
import { unitOf } from "../values/unit-words.ts";
import type { RowCell } from "./row-cell.ts";
import type { Cell, TableColumn } from "./table-column.ts";

/** A tolerance between entries: `+- 1`, `\u00b1 0.5`. */
const tolerance = /\s(?:\u00b1|\+\/?-)\s*\.?\d[\d.]*/g;

/** NULs between blanks, as texts show them. */
const loneNuls = /^(?:\\0)+$/;

/** Recognises lines that differ from the rows of a table only in the units after their numbers. */
export class UnitsOfRows {
  readonly #columns: readonly TableColumn[];
  /** Entries after a column of numbers that no column reads: their units, in tables whose rows have them. */
  #unitEntries: readonly number[] | undefined;

  constructor(columns: readonly TableColumn[]) {
    this.#columns = columns;
  }

  /**
   * True for a row of at most `entries` entries (0: any number), apart from units and tolerances after its numbers:
   * those that rows lack, or those that rows have and this line, of `count` entries, lacks.
   */
  differ(cell: RowCell, count: number, entries: number): boolean {
    if (cell.isDelimited || count === 0) return false;
    const { row } = cell;
    const mayBeTolerant = row.includes("\u00b1") || row.includes("+");
    // Splitting the line is slow, and nothing is left out before its first word.
    const first = this.#columns.find(({ entry }) => entry === 0);
    if (first && !mayBeTolerant && !this.#fits(first, cell.at(0).text, cell)) return false;
    const words = withoutUnits(mayBeTolerant ? row.replaceAll(tolerance, " ") : row);
    const hasMore = words.length < count && (entries === 0 || words.length <= entries);
    if (hasMore && this.#columns.every((column) => this.#fits(column, words[column.entry], cell))) return true;
    const units = this.#units;
    if (units.length === 0) return false;
    const unitsBefore = (end: number): number => units.filter((each) => each < end).length;
    if (entries > 0 && words.length > entries - unitsBefore(entries)) return false;
    return this.#columns.every((column) => this.#fits(column, words[column.entry - unitsBefore(column.entry)], cell));
  }

  /** True if the rows may have units as entries that no column reads. */
  get areEntries(): boolean {
    return this.#units.length > 0;
  }

  get #units(): readonly number[] {
    return (this.#unitEntries ??= unitEntriesOf(this.#columns));
  }

  #fits(column: TableColumn, text: string | undefined, { number, row }: RowCell): boolean {
    return text !== undefined && hasValue(column, { number, text, entry: text, rest: text, row, isEmpty: false });
  }
}

function unitEntriesOf(columns: readonly TableColumn[]): number[] {
  const taken = new Set(columns.map(({ entry }) => entry));
  return columns.flatMap(({ variable, entry }) =>
    entry >= 0 && hasUnits(variable.type) && !taken.has(entry + 1) ? [entry + 1] : [],
  );
}

/** The words of a line but for units after numbers. */
function withoutUnits(line: string): string[] {
  let isAfterNumber = false;
  return line
    .trim()
    .split(/\s+/)
    .filter((word) => {
      if (loneNuls.test(word)) return false;
      if (isAfterNumber && unitOf(bareWord(word)) !== undefined) return false;
      isAfterNumber = /\d\S*$/.test(word);
      return true;
    });
}

/** Whether a cell has a value of the type of its column; one for which an import fails is none. */
export function hasValue(column: TableColumn, cell: Cell): boolean {
  try {
    const value = column.reader.read(cell, column);
    return value !== undefined && !(value instanceof InvalidValue);
  } catch (error) {
    if (isFailure(error)) return false;
    throw error;
  }
}
