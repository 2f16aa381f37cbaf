import type { VersionId } from "../../core/digest.ts";
import type { Column, Table } from "../../core/table.ts";
import { valueAt } from "../../core/table.ts";
import { formatValue } from "../../core/value.ts";
import { hasUnits, type Variable } from "../../core/variable.ts";
import type { SeriesBuilder } from "./series-builder.ts";

/** What a table of data sets is made into series by. Columns of the table: `run`, `commit`, those of `by`, those of `results`. */
export interface ExperimentColumns {
  readonly experiment: string;
  readonly by: readonly Variable[];
  readonly results: readonly Variable[];
}

/** How many rows had no place in the order. */
export interface LeftOutRows {
  readonly nameless: number;
  readonly elsewhere: number;
}

/** One data set after the other, in the order of history. */
interface Row {
  readonly row: number;
  readonly place: number;
  readonly run: number;
}

/**
 * Adds a point for each parameter set and version, its results pooled over runs. `order`: versions from the oldest on. Empty: there is no
 * history, or no run has a version; then each run is a place of its own, in order of their numbers.
 */
export function addExperiment(
  builder: SeriesBuilder,
  { experiment, by, results }: ExperimentColumns,
  table: Table,
  order: readonly VersionId[],
): LeftOutRows {
  const texts = textColumns(table);
  const { rows, ...leftOut } = inOrder(table, texts[1] as (row: number) => string, order);
  const sets = by.map((_, at) => texts[2 + at] as (row: number) => string);
  const commit = texts[1] as (row: number) => string;
  const values = results.map((_, at) => table.columns[2 + by.length + at] as Column);
  const names = namesOfSets(by, sets);
  for (const group of consecutive(rows, (row) => `${row.place} ${names(row.row)}`)) {
    const [first] = group as [Row];
    const set = names(first.row);
    for (const [at, result] of results.entries()) {
      const sample = numbersOf(values[at] as Column, group);
      if (sample.length === 0) continue;
      const benchmark = set === "" ? experiment : `${experiment} ${set}`;
      const key = `experiment ${JSON.stringify([experiment, set, result.name])}`;
      const unit = hasUnits(result.type) ? result.unit : undefined;
      const version = order.length === 0 ? null : (commit(first.row) as VersionId);
      const subject = { source: "experiment", key, benchmark, metric: result.name, unit, better: result.better } as const;
      builder.add(subject, { version, machine: null }, `${experiment}#${first.run}`, sample);
    }
  }
  return leftOut;
}

/** `size=64 Byte, op=write`. What has no content is left out, so that a set is called the same once the experiment has got another parameter. */
function namesOfSets(by: readonly Variable[], sets: readonly ((row: number) => string)[]): (row: number) => string {
  return (row) =>
    by
      .flatMap(({ name }, at) => {
        const content = sets[at]?.(row) ?? "";
        return content === "" ? [] : [`${name}=${content}`];
      })
      .join(", ");
}

function inOrder(table: Table, commit: (row: number) => string, order: readonly VersionId[]): LeftOutRows & { rows: Row[] } {
  const places = new Map<string, number>(order.map((id, at) => [id, at]));
  const runs = numberColumn(table.columns[0]);
  const rows: Row[] = [];
  let [nameless, elsewhere] = [0, 0];
  for (let row = 0; row < table.length; row++) {
    const [id, run] = [commit(row), runs[row] ?? 0];
    const place = order.length === 0 ? run : places.get(id);
    if (place !== undefined) rows.push({ row, place, run });
    else if (id === "") nameless += 1;
    else elsewhere += 1;
  }
  rows.sort((a, b) => a.place - b.place || a.run - b.run || a.row - b.row);
  return { rows, nameless, elsewhere };
}

function numberColumn(column: Column | undefined): Float64Array {
  return column?.kind === "number" ? column.values : new Float64Array();
}

/** Rows with the same key, each place by itself: the groups of a place in order of their first row. */
function consecutive(rows: readonly Row[], keyOf: (row: Row) => string): Iterable<Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${keyOf(row)} ${row.run}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups.values();
}

function numbersOf(column: Column, rows: readonly Row[]): Float64Array {
  if (column.kind !== "number") return new Float64Array();
  return Float64Array.from(
    rows.filter(({ row }) => column.missing?.[row] !== 1 && Number.isFinite(column.values[row])),
    ({ row }) => column.values[row] as number,
  );
}

/** Texts of number and text columns, each different one of a text column as it is. */
function textColumns(table: Table): ((row: number) => string)[] {
  return table.columns.map((column, at) => {
    const type = table.variables[at]?.type ?? "string";
    return (row) => {
      if (column.kind === "interned") return "";
      const value = valueAt(column, row, type);
      return value === null ? "" : formatValue(value, type);
    };
  });
}
