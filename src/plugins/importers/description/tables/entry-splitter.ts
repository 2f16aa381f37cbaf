import type { RowLayout } from "../../../../formats/descriptions/index.ts";
import { RowScanner, type Scanner } from "./row-scanner.ts";
import { SeparatedScanner } from "./separated-scanner.ts";
import { GapScanner } from "./entry-scanners.ts";
import { GridScanner } from "./grid-scanner.ts";
import type { TextEntry } from "./table-shapes.ts";

/** The scanner for lines of a layout. */
export function layoutScanner({ blanks = "", separator, gap, grid }: RowLayout): Scanner {
  if (grid) return new GridScanner();
  if (gap !== undefined) return new GapScanner(gap);
  return separator === undefined ? new RowScanner(blanks) : new SeparatedScanner(separator);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Splits texts into entries as the rows of tables of the same layout. */
export class EntrySplitter {
  readonly #scanner: Scanner;

  constructor(layout: RowLayout) {
    this.#scanner = layoutScanner(layout);
  }

  /** The entries of a line, or of a part of it; undefined for a rule of a drawn table. */
  split(text: string): readonly TextEntry[] | undefined {
    const bytes = encoder.encode(`${text}\n`);
    const scanner = this.#scanner;
    scanner.scan(bytes, 0);
    if (scanner.isRule) return undefined;
    const length = Math.min(scanner.count, scanner.starts.length);
    return Array.from({ length }, (_, index) => {
      const start = scanner.starts[index] as number;
      return {
        text: decoder.decode(bytes.subarray(start, scanner.ends[index])),
        at: decoder.decode(bytes.subarray(0, start)).length,
      };
    });
  }
}
