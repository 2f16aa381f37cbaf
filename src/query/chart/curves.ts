import type { Table } from "../../core/tables/table.ts";
import { formatUnit } from "../../core/values/unit.ts";
import { contentText, type NamedColumn, requireColumn } from "./columns.ts";
import { unitOf } from "./value-axes.ts";

/**
 * Rows of each combination of contents, in order of appearance; one of all rows, called "", when no parameter tells
 * them apart.
 */
export function curvesOf(table: Table, names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const columns = names.map((name) => requireColumn(table, name));
  const curves = new Map<string, number[]>();
  for (let row = 0; row < table.length; row++) {
    const label = columns.map((column) => contentLabel(column, row, columns.length === 1)).join(" ");
    const own = curves.get(label);
    if (own === undefined) curves.set(label, [row]);
    else own.push(row);
  }
  return curves;
}

/** A text says what it is by itself when it stands alone; everything else needs its name. */
export function contentLabel(column: NamedColumn, row: number, isAlone: boolean): string {
  const content = contentText(column, row);
  if (isAlone && column.column.kind === "text") return content;
  const unit = formatUnit(unitOf(column.variable));
  return `${column.variable.name}=${content}${unit === "" ? "" : ` ${unit}`}`;
}
