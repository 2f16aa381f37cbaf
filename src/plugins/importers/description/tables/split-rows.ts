import { hasUnits } from "../../../../core/variables/index.ts";
import { bareWord } from "../values/number-reader.ts";
import { unitOf } from "../values/unit-words.ts";
import type { RowCell } from "./row-cell.ts";
import type { TableColumn } from "./table-column.ts";
import { hasValue } from "./units-of-rows.ts";

/** Lines of a message between the parts of a row. */
const mostBetween = 2;
/** Entries of a line that is compared with a row. */
const mostEntries = 200;
/** A number that a text interrupts: `2.WARNING:`, `10[node7]`. */
const interruptedNumber = /^[-+]?\.?\d[\d.]*(\[|[A-Za-z]{4}\S*)/;
/** The beginning of a number; not of a time, a date or a path. */
const numberStart = /^[-+]?\.?\d(?!\d*[:/-]\d)/;
/** The end of an interrupted number. */
const pieceOfNumber = /^[-+\d.eE]+$/;
/** The beginning of a number that is cut off. */
const cutNumber = /^[-+]?\d*\.?\d*(?:[eE][-+]?)?$/;

/** A line that begins like a row and continues with another text. */
interface Beginning {
  readonly line: number;
  /** Number of its leading entries that are values of their columns. */
  readonly fitting: number;
  readonly words: readonly string[];
}

/** Recognises the parts of a row that a message splits: `1024 2.5 WARNING: slow node` and, below it, `3.5 4.5`. */
export class SplitRows {
  /** In the order of their entries. */
  readonly #columns: readonly TableColumn[];
  /** Whether the first character of most lines of other text shows that they are no rows. */
  readonly #startsWithNumber: boolean;
  #beginning: Beginning | undefined;

  constructor(columns: readonly TableColumn[]) {
    this.#columns = columns.toSorted((a, b) => a.entry - b.entry);
    const [first] = this.#columns;
    this.#startsWithNumber = first?.entry === 0 && first.reader.isPlainNumber;
  }

  /** Whether a line that begins within a row may complete one. */
  hasBeginningBefore(line: number): boolean {
    return this.#beginning !== undefined && line - this.#beginning.line <= mostBetween + 1;
  }

  /** The lines of the row that this line completes; `given`: entries of a row, 0: unknown. */
  linesOf(cell: RowCell, count: number, given: number): readonly number[] {
    const entries = given > 0 ? given : this.#leastEntries;
    const { number: line } = cell;
    const before = this.#beginning;
    if (before && (line - before.line > mostBetween + 1 || line <= before.line)) this.#beginning = undefined;
    if (cell.isDelimited || count === 0 || entries < 2 || Math.max(count, entries) > mostEntries) return [];
    if (this.#beginning === undefined && this.#startsWithNumber && !numberStart.test(cell.at(0).text)) return [];
    if (this.#completes(cell, count, given)) return this.#joined(line);
    const fitting = this.#fitting(cell, Math.min(count, entries));
    if (fitting === count || (fitting === 0 && !isInterrupted(cell.at(0).text))) return [];
    const words = Array.from({ length: count }, (_, at) => cell.at(at).text);
    if (count > entries && this.#surrounds(words, fitting, cell, entries)) return [line];
    this.#beginning = { line, fitting, words };
    return [];
  }

  /** True for a line whose entries are the first ones of a row, with at least one number. */
  isBeginning(cell: RowCell, count: number, entries: number): boolean {
    if (count === 0 || count >= Math.min(entries, mostEntries)) return false;
    const present = this.#within(0, count);
    const isCut = (column: TableColumn): boolean =>
      column.entry === count - 1 && isNumeric(column) && cutNumber.test(cell.at(column.entry).text);
    return (
      present.some((column) => isNumeric(column) && /\d/.test(cell.at(column.entry).text)) &&
      present.every((column) => hasValue(column, cell.at(column.entry)) || isCut(column))
    );
  }

  #joined(line: number): readonly number[] {
    const first = this.#beginning?.line ?? line;
    this.#beginning = undefined;
    return [first, line];
  }

  /** The columns at the entries from `from` up to but without `to`. */
  #within(from: number, to: number): readonly TableColumn[] {
    return this.#columns.filter(({ entry }) => entry >= from && entry < to);
  }

  #fitting(cell: RowCell, most: number): number {
    const misfit = this.#within(0, most).find((column) => !hasValue(column, cell.at(column.entry)));
    return misfit?.entry ?? most;
  }

  /** True if the line has the entries of a row that the beginning lacks; rows may have units as entries, or not. */
  #completes(cell: RowCell, count: number, entries: number): boolean {
    const { fitting, words } = this.#beginning ?? { fitting: -1, words: [] };
    return words.slice(0, fitting + 1).some((word, present) => {
      if (present + count < this.#leastEntries) return false;
      const isLikely = (Math.min(present, count) > 1 && present + count === entries) || isMessage(words.slice(present));
      const isPiece = isInterrupted(word) && pieceOfNumber.test(cell.at(0).text);
      return (
        this.#isSplit(words, present, isLikely) &&
        this.#restFits(cell, isPiece ? present + 1 : present, present, present + count)
      );
    });
  }

  /** Number of entries up to the last one that a column reads. */
  get #leastEntries(): number {
    return Math.max(0, ...this.#columns.map(({ entry }) => entry + 1));
  }

  /** True for a line with both ends of a row around a message. */
  #surrounds(words: readonly string[], fitting: number, cell: RowCell, entries: number): boolean {
    const more = words.length - entries;
    return Array.from({ length: Math.min(fitting + 1, entries) }, (_, present) => present).some((present) => {
      const isLikely = isMessage(words.slice(present, present + more));
      return this.#isSplit(words, present, isLikely) && this.#restFits(cell, present, -more, entries);
    });
  }

  /** True if the words after the first `present` entries are a message, or if the next number is interrupted. */
  #isSplit(words: readonly string[], present: number, isLikely: boolean): boolean {
    if (isInterrupted(words[present] ?? "")) return true;
    return isLikely && /\p{L}/u.test(words[present] ?? "") && this.#within(0, present).some(isNumeric);
  }

  /** True if the columns from `from` on have values, one of them a number, `before` entries before their own. */
  #restFits(cell: RowCell, from: number, before: number, entries: number): boolean {
    const rest = this.#within(from, entries);
    return (
      (from > before || rest.some(isNumeric)) &&
      rest.every((column) => hasValue(column, cell.at(column.entry - before)))
    );
  }
}

function isNumeric({ variable }: TableColumn): boolean {
  return hasUnits(variable.type);
}

/** True for a number with a text after it that is no unit. */
function isInterrupted(word: string): boolean {
  const [, text] = interruptedNumber.exec(word) ?? [];
  return text !== undefined && unitOf(bareWord(text)) === undefined;
}

/** True for words such as `WARNING: slow node`, `[node7] late` and `node7 is slow!`. */
function isMessage(words: readonly string[]): boolean {
  return /^[[<(]|^[A-Z]{4}/.test(words[0] ?? "") || words.some((word) => /\p{L}\S*[:!]$/u.test(word));
}
