import { Failure } from "../../../../core/failures/index.ts";
import type { Value } from "../../../../core/values/index.ts";
import { hasUnits } from "../../../../core/variables/index.ts";
import type { RowMark } from "../../../../formats/descriptions/index.ts";
import type { TextEntry } from "./table-shapes.ts";
import { entryValue, type EntryReader } from "./line-table.ts";

/** The line above a matrix: the headings of its columns of cells, perhaps after a text above the labels. */
export class MatrixHeadings {
  readonly #line: number;
  readonly #entries: readonly TextEntry[];
  /** The entries after the text that marks the line. */
  readonly #afterMark: readonly TextEntry[];
  readonly #reader: EntryReader;

  constructor(
    line: number,
    text: string,
    entries: readonly TextEntry[],
    marks: readonly RowMark[],
    reader: EntryReader,
  ) {
    this.#line = line;
    this.#entries = entries;
    const ends = marks.flatMap((mark) => (mark.kind === "keyword" ? [endOf(text, mark.text)] : []));
    const end = Math.max(0, ...ends);
    this.#afterMark = end === 0 ? [] : entries.filter(({ at }) => at >= end);
    this.#reader = reader;
  }

  /**
   * The headings above `cells` cells; `cells` undefined: all that can be headings. Fails with `heading-mismatch` if
   * they do not correspond to the cells.
   */
  values(cells: number | undefined, row: number): readonly Value[] {
    const found = this.#candidates(cells);
    const values = found?.map(({ text }) => entryValue(this.#reader, text, this.#line));
    const valid = values?.flatMap((each) => ("value" in each ? each.value : []));
    if (valid && valid.length > 0 && valid.length === values?.length) return valid;
    throw new Failure("matrix-headings", {
      line: this.#line,
      headings: this.#entries.length,
      row,
      cells: cells ?? 0,
      variable: this.#reader.variable.name,
    });
  }

  #candidates(cells: number | undefined): readonly TextEntry[] | undefined {
    const all = this.#entries;
    const last = this.#lastValues();
    if (cells === undefined) return this.#afterMark.length > 0 ? this.#afterMark : last;
    if (this.#afterMark.length === cells) return this.#afterMark;
    if (all.length === cells) return all;
    // A number above the labels could be the heading of a column that the row lacks.
    if (last.length < all.length && last.length === cells) return last;
    return all.length === cells + 1 && !hasUnits(this.#reader.variable.type) ? all.slice(1) : undefined;
  }

  /** The entries at the end of the line that are values. */
  #lastValues(): readonly TextEntry[] {
    let from = this.#entries.length;
    while (from > 0 && "value" in entryValue(this.#reader, this.#entries[from - 1]?.text ?? "", this.#line)) from -= 1;
    return this.#entries.slice(from);
  }
}

function endOf(text: string, keyword: string): number {
  const at = text.indexOf(keyword);
  return at < 0 ? 0 : at + keyword.length;
}
