import {
  flatText,
  isObject,
  JsonNumber,
  jsonObject,
  textAt,
  type Json,
  type JsonObject,
} from "../../core/values/index.ts";
import type { NumberColumn, Table } from "../../core/tables/index.ts";
import { groupRows } from "../../formats/profile/index.ts";
import { robustScale, moments, median } from "../../math/descriptive/index.ts";
import { type MachineState, numberOrNull } from "../machine/index.ts";
import type { RunOrder } from "./plan.ts";

/** Dispersion of the repetitions of one subject. */
export interface Scatter {
  readonly uid: string;
  readonly subtype: string | null;
  /** The workload if generated, and the parameters of the rows. */
  readonly workload: string | null;
  readonly repetitions: number;
  readonly mean: number;
  /** Coefficient of variation; null if the mean is 0. */
  readonly variation: number | null;
  /**
   * Repetitions more than 3.5 robust standard deviations from the median (Iglewicz and Hoaglin 1993); null below five
   * repetitions.
   */
  readonly outliers: number | null;
}

/** Reliability of a profile's numbers: dispersion, and load of the machine. */
export interface NoiseReport {
  /** In descending order of mean. */
  readonly subjects: readonly Scatter[];
  readonly load: number | null;
  /** Share of processor time that a hypervisor gave to other guests. */
  readonly stolen: number | null;
  readonly throttled: number | null;
  /** Lowest and highest observed clock rate in MHz. */
  readonly slowest: number | null;
  readonly fastest: number | null;
  /** Processors that the programs were pinned to; null: all. */
  readonly processors: string | null;
  readonly order: RunOrder;
  readonly rounds: number;
}

/** Maximum number of reported subjects: a profile may have thousands of functions. */
const maxSubjects = 32;

const outlierThreshold = 3.5;

const minRepetitions = 5;

/**
 * Dispersion of the repetitions in a table: rows with `amount` and `order` that have equal properties and equal values
 * in the columns `parameters`.
 */
export function scatterOf(table: Table, workload: string | null, parameters: readonly string[] = []): Scatter[] {
  const [amount, order] = ["amount", "order"].map(
    (name) => table.columns[table.variables.findIndex((each) => each.name === name)],
  );
  if (amount?.kind !== "number" || order?.kind !== "number") return [];
  const { types, codes, properties } = table.groups ?? groupRows(table);
  const conditions = conditionLabels(table, parameters);
  const amounts = types.map(() => new Map<string, number[]>());
  for (let row = 0; row < table.length; row++) {
    if (!isPresent(amount, row) || !isPresent(order, row)) continue;
    const [own, key, value] = [amounts[codes[row] ?? 0], conditions(row), amount.values[row] ?? Number.NaN];
    const known = own?.get(key);
    if (known === undefined) own?.set(key, [value]);
    else known.push(value);
  }
  return types.flatMap(({ id }, code) =>
    [...(amounts[code] ?? [])].flatMap(([condition, numbers]) => {
      const of = [workload, condition].filter((word) => word !== null && word !== "").join(" ");
      const names = { ...subjectNames(properties.get(id)), workload: of === "" ? workload : of };
      return numbers.length < 2 ? [] : [{ ...names, ...statisticsOf(Float64Array.from(numbers)) }];
    }),
  );
}

/** Labels such as `N=100 size=4`, of numeric parameters; the others are properties. */
function conditionLabels({ variables, columns }: Table, parameters: readonly string[]): (row: number) => string {
  const numeric = variables.flatMap(({ name }, at) => {
    const column = columns[at];
    return column?.kind === "number" && parameters.includes(name) ? [{ name, column }] : [];
  });
  return (row) =>
    numeric.map(({ name, column }) => (isPresent(column, row) ? `${name}=${column.values[row]}` : name)).join(" ");
}

export function noiseReport(
  scatter: readonly Scatter[],
  state: MachineState,
  settings: Pick<NoiseReport, "processors" | "order" | "rounds">,
): NoiseReport {
  const { load, ticks, stolen, throttled, slowest, fastest } = state;
  const share = stolen === null || ticks === null || ticks === 0 ? null : stolen / ticks;
  const subjects = scatter.toSorted((a, b) => b.mean - a.mean).slice(0, maxSubjects);
  return { subjects, load, stolen: share, throttled, slowest, fastest, ...settings };
}

/** Encodes the report as the region `noise` of a profile. */
export function noiseToJson({ subjects, processors, order, rounds, ...machine }: NoiseReport): JsonObject {
  return jsonObject({
    ...Object.fromEntries(Object.entries(machine).map(([name, value]) => [name, numberOrNull(value)])),
    processors,
    order,
    rounds: JsonNumber.integer(rounds),
    subjects: subjects.map(({ uid, subtype, workload, repetitions, mean, variation, outliers }) =>
      jsonObject({
        uid,
        subtype,
        workload,
        repetitions: JsonNumber.integer(repetitions),
        mean: JsonNumber.float(mean),
        variation: variation === null ? null : JsonNumber.float(variation),
        outliers: numberOrNull(outliers),
      }),
    ),
  });
}

/**
 * A reason to doubt the numbers of a profile. All but `variation` concern the machine, and so probably the next profile
 * too.
 */
export interface NoiseWarning {
  readonly about: "variation" | "heat" | "stolen" | "load";
  readonly text: string;
}

/** Warnings for the user; none if the numbers look sound. `cores`: processors of the machine. */
export function noiseWarnings({ subjects, load, stolen, throttled }: NoiseReport, cores: number): NoiseWarning[] {
  const [main] = subjects;
  const warnings: NoiseWarning[] = [];
  const warn = (about: NoiseWarning["about"], text: string): void => void warnings.push({ about, text });
  if (main !== undefined && main.repetitions >= minRepetitions && (main.variation ?? 0) > 0.05)
    warn(
      "variation",
      `repetitions vary by ${percent(main.variation ?? 0)}, ${main.outliers ?? 0} of ${main.repetitions} are outliers`,
    );
  if ((throttled ?? 0) > 0) warn("heat", `a processor was throttled by heat ${throttled} times`);
  if ((stolen ?? 0) > 0.01) warn("stolen", `${percent(stolen ?? 0)} of processor time was stolen by other guests`);
  if ((load ?? 0) >= cores) warn("load", `the load was ${load} on ${cores} processors at the start`);
  return warnings;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function isPresent(column: NumberColumn, row: number): boolean {
  return column.missing?.[row] !== 1;
}

function subjectNames(properties: Json | undefined): Pick<Scatter, "uid" | "subtype"> {
  const own = isObject(properties) ? properties : new Map<string, Json>();
  return { uid: flatText(own.get("uid") ?? ""), subtype: textAt(own, "subtype") ?? null };
}

function statisticsOf(values: Float64Array): Omit<Scatter, "uid" | "subtype" | "workload"> {
  const { mean, variance } = moments(values);
  const variation = Math.sqrt(variance) / Math.abs(mean);
  return {
    repetitions: values.length,
    mean,
    variation: Number.isFinite(variation) ? variation : null,
    outliers: countOutliers(values),
  };
}

/** Values far from the median, as in `Scatter`; null below five. */
export function countOutliers(values: Float64Array): number | null {
  if (values.length < minRepetitions) return null;
  const middle = median(values);
  const deviations = values.map((value) => value - middle);
  const scale = robustScale(deviations);
  return deviations.filter((deviation) => Math.abs(deviation) > outlierThreshold * scale).length;
}
