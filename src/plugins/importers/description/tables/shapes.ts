import type { Position, RowLayout, TableLocation, TableValue } from "../../../../formats/descriptions/index.ts";
import { alignedHeadings, displayedColumns } from "./aligned-headings.ts";
import { CharacterScanner, LabelScanner } from "./entry-scanners.ts";
import { EntrySplitter, layoutScanner } from "./entry-splitter.ts";
import { MatrixRows } from "./matrix-rows.ts";
import { PatternRows } from "./pattern-rows.ts";
import { RowScanner, type Scanner } from "./row-scanner.ts";
import type { TableShapes } from "./table-shapes.ts";
import { TransposedRows } from "./transposed-rows.ts";

/** All shapes but that of entries between blanks or separators; loaded when a description needs one of them. */
export const shapes: TableShapes = Object.freeze({
  alignedHeadings,
  displayedColumns,
  scanner,
  cells: (layout: RowLayout, text: string) => new EntrySplitter(layout).split(text) ?? [],
  pattern: (...parameters: ConstructorParameters<typeof PatternRows>) => new PatternRows(...parameters),
  transposed: (...parameters: ConstructorParameters<typeof TransposedRows>) => new TransposedRows(...parameters),
  matrix: (...parameters: ConstructorParameters<typeof MatrixRows>) => new MatrixRows(...parameters),
} satisfies TableShapes);

function scanner(table: TableLocation, columns: readonly TableValue[]): Scanner {
  const ranges = columns.flatMap(({ position }): Extract<Position, { kind: "characters" }>[] =>
    position.kind === "characters" ? [position] : [],
  );
  if (ranges.length > 0) return new CharacterScanner(ranges);
  const label = table.values.find((value) => value.label)?.position;
  if (label?.kind === "number" && table.columns !== undefined)
    return new LabelScanner(new RowScanner(table.blanks ?? ""), label.number - 1, table.columns);
  return layoutScanner(table);
}
