import { flattenMembers, flatText, isObject, JsonNumber, textAt, type Json, type JsonObject } from "../values/index.ts";
import { locationName } from "./location-points.ts";
import type { Run } from "./run.ts";

/** The models with a formula. */
export const formulaNames = ["constant", "exponential", "linear", "logarithmic", "power", "quadratic"] as const;

export type FormulaName = (typeof formulaNames)[number];

interface Fit {
  /** The flattened uid of the location; `uid [subtype]` if each subtype of the location has its own models. */
  readonly uid: string;
  /** Explained share of the variance; NaN if the record has none. */
  readonly rSquared: number;
  /** The interval of x that it was fitted to. */
  readonly start: number;
  readonly end: number;
}

/** A formula with its coefficients b0, b1, b2. */
export interface FormulaModel extends Fit {
  readonly kind: "formula";
  readonly name: FormulaName;
  readonly coefficients: readonly number[];
}

/** Values at equal distances over the interval: a regressogram, a moving average, a kernel regression. */
export interface SampledModel extends Fit {
  readonly kind: "sampled";
  readonly name: string;
  readonly values: Float64Array;
  /** The related columns and the statistic, from which it can be fitted again. */
  readonly perKey: string;
  readonly ofKey: string;
  readonly statistic: "mean" | "median";
}

export type Model = FormulaModel | SampledModel;

/** The fitted models of a run; other records are skipped. */
export function modelsOf(run: Run): Model[] {
  return run.models.flatMap((record) => (isObject(record) ? (modelOf(record) ?? []) : []));
}

function modelOf(record: JsonObject): Model | undefined {
  const name = textAt(record, "model") ?? "";
  const fit = {
    uid: locationIn(record),
    rSquared: numberAt(record, "r_square"),
    start: numberAt(record, "x_start"),
    end: numberAt(record, "x_end"),
  };
  if (fit.uid === "" || !(fit.end >= fit.start)) return undefined;
  const formula = formulaNames.find((known) => known === name);
  if (formula !== undefined)
    return { ...fit, kind: "formula", name: formula, coefficients: coefficientsOf(record.get("coeffs")) };
  const values = record.get("bucket_stats");
  return Array.isArray(values) && values.length > 0 && name !== "" ? sampled(record, name, fit, values) : undefined;
}

function sampled(record: JsonObject, name: string, fit: Fit, values: readonly Json[]): SampledModel {
  return {
    ...fit,
    kind: "sampled",
    name,
    values: Float64Array.from(values, numberOf),
    perKey: textAt(record, "per_key") ?? "structure-unit-size",
    ofKey: textAt(record, "of_key") ?? "amount",
    statistic: textAt(record, "statistic_function") === "median" ? "median" : "mean",
  };
}

function locationIn(record: JsonObject): string {
  const [uid, subtype] = [uidOf(record.get("uid")), textAt(record, "subtype")];
  return uid === "" || subtype === undefined ? uid : locationName({ uid, subtype });
}

/** The flattened uid, as in the rows of a profile. */
function uidOf(uid: Json | undefined): string {
  if (uid === undefined) return "";
  const flat = new Map(flattenMembers(new Map([["uid", uid]]))).get("uid");
  return flat === undefined ? "" : flatText(flat);
}

/** b0, b1, …, by name; 0 for a missing one. */
function coefficientsOf(list: Json | undefined): number[] {
  const named = new Map(
    Array.isArray(list)
      ? list.filter(isObject).map((each): [string, number] => [textAt(each, "name") ?? "", numberOf(each.get("value"))])
      : [],
  );
  return ["b0", "b1", "b2"].map((name) => named.get(name) ?? 0);
}

function numberAt(record: JsonObject, key: string): number {
  return numberOf(record.get(key));
}

function numberOf(value: Json | undefined): number {
  return value instanceof JsonNumber ? value.value : Number.NaN;
}
