import { Failure } from "../../core/failures/failure.ts";
import { flatText } from "../../core/values/flatten.ts";
import type { Table } from "../../core/tables/table.ts";
import { cellsOf } from "./cells.ts";

/** The contents of a column as texts, whatever holds them; empty: none. */
export function textsOf(data: Table, name: string): (row: number) => string {
  const column = data.columns[data.variables.findIndex((variable) => variable.name === name)];
  if (column?.kind === "number") return (row) => (column.missing?.[row] === 1 ? "" : String(column.values[row] ?? ""));
  const cells = cellsOf(data, name);
  return (row) => flatText(cells.at(row) ?? "");
}

/** Parts of the wall clock, `real`. */
const partsOfTime = ["user", "sys"];

/**
 * The rows whose amounts are of one quantity, so that they may be added: those of a subtype (or event), or of the only
 * one that there is. Calls for memory are one quantity whatever their subtype, wall clock stands for its parts, and
 * rows that tell by caller what others tell, too, are left out. Fails with `several-quantities` where there are more,
 * and with `no-such-subtype`.
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

/** What the amounts of the rows are of; those of one quantity may be added. */
export function quantitiesIn(data: Table): string[] {
  const rows = Uint32Array.from({ length: data.length }, (_, row) => row);
  return withoutParts(distinct(rows, quantityOf(data)));
}

function quantityOf(data: Table): Text {
  const [subtype, event, type] = ["subtype", "event", "type"].map((name) => textsOf(data, name)) as [Text, Text, Text];
  return (row) => (type(row) === "memory" ? "memory" : event(row) || subtype(row) || type(row));
}

/** Wall clock stands for its parts. */
function withoutParts(quantities: string[]): string[] {
  return quantities.includes("real") ? quantities.filter((name) => !partsOfTime.includes(name)) : quantities;
}

type Text = (row: number) => string;

function distinct(rows: Uint32Array, text: Text): string[] {
  const found = new Set<string>();
  for (const row of rows) found.add(text(row));
  return [...found];
}

/** What a heap was at some moments (massif): by place, and as a whole. */
const states = ["heap", "total"];

/** True where the rows tell what was there at moments, not what came about between them. */
export function tellsStates(data: Table, rows: Uint32Array): boolean {
  const [subtype, snapshot] = [textsOf(data, "subtype"), textsOf(data, "snapshot")];
  return rows.length > 0 && rows.every((row) => snapshot(row) !== "" && states.includes(subtype(row)));
}

/** The rows by place, or the totals; all where there are none of them. */
export function statesBy(data: Table, rows: Uint32Array, which: "heap" | "total"): Uint32Array {
  const subtype = textsOf(data, "subtype");
  const fitting = rows.filter((row) => subtype(row) === which);
  return fitting.length > 0 ? fitting : rows;
}

/** Those of the moment at which the amounts were most: of two moments nothing adds up. */
export function peakOf(data: Table, rows: Uint32Array, amount: (row: number) => number): Uint32Array {
  const snapshot = textsOf(data, "snapshot");
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(snapshot(row), (sums.get(snapshot(row)) ?? 0) + amount(row));
  const [peak] = [...sums].reduce((most, each) => (each[1] > most[1] ? each : most));
  return rows.filter((row) => snapshot(row) === peak);
}
