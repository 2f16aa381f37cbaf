import { JsonNumber, type Json, type JsonObject, type Value, type Values } from "../../core/values/index.ts";
import { pointsByUid, pointsBySubtype, type Points, type Run, type Step } from "../../core/profiles/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { numberWithin, option, type PluginInfo } from "../plugin.ts";

/**
 * Derives models or new rows from a run. Pure: does not modify its argument, and is deterministic.
 */
export interface Postprocessor extends PluginInfo {
  readonly kind: "postprocessor";
  /** Name recorded in profiles (Perun's): `regression_analysis`. */
  readonly recorded: string;
  /** Perun's flags with the options they set; `--no-x` disables a boolean option. */
  readonly spellings: Readonly<Record<string, readonly string[]>>;
  /** Options that may be repeated; their values are joined with commas. */
  readonly repeated?: readonly string[];
  readonly modes?: Modes;
  /**
   * Returns the run with appended models or changed rows, and its step appended. `notice` receives messages about
   * skipped locations.
   */
  apply(run: Run, options: Values, notice?: (text: string) => void): Run;
}

/**
 * Modes, Perun's sub-commands: the option that selects one, and the options specific to each.
 */
export interface Modes {
  readonly option: string;
  readonly of: ReadonlyMap<string, readonly string[]>;
  /** Spellings of a mode, which precede those of the postprocessor. */
  readonly spellings?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** Columns that models relate. */
export const keyOptions: readonly Variable[] = [
  option("per-key", "string", "structure-unit-size", "independent column: x of the points"),
  option("of-key", "string", "amount", "dependent column: y of the points"),
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
  "reproduce the results of this program, including its defects",
  ["perun"],
);

/** Points to fit models to, per location and subtype; for Perun per location. */
export function pointsFor(run: Run, options: Values): Points[] {
  const points = options.get("compat") === "perun" ? pointsByUid : pointsBySubtype;
  return points(run.data, String(options.get("per-key")), String(options.get("of-key")));
}

/** `numberWithin`, or null for an omitted option. */
export function maybeNumberWithin(
  plugin: PluginInfo,
  options: Values,
  name: string,
  minimum: number,
  maximum = 1e9,
): number | null {
  return (options.get(name) ?? null) === null ? null : numberWithin(plugin, options, name, minimum, maximum);
}

/** The run with the postprocessor's models and its step appended. */
export function afterStep(plugin: Postprocessor, run: Run, options: Values, models: readonly JsonObject[]): Run {
  const effective = [...options].filter(([name, value]) => value !== null || !["compat", "predict"].includes(name));
  const params = new Map(
    effective.map(([name, value]) => [
      name.replaceAll("-", "_"),
      recorded(value, plugin.repeated?.includes(name) === true),
    ]),
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

/** A number in the number format of its column. */
export function columnNumber(value: number, integers: boolean): JsonNumber {
  return integers && Number.isSafeInteger(value) ? JsonNumber.integer(value) : JsonNumber.float(value);
}

export function floats(values: Float64Array): JsonNumber[] {
  return Array.from(values, (value) => JsonNumber.float(value));
}
