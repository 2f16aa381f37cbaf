import type { Better, Growth } from "../../core/measurements/series.ts";
import { pointsByKind } from "../../core/profiles/location-points.ts";
import { parsedUnit, unitsOf } from "../../core/profiles/profile-units.ts";
import { type Facts, workloadsOf } from "../../core/profiles/row-kinds.ts";
import type { Run } from "../../core/profiles/run.ts";
import { type FlatColumn, flatColumns } from "../../core/tables/flat-table.ts";
import { selectColumns } from "../../core/tables/table.ts";
import type { Unit } from "../../core/values/unit.ts";
import { growthOf } from "../../math/regression/growth-class.ts";

/** What costs of complexity and trace profiles are related to. */
const size = "structure-unit-size";

/** The metric of a location whose value is the exponent of its growth. */
export const growthMetric = "growth";

interface LocationGrowth {
  readonly location: string;
  /** What a generated workload has besides its size; empty: nothing. */
  readonly workload: Facts;
  readonly growth: Growth;
}

/**
 * How the amounts of each location grow with the size of the structure; locations with too few sizes have none.
 * Workloads of one profile that differ in numbers, or in their names alone, are one another's sizes; those that differ
 * in other words grow each by itself.
 */
export function locationGrowths(run: Run): LocationGrowth[] {
  const has = (name: string): boolean => run.data.variables.some((variable) => variable.name === name);
  const isNumeric = run.data.columns[run.data.variables.findIndex(({ name }) => name === size)]?.kind === "number";
  if (run.data.length === 0 || !isNumeric || !["uid", "amount"].every(has)) return [];
  const workloadAt = workloadsOf(run, ({ name, numeric }) => !numeric && name !== "workload");
  return pointsByKind(run.data, size, "amount", workloadAt).flatMap(({ kind: workload, points: { uid, x, y } }) => {
    const growth = growthOf(x, y);
    return growth === null ? [] : [{ location: uid, workload, growth }];
  });
}

/** All numbers of one kind that a profile has for a location, in their order. */
export interface LocationSample {
  /** The flattened uid. */
  readonly location: string;
  /** The generated workload that it was measured with; empty: none. */
  readonly workload: Facts;
  readonly metric: string;
  readonly unit: Unit | undefined;
  /** Finite; never empty. */
  readonly values: Float64Array;
  /** Where the profile says which values are the better ones. */
  readonly better?: Better;
}

/** Wall clock: of a location that has rows of it, only these count, since user and system time are parts of it. */
const wallClock = "real";

/** A column that is a measurement of its own beside the amounts. */
const peak = "peak-memory";

interface Gathered {
  readonly unit: string;
  readonly better: Better | undefined;
  readonly values: number[];
}

/**
 * The amounts of a profile by location, generated workload and subtype, wall clock as `time`, and the peak memory where
 * it was measured. Rows without location or number are passed over; of one kind numbers in another unit than the first
 * are, too.
 */
export function locationSamples(run: Run): LocationSample[] {
  const has = (name: string): boolean => run.data.variables.some((variable) => variable.name === name);
  if (!has("uid") || !(has("amount") || has(peak))) return [];
  const names = ["uid", "amount", peak, "type", "subtype", "better"].filter(has);
  const columns = new Map(flatColumns(selectColumns(run.data, names)).map((column) => [column.name, column]));
  const found = gathered(run, columns);
  const units = new Map<string, Unit | undefined>();
  const unitOf = (text: string): Unit | undefined => {
    if (!units.has(text)) units.set(text, parsedUnit(text));
    return units.get(text);
  };
  return found.flatMap(({ location, workload, metrics }) => {
    const clock = metrics.get("time");
    const isTime = clock !== undefined;
    return [...metrics].flatMap(([metric, { unit, values, better }]) => {
      const sample = {
        location,
        workload,
        metric,
        unit: unitOf(unit),
        values: Float64Array.from(values),
        ...(better === undefined ? {} : { better }),
      };
      return isTime && metric !== "time" && metric !== peak ? [] : [sample];
    });
  });
}

/** What a profile has of one location and workload, by metric. */
interface Place {
  readonly location: string;
  readonly workload: Facts;
  readonly metrics: Map<string, Gathered>;
}

function gathered(run: Run, columns: ReadonlyMap<string, FlatColumn>): Place[] {
  const placeOf = places();
  const [units, workloadAt] = [unitsOf(run), workloadsOf(run)];
  const [uid, type, subtype] = [columns.get("uid"), columns.get("type"), columns.get("subtype")];
  const measured = ["amount", peak].flatMap((name) => columns.get(name) ?? []);
  for (let row = 0; row < run.data.length; row++) {
    const location = uid?.text(row) ?? "";
    if (location === "") continue;
    const own = placeOf.at(location, workloadAt(row));
    const kind = subtype?.text(row) ?? "";
    for (const column of measured) {
      const value = column.number(row);
      if (!Number.isFinite(value) || (column.name === peak && kind !== "" && kind !== wallClock)) continue;
      const unit = units(column.name, type?.text(row) ?? "", kind);
      add(
        own,
        column.name === peak ? peak : metricOf(kind),
        { unit, better: directions.get(columns.get("better")?.text(row) ?? "") },
        value,
      );
    }
  }
  return placeOf.all;
}

/** Of each location and workload one, in order of first appearance. */
function places(): { readonly all: Place[]; at(location: string, workload: Facts): Map<string, Gathered> } {
  const [all, known] = [[] as Place[], new Map<Facts, Map<string, Place>>()];
  return {
    all,
    at(location, workload) {
      const own = known.get(workload) ?? new Map<string, Place>();
      if (own.size === 0) known.set(workload, own);
      let place = own.get(location);
      if (place === undefined) {
        place = { location, workload, metrics: new Map() };
        own.set(location, place);
        all.push(place);
      }
      return place.metrics;
    },
  };
}

function metricOf(subtype: string): string {
  return subtype === wallClock ? "time" : subtype || "amount";
}

const directions: ReadonlyMap<string, Better> = new Map([
  ["lower", "lower"],
  ["higher", "higher"],
]);

function add(own: Map<string, Gathered>, metric: string, told: Pick<Gathered, "unit" | "better">, value: number): void {
  const known = own.get(metric);
  if (known === undefined) own.set(metric, { ...told, values: [value] });
  else if (known.unit === told.unit) known.values.push(value);
}
