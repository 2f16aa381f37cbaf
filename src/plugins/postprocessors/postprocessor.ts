import { JsonNumber, type Json, type JsonObject } from "../../core/values/json.ts";
import { pointsByUid, pointsBySubtype, type Points } from "../../core/profiles/location-points.ts";
import type { Run, Step } from "../../core/profiles/run.ts";
import type { Value, Values } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { numberWithin, option, type PluginInfo } from "../plugin.ts";

/**
 * Derives something from a run: models fitted to its rows, or other rows. Pure: the run given is untouched, equal
 * arguments give equal runs.
 */
export interface Postprocessor extends PluginInfo {
  readonly kind: "postprocessor";
  /** The name that profiles record (Perun's): `regression_analysis`. */
  readonly recorded: string;
  /** Perun's flags, each with the options that its words go to; `--no-x` for a switch that is off. */
  readonly spellings: Readonly<Record<string, readonly string[]>>;
  /** The options that may be given several times; their contents are joined by commas. */
  readonly repeated?: readonly string[];
  readonly modes?: Modes;
  /**
   * The run with models appended or rows changed, and with the step at its end. `notice` hears of locations that were
   * passed over.
   */
  apply(run: Run, options: Values, notice?: (text: string) => void): Run;
}

/**
 * Ways to work, Perun's sub-commands: the option that names one, and for each the options that only some of them have.
 */
export interface Modes {
  readonly option: string;
  readonly of: ReadonlyMap<string, readonly string[]>;
}

/** The columns that models relate to each other. */
export const keyOptions: readonly Variable[] = [
  option("per-key", "string", "structure-unit-size", "the column to relate to: the x of points"),
  option("of-key", "string", "amount", "the column that is explained: the y of points"),
];

export const keySpellings = {
  "-per": ["per-key"],
  "--per-key": ["per-key"],
  "-of": ["of-key"],
  "--of-key": ["of-key"],
} as const;

export const compatOption = option(
  "compat",
  "string",
  null,
  "that program's numbers also where they rest on a defect",
  ["perun"],
);

/** What models are fitted to: the points of each location and subtype; of each location for Perun. */
export function pointsFor(run: Run, options: Values): Points[] {
  const points = options.get("compat") === "perun" ? pointsByUid : pointsBySubtype;
  return points(run.data, String(options.get("per-key")), String(options.get("of-key")));
}

/** `numberWithin`, or null where it is left to the program. */
export function maybeNumberWithin(
  plugin: PluginInfo,
  options: Values,
  name: string,
  least: number,
  most = 1e9,
): number | null {
  return (options.get(name) ?? null) === null ? null : numberWithin(plugin, options, name, least, most);
}

/** The run after the postprocessor: its models behind those that were there, and the step that tells of it. */
export function afterStep(plugin: Postprocessor, run: Run, options: Values, models: readonly JsonObject[]): Run {
  const told = [...options].filter(([name, value]) => name !== "compat" || value !== null);
  const params = new Map(
    told.map(([name, value]) => [name.replaceAll("-", "_"), recorded(value, plugin.repeated?.includes(name) === true)]),
  );
  const step: Step = { kind: "postprocessor", name: plugin.recorded, params };
  return { ...run, models: [...run.models, ...models], steps: [...run.steps, step] };
}

function recorded(value: Value, isList: boolean): Json {
  if (isList && typeof value === "string") return value.split(",");
  return typeof value === "number" || typeof value === "bigint" ? numberOf(value) : value;
}

function numberOf(value: number | bigint): JsonNumber {
  return typeof value === "bigint" || Number.isSafeInteger(value) ? JsonNumber.integer(value) : JsonNumber.float(value);
}

/** A number of a column as the column spells its numbers. */
export function spelled(value: number, integers: boolean): JsonNumber {
  return integers && Number.isSafeInteger(value) ? JsonNumber.integer(value) : JsonNumber.float(value);
}

export function floats(values: Float64Array): JsonNumber[] {
  return Array.from(values, (value) => JsonNumber.float(value));
}
