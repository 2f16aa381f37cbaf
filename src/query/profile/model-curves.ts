import {
  flatText,
  isList,
  isObject,
  JsonNumber,
  textAt,
  type Json,
  type JsonObject,
  type Value,
} from "../../core/values/index.ts";
import { locationName } from "../../core/profiles/index.ts";
import { tableOf, type Table } from "../../core/tables/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { valuesOf } from "./selected-rows.ts";
import { textsOf } from "./quantities.ts";

/** Points per formula, ends included. */
const pointsOfFormula = 51;

const described = { occurrence: "multiple" } as const;

const variables: readonly Variable[] = [
  { ...described, role: "parameter", name: "model", type: "integer" },
  { ...described, role: "parameter", name: "uid", type: "text" },
  { ...described, role: "parameter", name: "kind", type: "text" },
  { ...described, role: "parameter", name: "x", type: "float" },
  { ...described, role: "result", name: "y", type: "float" },
];

const formulas: Readonly<Record<string, (x: number, b: readonly number[]) => number>> = {
  constant: (_, [b0 = 0]) => b0,
  linear: (x, [b0 = 0, b1 = 0]) => b0 + b1 * x,
  quadratic: (x, [b0 = 0, b1 = 0, b2 = 0]) => b0 + b1 * x + b2 * x * x,
  logarithmic: (x, [b0 = 0, b1 = 0]) => b0 + b1 * Math.log(x),
  power: (x, [b0 = 0, b1 = 0]) => b0 * x ** b1,
  exponential: (x, [b0 = 0, b1 = 0]) => b0 * b1 ** x,
};

/**
 * The curves of models as points: 51 over the interval of a formula; the bucket ends of a regressogram; for smoothed
 * curves the positions of their rows in `resources` (flat), if still present, else equal distances. `model`: index
 * among all models.
 */
export function modelCurves(models: readonly Json[], resources: Table): Table {
  const rows = models.flatMap((model, at): Value[][] => {
    if (!isObject(model)) return [];
    const [uid, kind] = [flatText(model.get("uid") ?? ""), textAt(model, "model") ?? ""];
    const subtype = textAt(model, "subtype");
    const name = locationName(subtype === undefined ? { uid } : { uid, subtype });
    return curveOf(model, uid, resources).map(([x, y]) => [at, name, kind, x, y]);
  });
  return tableOf(variables, rows);
}

type Point = readonly [x: number, y: number];

function curveOf(model: JsonObject, uid: string, resources: Table): Point[] {
  const [start, end] = [numberAt(model, "x_start"), numberAt(model, "x_end")];
  const stats = model.get("bucket_stats");
  const formula = Object.hasOwn(formulas, textAt(model, "model") ?? "") ? formulas[textAt(model, "model")!] : undefined;
  if (!Number.isFinite(start) || !Number.isFinite(end)) return [];
  if (formula !== undefined)
    return spread(start, end, pointsOfFormula).map((x): Point => [x, formula(x, coefficientsOf(model))]);
  if (!isList(stats)) return [];
  const y = stats.map((each) => (each instanceof JsonNumber ? each.value : Number.NaN));
  if (textAt(model, "model") === "regressogram") {
    return spread(start, end, y.length + 1).map((x, at): Point => [
      x,
      at === 0 ? numberAt(model, "y_start") : y[at - 1]!,
    ]);
  }
  const positions = positionsOf(resources, textAt(model, "per_key") ?? "", uid, textAt(model, "subtype"));
  const x = positions.length === y.length ? positions : spread(start, end, y.length);
  return x.map((each, at): Point => [each, y[at]!]);
}

function spread(start: number, end: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => start + ((end - start) * at) / Math.max(1, count - 1));
}

function positionsOf(resources: Table, per: string, uid: string, subtype: string | undefined): number[] {
  if (!["uid", per].every((name) => resources.variables.some((variable) => variable.name === name))) return [];
  const [own, position] = [valuesOf(resources, "uid"), valuesOf(resources, per)];
  const [event, kind] = [textsOf(resources, "event"), textsOf(resources, "subtype")];
  const isOf = (row: number): boolean => subtype === undefined || (event(row) || kind(row)) === subtype;
  const rows = Array.from({ length: resources.length }, (_, row) => row).filter((row) => own(row) === uid && isOf(row));
  return rows
    .map((row) => Number(position(row) ?? Number.NaN))
    .filter(Number.isFinite)
    .toSorted((a, b) => a - b);
}

/** `coeffs` is a list of names and values, b0, b1, …. */
function coefficientsOf(model: JsonObject): number[] {
  const list = model.get("coeffs");
  const named = new Map(
    (isList(list) ? list : []).map((each) => [textAt(each, "name") ?? "", numberAt(each, "value")]),
  );
  return ["b0", "b1", "b2"].map((name) => named.get(name) ?? 0);
}

function numberAt(json: Json, name: string): number {
  const value = isObject(json) ? json.get(name) : undefined;
  return value instanceof JsonNumber ? value.value : Number.NaN;
}
