import type { BenchmarkResult, ReportMetric } from "../../core/measurements/index.ts";
import { type NumberColumnBuilder, TableBuilder, type Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/** The columns: the benchmark, its parameters, optionally the sample number, and the metrics. */
export interface RowLayout {
  readonly variables: readonly Variable[];
  readonly parameters: readonly string[];
  readonly hasSamples: boolean;
  readonly metrics: readonly ReportMetric[];
  /** The value of the parameter with this index. */
  parameterValue(at: number, parameters: BenchmarkResult["parameters"]): Value;
}

/**
 * Rows of several results. Most numbers are present in a tenth of the rows or fewer, so all start as missing and only
 * present ones are written.
 */
export class ReportRows {
  readonly #layout: RowLayout;
  readonly #capacity: number;
  readonly #table: TableBuilder;
  readonly #numbers: readonly NumberColumnBuilder[];

  /** `capacity`: maximum number of rows per batch. */
  constructor(layout: RowLayout, capacity: number) {
    this.#layout = layout;
    this.#capacity = capacity;
    this.#table = new TableBuilder(layout.variables, capacity);
    this.#numbers = this.#table.columns.slice(1 + layout.parameters.length) as NumberColumnBuilder[];
  }

  get length(): number {
    return this.#table.length;
  }

  take(): Table {
    return this.#table.take();
  }

  /** Appends the first rows of a result; `isSampled`: it has lists. */
  append({ benchmark, parameters, values }: BenchmarkResult, rows: number, isSampled: boolean): void {
    const { columns, length: from } = this.#table;
    const { hasSamples, metrics, parameters: names } = this.#layout;
    const to = from + rows;
    if (from === 0) for (const column of this.#numbers) column.fill(null, 0, this.#capacity);
    columns[0]!.fill(benchmark, from, to);
    for (let at = 0; at < names.length; at++)
      columns[at + 1]!.fill(this.#layout.parameterValue(at, parameters), from, to);
    if (isSampled) number(this.#numbers[0]!, from, to);
    const first = hasSamples ? 1 : 0;
    for (let at = 0; at < metrics.length; at++) {
      const value = values.get(metrics[at]!.name);
      if (typeof value === "number") put(this.#numbers[first + at]!, from, value);
      else if (value !== undefined) putAll(this.#numbers[first + at]!, from, to, value);
    }
    this.#table.length = to;
  }
}

/** From 1. */
function number({ values, missing }: NumberColumnBuilder, from: number, to: number): void {
  for (let row = from; row < to; row++) values[row] = row - from + 1;
  missing!.fill(0, from, to);
}

function put({ values, missing }: NumberColumnBuilder, row: number, value: number): void {
  if (Number.isNaN(value)) return;
  values[row] = value;
  missing![row] = 0;
}

function putAll(column: NumberColumnBuilder, from: number, to: number, list: readonly number[] | Float64Array): void {
  const end = Math.min(list.length, to - from);
  for (let at = 0; at < end; at++) put(column, from + at, list[at]!);
}
