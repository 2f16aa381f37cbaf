import type { ParsedRun } from "../../core/experiments/index.ts";
import {
  derivedNames,
  type Growth,
  isExitStatus,
  machineClass,
  metricDirection,
} from "../../core/measurements/index.ts";
import { pointsByKind, type Facts, workloadsOf, type Run } from "../../core/profiles/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { formatUnit, formatValue } from "../../core/values/index.ts";
import { hasUnits, type Variable } from "../../core/variables/index.ts";
import { distinctStatuses, type Measured } from "../../core/verdicts/index.ts";
import { growthOf } from "../../math/regression/index.ts";
import { benchmarkName, cellAt, isCondition, textAt } from "./compared-settings.ts";
import { SampleLayout, type SampledMetric } from "./sample-layout.ts";

/** Properties of the measurement itself, not compared. */
const aboutMeasuring = new Set(["iterations", "rounds", "samples", "exit_code", "exit_status"]);

/**
 * The results of benchmark reports by benchmark, parameters and metric; each run is a group. If a benchmark has several
 * values of a metric, its single values, such as statistics by the program, are omitted; and so are metrics that only
 * describe others (`derivedMetrics`) and are not `named`. `ignored`: parameters that distinguish no benchmarks.
 */
export function reportSamples(
  runs: readonly ParsedRun[],
  named: readonly string[] = [],
  ignored: ReadonlySet<string> = new Set(),
): Measured[] {
  const benchmarks = new Map<string, Map<string, Metric>>();
  const statuses = new Map<string, Set<number>>();
  const areNamed = runs.some(({ rows }) => rows?.variables.some(({ name }) => name === benchmarkName));
  for (const [at, { rows, once }] of runs.entries()) addTable({ benchmarks, statuses }, rows ?? once, at, ignored);
  const derivedOf = derivedNames(areNamed);
  return [...benchmarks].flatMap(([benchmark, metrics]) => {
    const all = [...metrics.values()];
    const sampled = all.filter(({ groups }) => [...groups.values()].some(({ length }) => length > 1));
    const kept = sampled.length > 0 ? sampled : all;
    const derived = derivedOf(kept.map(({ variable }) => variable));
    return kept
      .filter(({ variable }) => named.includes(variable.name) || !derived.has(variable.name))
      .map((metric) => withStatuses(measuredOf(benchmark, metric), statuses.get(benchmark)));
  });
}

/** The distinct classes of the machines of benchmark reports. */
export function reportMachines(runs: readonly ParsedRun[]): (string | null)[] {
  const classes = runs.map(({ once }) => {
    const facts = once.variables.map(({ name, type }, at): readonly [string, string] => {
      return [name, once.length === 0 ? "" : formatValue(cellAt(once, at, 0), type)];
    });
    return machineClass(facts);
  });
  return [...new Set(classes)];
}

interface Metric {
  readonly variable: Variable;
  /** By index of the run. */
  readonly groups: Map<number, number[]>;
}

/** The values of benchmarks by metric, and their exit statuses. */
interface Tables {
  readonly benchmarks: Map<string, Map<string, Metric>>;
  readonly statuses: Map<string, Set<number>>;
}

function addTable({ benchmarks, statuses }: Tables, table: Table, run: number, ignored: ReadonlySet<string>): void {
  const { variables } = table;
  const named = variables.flatMap((variable, at) => (isCondition(variable) && !ignored.has(variable.name) ? [at] : []));
  const measured = variables.flatMap((variable, at) => (isMeasured(variable) ? [at] : []));
  const status = variables.findIndex(({ name }) => isExitStatus(name));
  for (let row = 0; row < table.length; row++) {
    const name = nameOf(table, named, row);
    const code = status < 0 ? null : cellAt(table, status, row);
    if (typeof code === "number") statuses.set(name, (statuses.get(name) ?? new Set()).add(code));
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
    const { name } = table.variables[at]!;
    const text = textAt(table, at, row);
    if (name === benchmarkName) benchmark = text;
    else if (text !== "") parameters.push(`${name}=${text}`);
  }
  if (benchmark === "") return parameters.join(", ") || "all";
  return parameters.length === 0 ? benchmark : `${benchmark} [${parameters.join(", ")}]`;
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
    ...metricDirection(metric, unit, better),
  } as const;
  return { subject, unitText, groups: [...groups.values()].map((group) => Float64Array.from(group)) };
}

function withStatuses(measured: Measured, statuses: ReadonlySet<number> | undefined): Measured {
  return statuses === undefined ? measured : { ...measured, statuses: distinctStatuses(statuses) };
}

/** The independent column of complexity and trace profiles. */
const size = "structure-unit-size";

/** The metric of a location that holds the exponent of its growth. */
export const growthMetric = "growth";

interface LocationGrowth {
  readonly location: string;
  /** Parameters of a generated workload other than its size; empty: none. */
  readonly workload: Facts;
  readonly growth: Growth;
}

/** Whether rows have a size of the data, by which amounts grow. */
export function hasSizes({ data }: Run): boolean {
  return data.columns[data.variables.findIndex(({ name }) => name === size)]?.kind === "number";
}

/**
 * Growth of the amounts of each location with the structure size; omits locations with too few sizes. Workloads of one
 * profile that differ only in numbers or names are sizes of each other; those with other differences are fitted
 * separately.
 */
export function locationGrowths(run: Run): LocationGrowth[] {
  const has = (name: string): boolean => run.data.variables.some((variable) => variable.name === name);
  if (run.data.length === 0 || !hasSizes(run) || !["uid", "amount"].every(has)) return [];
  const workloadAt = workloadsOf(run, ({ name, numeric }) => !numeric && name !== "workload");
  return pointsByKind(run.data, size, "amount", workloadAt).flatMap(({ kind: workload, points: { uid, x, y } }) => {
    const growth = growthOf(x, y);
    return growth === null ? [] : [{ location: uid, workload, growth }];
  });
}

/** All numbers of one metric of a location, in order. */
export interface LocationSample extends SampledMetric {
  /** Finite; never empty. */
  readonly values: Float64Array;
}

/**
 * The amounts of a profile by location, generated workload and subtype, wall-clock time as `time`, and the CPU time and
 * peak memory if measured. Ignores rows without location or number, and numbers in another unit than the first of their
 * metric.
 */
export function locationSamples(run: Run): LocationSample[] {
  const layout = new SampleLayout(run);
  const values = layout.valuesOf(run);
  return layout.metrics.map((metric, at) => {
    return { ...metric, values: values.slice(at === 0 ? 0 : layout.ends[at - 1], layout.ends[at]) };
  });
}
