import type { RowCell } from "./row-cell.ts";
import type { Scanner } from "./row-scanner.ts";
import type { TableColumn } from "./table-column.ts";

/** The first bytes of units and prefixes: letters, `$`, `%`, and those of the micro signs. */
const mayBegin = new Uint8Array(256);
for (const letter of "bBcdeEfFhHkKmMGnopPsStTuUy$%\u00c2\u00ce") mayBegin[letter.charCodeAt(0)] = 1;

/** Longer words are no units; words of up to this many bytes are compared before they are decoded again. */
const [longestUnit, longestKnown] = [24, 8];

function isBlank(byte: number | undefined): boolean {
  return byte === undefined || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** A column of numbers without a unit, and the last word after one of them that raised no doubt. */
interface Numbers {
  readonly column: TableColumn;
  readonly known: Uint8Array;
  length: number;
}

/** Examines entries after numbers without a unit that no column reads: prefixes (`5 K`) and units (`5 KB`). */
export class UnitEntries {
  readonly #columns: readonly TableColumn[];
  readonly #numbers: readonly Numbers[];

  constructor(columns: readonly TableColumn[]) {
    this.#columns = columns;
    this.#numbers = columns
      .filter(({ unitDoubts }) => unitDoubts.areExamined)
      .map((column) => ({ column, known: new Uint8Array(longestKnown), length: 0 }));
  }

  /**
   * The first column, from an index on, whose number in the row last scanned is before another word than in the rows
   * before; -1: none.
   */
  next(bytes: Uint8Array, { starts, ends, count }: Scanner, from = 0): number {
    const numbers = this.#numbers;
    const last = Math.min(count, starts.length);
    for (let each = from; each < numbers.length; each++) {
      const { column, known, length } = numbers[each]!;
      const at = column.entry + 1;
      if (at <= 0 || at >= last) continue;
      const [start, end] = [starts[at]!, ends[at]!];
      if (mayBegin[bytes[start]!] === 0 || end - start > longestUnit || isEqual(bytes, start, end, known, length))
        continue;
      // In `(7) P: 0` the letter is a name.
      if (isBlank(bytes[end]) && this.#columns.every(({ entry }) => entry !== at)) return each;
    }
    return -1;
  }

  /** Why the number of a column that `next` found may be another one, or not comparable with earlier ones. */
  doubt(bytes: Uint8Array, { starts, ends }: Scanner, cell: RowCell, index: number): string | undefined {
    const numbers = this.#numbers[index]!;
    const { entry, unitDoubts } = numbers.column;
    const word = cell.at(entry + 1).text;
    const doubt = unitDoubts.before(cell.at(entry).text.slice(0, 40), word);
    const [start, end] = [starts[entry + 1]!, ends[entry + 1]!];
    numbers.length = doubt === undefined && end - start <= longestKnown ? end - start : 0;
    numbers.known.set(bytes.subarray(start, start + numbers.length));
    return doubt;
  }
}

function isEqual(bytes: Uint8Array, start: number, end: number, known: Uint8Array, length: number): boolean {
  if (end - start !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[start + at] !== known[at]) return false;
  return true;
}
