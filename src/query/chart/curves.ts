import type { Table } from "../../core/tables/table.ts";
import { formatUnit } from "../../core/values/unit.ts";
import { valueText, type NamedColumn, requireColumn } from "./columns.ts";
import { unitOf } from "./value-axes.ts";

/** Rows of each combination of values, in order of appearance; without names a single entry "" with all rows. */
export function curvesOf(table: Table, names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const columns = names.map((name) => requireColumn(table, name));
  const curves = new Map<string, number[]>();
  for (let row = 0; row < table.length; row++) {
    const label = columns.map((column) => valueLabel(column, row, columns.length === 1)).join(" ");
    const own = curves.get(label);
    if (own === undefined) curves.set(label, [row]);
    else own.push(row);
  }
  return curves;
}

/** The bare text for a single text column; otherwise `name=value unit`. */
export function valueLabel(column: NamedColumn, row: number, isAlone: boolean): string {
  const text = valueText(column, row);
  if (isAlone && column.column.kind === "text") return text;
  const unit = formatUnit(unitOf(column.variable));
  return `${column.variable.name}=${text}${unit === "" ? "" : ` ${unit}`}`;
}
