import { defaultDirection } from "../../core/measurements/default-direction.ts";
import type { ParsedRun } from "../../core/experiments/parsed-run.ts";
import type { Measured } from "../../core/verdicts/samples.ts";
import { valueAt, type Table } from "../../core/tables/table.ts";
import { formatUnit } from "../../core/values/unit.ts";
import { formatValue } from "../../core/values/value.ts";
import { hasUnits, type Variable } from "../../core/variables/variable.ts";
import { isReplicateIndex } from "../plan/replicate-index.ts";

/** Properties of the measurement itself, not compared. */
const aboutMeasuring = new Set(["iterations", "rounds", "samples", "exit_code", "exit_status"]);

/**
 * The results of benchmark reports by benchmark, parameters and metric; each run is a group. If a benchmark has several
 * values of a metric, its single values, such as statistics by the program, are omitted.
 */
export function reportSamples(runs: readonly ParsedRun[]): Measured[] {
  const benchmarks = new Map<string, Map<string, Metric>>();
  for (const [at, { rows, once }] of runs.entries()) addTable(benchmarks, rows ?? once, at);
  return [...benchmarks].flatMap(([benchmark, metrics]) => {
    const all = [...metrics.values()];
    const sampled = all.filter(({ groups }) => [...groups.values()].some(({ length }) => length > 1));
    return (sampled.length > 0 ? sampled : all).map((metric) => measuredOf(benchmark, metric));
  });
}

interface Metric {
  readonly variable: Variable;
  /** By index of the run. */
  readonly groups: Map<number, number[]>;
}

function addTable(benchmarks: Map<string, Map<string, Metric>>, table: Table, run: number): void {
  const { variables } = table;
  const named = variables.flatMap((variable, at) =>
    variable.role === "parameter" && !isReplicateIndex(variable) ? [at] : [],
  );
  const measured = variables.flatMap((variable, at) => (isMeasured(variable) ? [at] : []));
  for (let row = 0; row < table.length; row++) {
    const name = nameOf(table, named, row);
    const metrics = benchmarks.get(name) ?? new Map<string, Metric>();
    benchmarks.set(name, metrics);
    for (const at of measured) {
      const value = cellAt(table, at, row);
      if (typeof value === "number" && Number.isFinite(value)) addValue(metrics, variables[at]!, run, value);
    }
  }
}

function isMeasured({ role, type, name }: Variable): boolean {
  return role === "result" && ["integer", "float", "duration"].includes(type) && !aboutMeasuring.has(name);
}

function addValue(metrics: Map<string, Metric>, variable: Variable, run: number, value: number): void {
  const metric: Metric = metrics.get(variable.name) ?? { variable, groups: new Map() };
  metrics.set(variable.name, metric);
  const group = metric.groups.get(run) ?? [];
  metric.groups.set(run, group);
  group.push(value);
}

/** `parse [size=100, threads=2]`; only parameters if no variable names the benchmark. */
function nameOf(table: Table, columns: readonly number[], row: number): string {
  let benchmark = "";
  const parameters: string[] = [];
  for (const at of columns) {
    const { name, type } = table.variables[at]!;
    const value = cellAt(table, at, row);
    const text = value === null ? "" : formatValue(value, type);
    if (name === "benchmark") benchmark = text;
    else if (text !== "") parameters.push(`${name}=${text}`);
  }
  if (benchmark === "") return parameters.join(", ") || "all";
  return parameters.length === 0 ? benchmark : `${benchmark} [${parameters.join(", ")}]`;
}

function cellAt({ columns, variables }: Table, at: number, row: number) {
  const column = columns[at];
  return column === undefined || column.kind === "interned" ? null : valueAt(column, row, variables[at]!.type);
}

function measuredOf(benchmark: string, { variable, groups }: Metric): Measured {
  const { name: metric, type, better } = variable;
  const unit = hasUnits(type) ? variable.unit : undefined;
  const unitText = formatUnit(unit);
  const subject = {
    source: "file",
    key: JSON.stringify([benchmark, metric]),
    benchmark,
    metric,
    unit,
    better: better ?? defaultDirection(unit),
  } as const;
  return { subject, unitText, groups: [...groups.values()].map((group) => Float64Array.from(group)) };
}
