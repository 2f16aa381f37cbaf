import type { Run } from "../../core/profiles/index.ts";
import { flatColumns, selectColumns, type Table } from "../../core/tables/index.ts";

/** A separate measurement column, next to the amounts. */
export const peak = "peak-memory";

/** Columns with measurements. */
export const measuredColumns = ["amount", peak];

/** No second cell. */
export const noCell = -1;

/** Where the values of the metrics of a profile are in its table. Plain data. */
export interface SampleCells {
  /** By metric: the end of its values. */
  readonly ends: Int32Array;
  /** By value: its row, plus the number of rows if it is in the second column. */
  readonly first: Int32Array;
  /** By value: the cell of a number to be added, or `noCell`; null: none are added. */
  readonly added: Int32Array | null;
}

/** The values of all metrics in their order. */
export function valuesIn({ data }: Run, { first, added }: SampleCells): Float64Array {
  const [amount, other] = measuredColumns.map((name) => numbersOf(data, name)) as [NumberOf, NumberOf];
  const numberAt = (cell: number): number => (cell < data.length ? amount(cell) : other(cell - data.length));
  return Float64Array.from(first, (cell, at) => {
    const second = added === null ? noCell : (added[at] as number);
    return second === noCell ? numberAt(cell) : numberAt(cell) + numberAt(second);
  });
}

/** Whether all measurements are finite numbers. */
export function isComplete({ variables, columns }: Table): boolean {
  return columns.every((column, at) => {
    if (!measuredColumns.includes(variables[at]?.name ?? "")) return true;
    return column.kind === "number" && column.missing === null && column.values.every(Number.isFinite);
  });
}

type NumberOf = (row: number) => number;

function numbersOf(data: Table, name: string): NumberOf {
  const at = data.variables.findIndex((variable) => variable.name === name);
  if (at < 0) return () => Number.NaN;
  const column = data.columns[at];
  if (column?.kind === "number" && column.missing === null) {
    const { values } = column;
    return (row) => values[row] as number;
  }
  const flat = flatColumns(selectColumns(data, [name])).find((each) => each.name === name);
  return (row) => flat?.number(row) ?? Number.NaN;
}
