import { type Table, columnKind } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { codedColumn, forRows, distinctCount, type CodedColumn } from "./coded-column.ts";
import { coverageOf, type Coverage, type CoverageOptions } from "./coverage.ts";
import type { OrderedRun } from "./finding.ts";
import { mine, type Limits, type Mined } from "./mine.ts";
import { parameterSets } from "./parameter-sets.ts";
import type { MinePlan } from "./plan.ts";
import { sampleOf, sortedRows, type Rows } from "./sample.ts";

/** Findings of results of one occurrence. */
export interface MineReport extends Mined {
  readonly results: readonly Variable[];
  /** Parameters that vary or were selected by the user. */
  readonly parameters: readonly Variable[];
  readonly coverage: Coverage;
  readonly sets: number;
  readonly values: number;
  /** Number of values that are not finite, or beyond 1e150. */
  readonly nonFinite: number;
  readonly runs: number;
}

/** Query results: the rows of the plan, and the run parameters by number of run, in plan order. */
export interface MineData {
  readonly table: Table;
  readonly once: Table;
}

export interface MineOptions extends Limits, CoverageOptions {
  /** Runs in search order; rows of other runs are omitted. */
  readonly order: readonly OrderedRun[];
}

/** Runs all searches. */
export function reportOf(plan: MinePlan, mineable: MineData, wishes: MineOptions): MineReport {
  const rows = rowsOf(mineable.table, wishes.order);
  const parameters = codedParameters(plan, mineable, rows).filter((each) => wishes.isNamed || distinctCount(each) > 1);
  const sets = parameterSets(parameters, rows.table.length);
  const sorted = sortedRows(rows, sets);
  const first = rows.table.columns.length - plan.results.length;
  const samples = plan.results.map((variable, at) => sampleOf(rows, first + at, variable, sets, sorted));
  const count = (of: (sample: (typeof samples)[number]) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0);
  return {
    ...mine(sets, samples, wishes.order, wishes),
    results: plan.results,
    parameters: parameters.map(({ variable }) => variable),
    coverage: coverageOf(sets, samples, wishes),
    sets: sets.count,
    values: count(({ values }) => values.length),
    nonFinite: count(({ nonFinite: passedOver }) => passedOver),
    runs: new Set(rows.runs).size,
  };
}

function rowsOf(table: Table, order: readonly OrderedRun[]): Rows {
  const positions = new Map(order.map(({ number }, position) => [number, position]));
  const [run, position] = table.columns;
  const runs = Int32Array.from(
    { length: table.length },
    (_, row) => positions.get(run?.kind === "number" ? (run.values[row] as number) : -1) ?? -1,
  );
  const hasRowNumbers = table.variables[1]?.name === "row in run" && position?.kind === "number";
  return { table, runs, rowNumbers: hasRowNumbers ? position.values : null, order };
}

function codedParameters(plan: MinePlan, { table, once }: MineData, rows: Rows): CodedColumn[] {
  const columnOf = (variable: Variable): number => table.variables.indexOf(variable);
  const runs = plan.parameters.some(({ occurrence }) => occurrence === "once")
    ? onceRows(once, rows)
    : new Int32Array(0);
  return plan.parameters.map((variable) =>
    variable.occurrence === "multiple"
      ? codedColumn(table, columnOf(variable), variable)
      : onlyUsed(forRows(codedColumn(once, once.variables.indexOf(variable), variable), runs)),
  );
}

/** For each row the index of its run in `once`. */
function onceRows(once: Table, { runs, order }: Rows): Int32Array {
  const [number] = once.columns;
  const positions = new Map<number, number>();
  if (number?.kind === columnKind("integer") && number.kind === "number")
    number.values.forEach((run, row) => positions.set(run, row));
  const rowOf = order.map((run) => positions.get(run.number) ?? -1);
  return runs.map((run) => rowOf[run] ?? -1);
}

/** Drops values that only unselected runs have. */
function onlyUsed(coded: CodedColumn): CodedColumn {
  const used = new Set(coded.codes);
  const kept = [...coded.values.keys()].filter((code) => used.has(code));
  const positions = new Map(kept.map((code, position) => [code, position]));
  return {
    ...coded,
    values: kept.map((code) => coded.values[code] ?? null),
    codes: coded.codes.map((code) => positions.get(code) ?? 0),
  };
}
