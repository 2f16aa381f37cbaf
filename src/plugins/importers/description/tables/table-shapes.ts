import { noBreakSpaces } from "../../../../core/values/index.ts";
import type {
  MatrixLocation,
  PatternLocation,
  RowLayout,
  TableLocation,
  TableValue,
  TransposedValue,
} from "../../../../formats/descriptions/index.ts";
import type { EntryReader, LineTable, ReportLine } from "./line-table.ts";
import { RowScanner, type Scanner } from "./row-scanner.ts";
import { SeparatedScanner } from "./separated-scanner.ts";

/** Columns of a line as displayed, from `start` to before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An entry of a text. */
export interface TextEntry {
  readonly text: string;
  /** Offset of its first character. */
  readonly at: number;
}

/** Readers of the three values of a cell of a matrix. */
export interface MatrixReaders {
  readonly across: EntryReader;
  readonly down: EntryReader;
  readonly cell: EntryReader;
}

/** Readers of the shapes of tables that few descriptions have. */
export interface TableShapes {
  /** The heading of each entry; undefined: a word stands in the middle between two entries. */
  alignedHeadings(lines: readonly string[], entries: readonly Span[]): string[] | undefined;
  /** The displayed column of each character of a line, and that of its end. */
  displayedColumns(line: string): number[];
  scanner(table: TableLocation, columns: readonly TableValue[]): Scanner;
  /** The entries of a line. */
  cells(layout: RowLayout, text: string): readonly TextEntry[];
  pattern(location: PatternLocation, readers: readonly EntryReader[], report: ReportLine): LineTable;
  transposed(
    layout: RowLayout,
    values: readonly { readonly value: TransposedValue; readonly reader: EntryReader }[],
    report: ReportLine,
  ): LineTable;
  matrix(location: MatrixLocation, readers: MatrixReaders, report: ReportLine): LineTable;
}

/** True for tables whose entries are not separated by blanks or a text, or whose headings have to be aligned. */
export function hasShape({ gap, grid, header, values }: TableLocation): boolean {
  const special = values.some(({ label, position }) => label || position.kind === "characters");
  return gap !== undefined || grid === true || header !== undefined || special;
}

/** Requires that the shapes of the description are loaded. */
export function loaded(shapes: TableShapes | undefined): TableShapes {
  if (shapes) return shapes;
  throw new Error("the shapes of tables are not loaded");
}

/** True if no-break spaces separate groups of digits, so that they are no blanks. */
export function haveSpacesInNumbers(values: readonly Pick<TableValue, "thousands">[]): boolean {
  return values.some(({ thousands }) => thousands !== undefined && noBreakSpaces.includes(thousands));
}

/** The scanner for the rows of a table; `columns` are those that are read. */
export function tableScanner(
  table: TableLocation,
  columns: readonly TableValue[],
  shapes: TableShapes | undefined,
): Scanner {
  if (hasShape(table)) return loaded(shapes).scanner(table, columns);
  const { separator, blanks = "" } = table;
  if (separator !== undefined) return new SeparatedScanner(separator);
  return new RowScanner(blanks, haveSpacesInNumbers(columns));
}

/** True for tables whose entries may have blanks. */
export function isDelimited({ separator, gap, grid, values }: TableLocation): boolean {
  const special = values.some(({ label, position }) => label || position.kind === "characters");
  return separator !== undefined || gap !== undefined || grid === true || special;
}

/** True for tables whose empty entries are missing values under both sets of rules. */
export function hasEmptyEntries({ grid, values }: TableLocation): boolean {
  return grid === true || values.some(({ position }) => position.kind === "characters");
}
