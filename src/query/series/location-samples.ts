import { type FlatColumn, flatColumns } from "../../core/flat-table.ts";
import { parsedUnit, unitsOf } from "../../core/profile-units.ts";
import type { Run } from "../../core/run.ts";
import type { Better } from "../../core/series.ts";
import { selectColumns } from "../../core/table.ts";
import type { Unit } from "../../core/unit.ts";

/** All numbers of one kind that a profile has for a location, in their order. */
export interface LocationSample {
  /** The flattened uid. */
  readonly location: string;
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
 * The amounts of a profile by location and subtype, wall clock as `time`, and the peak memory where it was measured. Rows without location
 * or number are passed over; numbers of one location and metric in another unit than the first are, too.
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
  return [...found].flatMap(([location, metrics]) => {
    const clock = metrics.get("time");
    const isTime = clock !== undefined;
    return [...metrics].flatMap(([metric, { unit, values, better }]) => {
      const sample = {
        location,
        metric,
        unit: unitOf(unit),
        values: Float64Array.from(values),
        ...(better === undefined ? {} : { better }),
      };
      return isTime && metric !== "time" && metric !== peak ? [] : [sample];
    });
  });
}

function gathered(run: Run, columns: ReadonlyMap<string, FlatColumn>): Map<string, Map<string, Gathered>> {
  const found = new Map<string, Map<string, Gathered>>();
  const units = unitsOf(run);
  const [uid, type, subtype] = [columns.get("uid"), columns.get("type"), columns.get("subtype")];
  const measured = ["amount", peak].flatMap((name) => columns.get(name) ?? []);
  for (let row = 0; row < run.data.length; row++) {
    const location = uid?.text(row) ?? "";
    if (location === "") continue;
    const own = found.get(location) ?? new Map<string, Gathered>();
    found.set(location, own);
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
  return found;
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
