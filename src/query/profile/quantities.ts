import { Failure } from "../../core/failures/index.ts";
import { flatText } from "../../core/values/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { cellsOf } from "./cells.ts";

/** The values of a column as texts; "" if missing. */
export function textsOf(data: Table, name: string): (row: number) => string {
  const column = data.columns[data.variables.findIndex((variable) => variable.name === name)];
  if (column?.kind === "number") return (row) => (column.missing?.[row] === 1 ? "" : String(column.values[row] ?? ""));
  const cells = cellsOf(data, name);
  return (row) => flatText(cells.at(row) ?? "");
}

/** Parts of the wall-clock time `real`. */
const partsOfTime = ["user", "sys"];

/**
 * The rows whose amounts are of one quantity and thus additive: those of a subtype (or event), or of the only one. All
 * allocator calls are one quantity, wall-clock time replaces its parts, and rows per caller, which repeat other rows,
 * are omitted. Fails with `several-quantities` and `no-such-subtype`.
 */
export function rowsOfOneQuantity(data: Table, wanted: string | undefined): Uint32Array {
  const [subtype, event, caller] = ["subtype", "event", "caller"].map((name) => textsOf(data, name)) as [
    Text,
    Text,
    Text,
  ];
  const rows = Uint32Array.from({ length: data.length }, (_, row) => row);
  if (wanted !== undefined) {
    const fitting = rows.filter((row) => subtype(row) === wanted || event(row) === wanted);
    if (fitting.length > 0) return fitting;
    throw new Failure("no-such-subtype", { subtype: wanted, known: distinct(rows, subtype).join(", ") });
  }
  const own = rows.filter((row) => caller(row) === "");
  const quantity = quantityOf(data);
  const found = distinct(own, quantity);
  const others = withoutParts(found);
  if (others.length > 1) throw new Failure("several-quantities", { known: others.join(", ") });
  return others.length === found.length ? own : own.filter((row) => quantity(row) === others[0]);
}

/** The quantities of the amounts; amounts of one quantity are additive. */
export function quantitiesIn(data: Table): string[] {
  const rows = Uint32Array.from({ length: data.length }, (_, row) => row);
  return withoutParts(distinct(rows, quantityOf(data)));
}

function quantityOf(data: Table): Text {
  const [subtype, event, type] = ["subtype", "event", "type"].map((name) => textsOf(data, name)) as [Text, Text, Text];
  return (row) => (type(row) === "memory" ? "memory" : event(row) || subtype(row) || type(row));
}

/** Removes the parts of wall-clock time. */
function withoutParts(quantities: string[]): string[] {
  return quantities.includes("real") ? quantities.filter((name) => !partsOfTime.includes(name)) : quantities;
}

type Text = (row: number) => string;

function distinct(rows: Uint32Array, text: Text): string[] {
  const found = new Set<string>();
  for (const row of rows) found.add(text(row));
  return [...found];
}

/** Subtypes of heap states (massif): by location, and in total. */
const states = ["heap", "total"];

/** Whether the rows are heap states at moments, not events between them. */
export function isHeapState(data: Table, rows: Uint32Array): boolean {
  const [subtype, snapshot] = [textsOf(data, "subtype"), textsOf(data, "snapshot")];
  return rows.length > 0 && rows.every((row) => snapshot(row) !== "" && states.includes(subtype(row)));
}

/** The rows by location, or the totals; all rows if there are none of them. */
export function statesBy(data: Table, rows: Uint32Array, which: "heap" | "total"): Uint32Array {
  const subtype = textsOf(data, "subtype");
  const fitting = rows.filter((row) => subtype(row) === which);
  return fitting.length > 0 ? fitting : rows;
}

/** The rows of the moment with the largest total: states of different moments are not additive. */
export function peakOf(data: Table, rows: Uint32Array, amount: (row: number) => number): Uint32Array {
  const snapshot = textsOf(data, "snapshot");
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(snapshot(row), (sums.get(snapshot(row)) ?? 0) + amount(row));
  const [peak] = [...sums].reduce((most, each) => (each[1] > most[1] ? each : most));
  return rows.filter((row) => snapshot(row) === peak);
}
