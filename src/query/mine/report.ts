import type { Table } from "../../core/tables/table.ts";
import { columnKind } from "../../core/tables/table.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { codedColumn, forRows, variety, type Coded } from "./coded-column.ts";
import { coverageOf, type Coverage, type Wanted } from "./coverage.ts";
import type { RunPlace } from "./finding.ts";
import { mine, type Limits, type Mined } from "./mine.ts";
import { parameterSets } from "./parameter-sets.ts";
import type { MinePlan } from "./plan.ts";
import { sampleOf, sortedRows, type Rows } from "./sample.ts";

/** What was found about results of one occurrence. */
export interface MineReport extends Mined {
  readonly results: readonly Variable[];
  /** Those that vary, or that the user named. */
  readonly parameters: readonly Variable[];
  readonly coverage: Coverage;
  readonly sets: number;
  readonly values: number;
  /** Contents that are no finite number, or beyond 1e150. */
  readonly passedOver: number;
  readonly runs: number;
}

/**
 * What the database brought: the answer to the plan, and by number of run the contents of parameters of runs, in their
 * order.
 */
export interface Mineable {
  readonly table: Table;
  readonly once: Table;
}

export interface Wishes extends Limits, Wanted {
  /** In the order in which changes are looked for; rows of other runs are left out. */
  readonly order: readonly RunPlace[];
}

/** Answers all questions of mining. */
export function reportOf(plan: MinePlan, mineable: Mineable, wishes: Wishes): MineReport {
  const rows = rowsOf(mineable.table, wishes.order);
  const parameters = codedParameters(plan, mineable, rows).filter((each) => wishes.isNamed || variety(each) > 1);
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
    passedOver: count(({ passedOver }) => passedOver),
    runs: new Set(rows.runs).size,
  };
}

function rowsOf(table: Table, order: readonly RunPlace[]): Rows {
  const places = new Map(order.map(({ number }, place) => [number, place]));
  const [run, place] = table.columns;
  const runs = Int32Array.from(
    { length: table.length },
    (_, row) => places.get(run?.kind === "number" ? (run.values[row] as number) : -1) ?? -1,
  );
  const hasPlaces = table.variables[1]?.name === "place in run" && place?.kind === "number";
  return { table, runs, dataSets: hasPlaces ? place.values : null, order };
}

function codedParameters(plan: MinePlan, { table, once }: Mineable, rows: Rows): Coded[] {
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

/** For each data set the row that has the contents of its run. */
function onceRows(once: Table, { runs, order }: Rows): Int32Array {
  const [number] = once.columns;
  const places = new Map<number, number>();
  if (number?.kind === columnKind("integer") && number.kind === "number")
    number.values.forEach((run, row) => places.set(run, row));
  const rowOf = order.map((run) => places.get(run.number) ?? -1);
  return runs.map((run) => rowOf[run] ?? -1);
}

/** Contents that only runs have from which nothing was chosen are none. */
function onlyUsed(coded: Coded): Coded {
  const used = new Set(coded.codes);
  const kept = [...coded.contents.keys()].filter((code) => used.has(code));
  const places = new Map(kept.map((code, place) => [code, place]));
  return {
    ...coded,
    contents: kept.map((code) => coded.contents[code] ?? null),
    codes: coded.codes.map((code) => places.get(code) ?? 0),
  };
}
