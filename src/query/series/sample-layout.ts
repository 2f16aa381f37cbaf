import {
  derivedQuantities,
  type Facts,
  hasBenchmarkResults,
  metricOfSubtype,
  parametersOf,
  parsedUnit,
  type Run,
  unitsOf,
  wallClock,
  workloadsOf,
} from "../../core/profiles/index.ts";
import { type Direction, cpuTimeMetric } from "../../core/measurements/index.ts";
import { type Column, type FlatColumn, flatColumns, selectColumns, type Table } from "../../core/tables/index.ts";
import { isObject, textAt, type Unit } from "../../core/values/index.ts";
import { isComplete, measuredColumns, noCell, peak, type SampleCells, valuesIn } from "./sample-cells.ts";

/** One metric of a location. */
export interface SampledMetric {
  /** The flattened uid. */
  readonly location: string;
  /** The generated workload, or the parameters of a benchmark; empty: none. */
  readonly workload: Facts;
  readonly metric: string;
  readonly unit: Unit | undefined;
  /** The direction, if the profile declares it. */
  readonly better?: Direction;
}

/** Columns that determine which numbers are one sample. */
const namingColumns = ["uid", "type", "subtype", "better"];

/** Where the samples of a profile are in its table. Profiles that differ in their numbers only have the same layout. */
export class SampleLayout {
  readonly metrics: readonly SampledMetric[];
  readonly cells: SampleCells;
  readonly #data: Table;
  readonly #units: string;
  /** Columns that determine the workloads. */
  readonly #parameters: readonly string[];
  /** Whether other profiles may have this layout: no number is missing, names are in columns that they can share. */
  readonly isShared: boolean;

  constructor(run: Run) {
    const found = metricsIn(run);
    this.metrics = found.map(({ metric }) => metric);
    const ends = new Int32Array(found.length);
    let end = 0;
    for (const [at, { cells }] of found.entries()) ends[at] = end += cells.length;
    const first = Int32Array.from(found.flatMap(({ cells }) => cells));
    const added = found.some((metric) => metric.added !== undefined)
      ? Int32Array.from(found.flatMap(({ cells, added: own }) => own ?? cells.map(() => noCell)))
      : null;
    this.cells = { ends, first, added };
    this.#data = run.data;
    this.#units = unitsText(run);
    this.#parameters = parametersOf(run);
    this.isShared = !run.extra.has("generator") && this.#hasSharedNames() && isComplete(run.data);
  }

  /** Whether a profile has this layout. */
  isOf(run: Run): boolean {
    const { groups, variables, columns, length } = this.#data;
    if (!this.isShared || groups === undefined || run.data.groups !== groups || run.data.length !== length)
      return false;
    const isSame = (column: Column, at: number): boolean => {
      const [name = "", known] = [variables[at]?.name, columns[at]];
      if (run.data.variables[at]?.name !== name) return false;
      if (column.kind !== "number" || known?.kind !== "number") return column === known;
      return !this.#parameters.includes(name) || column.values.every((value, row) => value === known.values[row]);
    };
    return (
      run.data.columns.length === columns.length &&
      run.data.columns.every(isSame) &&
      parametersOf(run).join() === this.#parameters.join() &&
      !run.extra.has("generator") &&
      unitsText(run) === this.#units &&
      isComplete(run.data)
    );
  }

  /** By metric: the end of its values. */
  get ends(): Int32Array {
    return this.cells.ends;
  }

  /** The values of all metrics in their order, of a profile with this layout. */
  valuesOf(run: Run): Float64Array {
    return valuesIn(run, this.cells);
  }

  /**
   * Whether it is that of all profiles with the same properties, units and collector whose measurements are finite:
   * no names are in the cells of the rows.
   */
  get isOfProperties(): boolean {
    const { groups, variables } = this.#data;
    if (!this.isShared || groups === undefined) return false;
    const inCells = new Set(groups.types.flatMap(({ columns }) => columns));
    const names = [...namingColumns, ...this.#parameters, "workload"];
    return variables.every(({ name }) => !inCells.has(name) || !names.includes(name));
  }

  #hasSharedNames(): boolean {
    const { variables, columns } = this.#data;
    const isNumber = (name: string, at: number): boolean => {
      const column = columns[at];
      return this.#parameters.includes(name) && column?.kind === "number" && column.missing === null;
    };
    return variables.every(
      ({ name }, at) =>
        ![...namingColumns, ...this.#parameters, "workload"].includes(name) ||
        columns[at]?.kind === "interned" ||
        isNumber(name, at),
    );
  }
}

/** Most layouts in memory, and most values of all but the newest. */
const [mostLayouts, mostValues] = [8, 100_000];

/** Remembers the layouts that profiles may share. */
export class SampleLayouts {
  /** The newest first. */
  #known: readonly SampleLayout[] = [];

  of(run: Run): SampleLayout {
    const layout = this.#known.find((known) => known.isOf(run)) ?? new SampleLayout(run);
    if (layout.isShared && layout !== this.#known[0]) this.#add(layout);
    return layout;
  }

  #add(layout: SampleLayout): void {
    let free = mostValues;
    const others = this.#known.filter((known) => known !== layout).slice(0, mostLayouts - 1);
    this.#known = [layout, ...others.filter(({ cells }) => (free -= cells.ends.at(-1) ?? 0) >= 0)];
  }
}

/** All else that a layout of properties depends on. */
export function layoutWords(run: Run): string {
  const steps = run.steps.map(({ kind, name, params }) => [kind, name, textAt(params, "from") ?? null]);
  return JSON.stringify([unitsText(run), steps, run.extra.has("generator")]);
}

/** What `unitsOf` depends on. */
function unitsText(run: Run): string {
  const header = run.extra.get("header");
  const units = isObject(header) ? header.get("units") : undefined;
  const entries = isObject(units)
    ? [...units].map(([name, unit]) => [name, typeof unit === "string" ? unit : null])
    : [];
  return JSON.stringify([String(run.fixed.get("type") ?? ""), entries]);
}

/** A metric with the cells of its values. */
interface MetricCells {
  readonly metric: SampledMetric;
  readonly cells: readonly number[];
  readonly added?: readonly number[];
}

interface Gathered {
  readonly unit: string;
  readonly better: Direction | undefined;
  readonly cells: number[];
  /** By cell: one whose number is added. */
  readonly added?: readonly number[];
}

function metricsIn(run: Run): MetricCells[] {
  const has = (name: string): boolean => run.data.variables.some((variable) => variable.name === name);
  if (!has("uid") || !measuredColumns.some(has)) return [];
  const names = [...namingColumns, ...measuredColumns].filter(has);
  const columns = new Map(flatColumns(selectColumns(run.data, names)).map((column) => [column.name, column]));
  const units = new Map<string, Unit | undefined>();
  const unitOf = (text: string): Unit | undefined => {
    if (!units.has(text)) units.set(text, parsedUnit(text));
    return units.get(text);
  };
  const [isBenchmark, derivedOf] = [hasBenchmarkResults(run), derivedQuantities(run)];
  return gathered(run, columns).flatMap(({ location, workload, metrics }) => {
    const isTime = !isBenchmark && metrics.has("time");
    const derived = derivedOf([...metrics].map(([name, { unit, better }]) => ({ name, unit: unitOf(unit), better })));
    const cpu = isTime ? cpuTimeOf(metrics) : null;
    const kinds = cpu === null ? [...metrics] : [...metrics, [cpuTimeMetric, cpu] as const];
    return kinds.flatMap(([name, { unit, cells, added, better }]) => {
      const own = { location, workload, metric: name, unit: unitOf(unit) };
      const metric = better === undefined ? own : { ...own, better };
      const sample = added === undefined ? { metric, cells } : { metric, cells, added };
      const isPart = isTime && !["time", cpuTimeMetric, peak].includes(name);
      return isPart || derived.has(name) ? [] : [sample];
    });
  });
}

/** User plus system time of each run; null if one of them was not measured in all of them. */
function cpuTimeOf(metrics: LocationMetrics["metrics"]): Gathered | null {
  const [user, system] = [metrics.get("user"), metrics.get("sys")];
  if (user === undefined || system === undefined || metrics.has(cpuTimeMetric)) return null;
  if (user.unit !== system.unit || user.cells.length !== system.cells.length) return null;
  return { ...user, added: system.cells };
}

/** The cells of one location and workload, by metric. */
interface LocationMetrics {
  readonly location: string;
  readonly workload: Facts;
  readonly metrics: Map<string, Gathered>;
}

function gathered(run: Run, columns: ReadonlyMap<string, FlatColumn>): LocationMetrics[] {
  const table = locationTable();
  const [units, workloadAt] = [unitsOf(run), workloadsOf(run)];
  const [uid, type, subtype] = [columns.get("uid"), columns.get("type"), columns.get("subtype")];
  const measured = measuredColumns.flatMap((name, number) => {
    const column = columns.get(name);
    return column === undefined ? [] : [{ column, first: number * run.data.length }];
  });
  for (let row = 0; row < run.data.length; row++) {
    const location = uid?.text(row) ?? "";
    if (location === "") continue;
    const own = table.at(location, workloadAt(row));
    const kind = subtype?.text(row) ?? "";
    for (const { column, first } of measured) {
      const isPeak = column.name === peak;
      if (!Number.isFinite(column.number(row)) || (isPeak && kind !== "" && kind !== wallClock)) continue;
      const unit = units(column.name, type?.text(row) ?? "", kind);
      const better = directions.get(columns.get("better")?.text(row) ?? "");
      add(own, isPeak ? peak : metricOfSubtype(kind), { unit, better }, first + row);
    }
  }
  return table.all;
}

/** One entry per location and workload, in order of first appearance. */
function locationTable(): {
  readonly all: LocationMetrics[];
  at(location: string, workload: Facts): Map<string, Gathered>;
} {
  const [all, known] = [[] as LocationMetrics[], new Map<Facts, Map<string, LocationMetrics>>()];
  return {
    all,
    at(location, workload) {
      const own = known.get(workload) ?? new Map<string, LocationMetrics>();
      if (own.size === 0) known.set(workload, own);
      let metricsAt = own.get(location);
      if (metricsAt === undefined) {
        metricsAt = { location, workload, metrics: new Map() };
        own.set(location, metricsAt);
        all.push(metricsAt);
      }
      return metricsAt.metrics;
    },
  };
}

const directions: ReadonlyMap<string, Direction> = new Map([
  ["lower", "lower"],
  ["higher", "higher"],
]);

/** Ignores numbers in another unit than the first of their metric. */
function add(
  own: Map<string, Gathered>,
  metric: string,
  metricFacts: Pick<Gathered, "unit" | "better">,
  cell: number,
): void {
  const known = own.get(metric);
  if (known === undefined) own.set(metric, { ...metricFacts, cells: [cell] });
  else if (known.unit === metricFacts.unit) known.cells.push(cell);
}
