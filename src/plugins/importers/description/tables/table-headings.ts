import { Failure } from "../../../../core/failures/index.ts";
import type { TableLocation } from "../../../../formats/descriptions/index.ts";
import { entriesOf, occurrence } from "../finders/explicit-finder.ts";
import type { Look } from "../finders/finder.ts";
import type { Scanner } from "./row-scanner.ts";
import type { TableColumn } from "./table-column.ts";
import { loaded, type Span, type TableShapes } from "./table-shapes.ts";

/** The entry of an optional column that the header of a table lacks. */
export const absentEntry = -2;

/** A row of a table, with its entries in bytes. */
export interface HeadedRow {
  readonly text: string;
  readonly scanner: Scanner;
  /** The text from the start of the row to an offset of the scanner. */
  before(offset: number): string;
}

/** What is reported of a header, of each kind once. */
interface HeadingNotice {
  readonly kind: string;
  readonly text: string;
}

/** The headings above a table: they select the columns whose position is a keyword. */
export class TableHeadings {
  readonly #location: TableLocation;
  readonly #columns: readonly TableColumn[];
  readonly #shapes: TableShapes | undefined;
  /** Lines of the header so far, if it has several or its words are aligned with the entries. */
  #lines: string[] = [];
  /** Lines of the header that follow. */
  #toCome = 0;
  /** 1-based number of the marked row; 0: there are no headings. */
  #line = 0;
  /** Number of headings, if it has to equal that of the entries. */
  #count: number | undefined;
  /** Keywords that equal several headings, of which the first is read without a request for it. */
  #repeated: string[] = [];

  /** `shapes`: if the table needs them. */
  constructor(location: TableLocation, columns: readonly TableColumn[], shapes: TableShapes | undefined) {
    this.#location = location;
    this.#columns = columns.filter((column) => column.location.position.kind === "keyword");
    this.#shapes = shapes;
  }

  /** True when headings have selected columns, or will do so. */
  get areUsed(): boolean {
    return this.#line > 0;
  }

  /** Number of lines before the marked row that belong to the header. */
  get linesBefore(): number {
    return Math.max(0, -(this.#location.header ?? 0) - 1);
  }

  /** Starts the table at its marked row; undefined: before the first line, without headings. */
  start(look: Look | undefined): void {
    const { header = 0, start } = this.#location;
    for (const column of this.#columns) column.select(-1);
    [this.#line, this.#count, this.#lines, this.#toCome, this.#repeated] = [0, undefined, [], 0, []];
    // A row of data is no header.
    if (!look || start === 0 || this.#columns.length === 0) return;
    const { line } = look;
    const row = line.rest(line.start);
    if (header === 0) return this.#takeRow(row, line.number);
    this.#line = line.number;
    const before = Array.from({ length: this.linesBefore }, (_, at) => look.before(this.linesBefore - at) ?? "");
    this.#lines = [...before, row];
    this.#toCome = Math.max(0, header - 1);
  }

  /** Takes a line between the marked row and the first row. `text` is called for lines of the header. */
  takeLine(text: () => string): void {
    if (this.#toCome === 0) return;
    this.#toCome -= 1;
    this.#lines.push(text());
  }

  /** The single line of a header whose words or cells correspond to the entries. */
  #takeRow(row: string, number: number): void {
    const headings = this.#headingsIn(row);
    const texts = headings.map(({ text }) => text);
    const entries = this.#columns.map((column) => this.#exactOrPart(column, row, headings, texts));
    if (entries.every((entry) => entry < 0)) return;
    this.#columns.forEach((column, at) => {
      const entry = entries[at] ?? -1;
      column.select(entry < 0 && column.location.optional ? absentEntry : entry, texts[entry]);
    });
    this.#line = number;
    this.#count = headings.length;
  }

  #headingsIn(row: string): readonly { readonly text: string; readonly at: number }[] {
    const { blanks, separator, gap, grid } = this.#location;
    if (separator !== undefined)
      return row.split(separator).map((text) => ({ text: text.trim().replace(/^"(.*)"$/, "$1"), at: -1 }));
    if (gap !== undefined || grid) return loaded(this.#shapes).cells(this.#location, row);
    return [...entriesOf(row, blanks)].filter((entry, index) => index > 0 || !isCommentSign(entry.text));
  }

  /** A heading that equals the keyword, else one that contains it. */
  #exactOrPart(
    { location: { position, repetition } }: TableColumn,
    row: string,
    headings: readonly { readonly text: string; readonly at: number }[],
    texts: readonly string[],
  ): number {
    const keyword = position.kind === "keyword" ? position.text : "";
    const exact = this.#exact(texts, keyword, repetition);
    if (exact !== undefined) return exact;
    const { separator, gap, grid } = this.#location;
    if (separator !== undefined || gap !== undefined || grid)
      return indicesOf(texts, (text) => text.includes(keyword))[repetition - 1] ?? -1;
    const at = occurrence(row, keyword, repetition);
    return at < 0 ? -1 : headings.findIndex((entry) => at >= entry.at && at < entry.at + entry.text.length);
  }

  /** The heading that equals the keyword; of several, `rep=` selects one. */
  #exact(texts: readonly string[], keyword: string, repetition: number): number | undefined {
    const found = indicesOf(texts, (text) => text === keyword);
    const isSelected = this.#columns.some(
      ({ location: { position, repetition: nth } }) =>
        position.kind === "keyword" && withSingleBlanks(position.text) === keyword && nth > 1,
    );
    if (found.length > 1 && !isSelected) this.#repeated.push(keyword);
    return found[repetition - 1];
  }

  /**
   * Selects columns before the first row is read; returns notices. `yields`: keywords that the row itself has mean an
   * entry of it.
   */
  settle(row: HeadedRow, yields: boolean): readonly HeadingNotice[] {
    if (this.#line === 0) return [];
    const isMultiline = this.#lines.length > 0;
    if (isMultiline) this.#align(row);
    const yielding = yields && !isMultiline ? this.#yieldTo(row.text) : [];
    const repeated = [...new Set(this.#repeated)].filter((keyword) => !yielding.includes(keyword));
    this.#repeated = [];
    return [
      ...yielding.map((keyword) => ({
        kind: "keyword in header and row",
        text: `'${keyword}' is in the header of the table and in this row: the entry after it is read`,
      })),
      ...repeated.map((keyword) => ({
        kind: "heading of several columns",
        text: `'${keyword}' is the heading of several columns: the first is read; rep=2 selects the second`,
      })),
    ];
  }

  /** Returns the keywords that select an entry of the row and no heading. */
  #yieldTo(row: string): readonly string[] {
    const yielding = this.#columns.filter(({ entry, location: { position, repetition } }) => {
      return entry >= 0 && position.kind === "keyword" && occurrence(row, position.text, repetition) >= 0;
    });
    for (const column of yielding) column.select(-1);
    if (this.#columns.every(({ entry }) => entry < 0)) [this.#line, this.#count] = [0, undefined];
    return yielding.flatMap(({ location: { position } }) => (position.kind === "keyword" ? position.text : []));
  }

  #align(row: HeadedRow): void {
    const { separator, grid } = this.#location;
    const fields = separator !== undefined || grid === true;
    const shapes = loaded(this.#shapes);
    const headings = fields ? this.#joinedFields() : shapes.alignedHeadings(this.#lines, spansOf(row, shapes));
    for (const column of this.#columns) {
      const entry = this.#select(column, headings);
      column.select(entry, headings?.[entry]);
    }
  }

  /** The headings of a header of several lines of cells. */
  #joinedFields(): string[] {
    const rows = this.#lines.map((line) => this.#headingsIn(line).map(({ text }) => text));
    const count = Math.max(0, ...rows.map((fields) => fields.length));
    return Array.from({ length: count }, (_, at) => rows.map((fields) => fields[at] ?? "").join(" "));
  }

  #select(
    { location: { position, repetition, optional } }: TableColumn,
    headings: readonly string[] | undefined,
  ): number {
    const keyword = withSingleBlanks(position.kind === "keyword" ? position.text : "");
    if (!headings) throw this.#unclear(keyword, "a word of the header stands in the middle between two entries");
    const texts = headings.map(withSingleBlanks);
    const exact = this.#exact(texts, keyword, repetition);
    if (exact !== undefined) return exact;
    const parts = indicesOf(texts, (text) => text.includes(keyword));
    const shown = texts
      .map((text) => `'${text}'`)
      .join(", ")
      .slice(0, 500);
    if (parts.length > 1 && repetition === 1) throw this.#unclear(keyword, `several headings of ${shown} have it`);
    const found = parts[repetition - 1] ?? (optional ? absentEntry : undefined);
    if (found === undefined) throw this.#unclear(keyword, `the headings are ${shown}`);
    return found;
  }

  #unclear(keyword: string, problem: string): Failure {
    return new Failure("heading-unclear", { line: this.#line, keyword, problem });
  }

  /** Fails with `heading-mismatch` unless the first row has as many entries as there are headings. */
  check(entries: number, row: number, fits: (count: number) => boolean): void {
    if (this.#count === undefined || this.#count === entries) return;
    if (fits(this.#count) && this.#columns.some(({ location }) => location.optional)) return;
    const [column] = this.#columns.filter(({ entry }) => entry >= 0);
    const position = column?.location.position;
    const keyword = position?.kind === "keyword" ? position.text : "";
    throw new Failure("heading-mismatch", { line: this.#line, headings: this.#count, row, entries, keyword });
  }

  /** The number of headings, if each is one of an entry. */
  get count(): number | undefined {
    return this.#count;
  }
}

function indicesOf(texts: readonly string[], fits: (text: string) => boolean): number[] {
  return texts.flatMap((text, at) => (fits(text) ? [at] : []));
}

function withSingleBlanks(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

/** The displayed columns of the entries of a row. */
function spansOf({ text, scanner, before }: HeadedRow, shapes: TableShapes): Span[] {
  const columns = shapes.displayedColumns(text);
  const at = (offset: number | undefined): number => columns[before(offset ?? 0).length] ?? columns.at(-1) ?? 0;
  const length = Math.min(scanner.count, scanner.starts.length);
  return Array.from({ length }, (_, index) => ({ start: at(scanner.starts[index]), end: at(scanner.ends[index]) }));
}

/** True for a comment sign before the headings, as in `# size latency`: it is not a heading. */
function isCommentSign(text: string): boolean {
  return /^(?:[#%*;!]+|\/\/)$/.test(text);
}
