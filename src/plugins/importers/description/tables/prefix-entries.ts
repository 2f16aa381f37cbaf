import { mayHavePrefix, prefixDoubt } from "../values/possible-prefix.ts";
import type { RowCell } from "./row-cell.ts";
import type { Scanner } from "./row-scanner.ts";
import type { TableColumn } from "./table-column.ts";

const small = 0x69;
/** The letters of prefixes: k, K, M, G, T, P. */
const isLetter = new Uint8Array(256);
for (const letter of "kKMGTP") isLetter[letter.charCodeAt(0)] = 1;

function isBlank(byte: number | undefined): boolean {
  return byte === undefined || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** Finds prefixes that are entries of their own after numbers without a unit: `5 K`. */
export class PrefixEntries {
  readonly #columns: readonly TableColumn[];
  /** Columns after which a prefix may be. */
  readonly #numbers: readonly TableColumn[];

  constructor(columns: readonly TableColumn[]) {
    this.#columns = columns;
    this.#numbers = columns.filter(({ variable, location }) => mayHavePrefix(variable, location));
  }

  /** The first entry of the row last scanned that is a prefix after a number, unless a column reads it; -1: none. */
  find(bytes: Uint8Array, { starts, ends, count }: Scanner): number {
    const columns = this.#numbers;
    for (let each = 0; each < columns.length; each++) {
      const at = columns[each]!.entry + 1;
      if (at <= 0 || at >= count || at >= starts.length) continue;
      const [start, end] = [starts[at]!, ends[at]!];
      const isPrefix =
        isLetter[bytes[start]!] === 1 && (end === start + 1 || (end === start + 2 && bytes[start + 1] === small));
      // In `(7) P: 0` the letter is a name.
      if (isPrefix && isBlank(bytes[end]) && this.#columns.every(({ entry }) => entry !== at)) return at;
    }
    return -1;
  }

  /** Why the number before the prefix at an entry may be another one. */
  doubt(cell: RowCell, at: number): string {
    return prefixDoubt(cell.at(at - 1).text.slice(0, 40), cell.at(at).text);
  }
}
