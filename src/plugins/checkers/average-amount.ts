import type { Change, ChangeResult } from "../../core/change.ts";
import { flatColumns } from "../../core/flat-table.ts";
import { floatText, isObject } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import { selectColumns } from "../../core/table.ts";
import { formatUnit } from "../../core/unit.ts";
import type { Values } from "../../core/value.ts";
import type { Variable } from "../../core/variable.ts";
import { mean } from "../../math/moments.ts";
import { roundToEven } from "../../math/rounding.ts";
import type { Checker } from "./checker.ts";

const method = "average_amount_threshold";
const threshold = { role: "parameter", occurrence: "once", type: "float" } as const;

const options: readonly Variable[] = [
  { ...threshold, name: "degradation", default: 2, synopsis: "ratio of target to baseline from which on it is a degradation" },
  { ...threshold, name: "optimization", default: 0.5, synopsis: "ratio of target to baseline up to which it is an optimization" },
];

/** Stands for a mean of zero in the baseline, so that a ratio exists (Perun's choice). */
const almostZero = 1e-6;

/** Compares the mean amounts of each location by fixed thresholds: coarse, but right for any kind of data. */
export const averageAmount = Object.freeze<Checker>({
  kind: "checker",
  name: "average-amount",
  aliases: ["average_amount_threshold", "average-amount-threshold", "aat"],
  synopsis: "ratio of mean amounts per location",
  options,
  method,
  check,
});

function check(baseline: Run, target: Run, values: Values): readonly Change[] {
  const [before, after] = [meansOf(baseline), meansOf(target)];
  const common = [...before.keys()].filter((location) => after.has(location)).sort();
  const classify = classifier(values);
  return common.map((location) => {
    const [from, to] = [before.get(location) ?? Number.NaN, after.get(location) ?? Number.NaN];
    const ratio = to / (from === 0 ? almostZero : from);
    return {
      location,
      result: classify(ratio),
      type: String(target.fixed.get("type") ?? "-"),
      from: amountText(from, baseline),
      to: amountText(to, target),
      rate: ratio,
      relativeRate: 0,
      confidence: { type: "no", rate: 0 },
      method,
    };
  });
}

function classifier(values: Values): (ratio: number) => ChangeResult {
  const degradation = Number(values.get("degradation") ?? 2);
  const optimization = Number(values.get("optimization") ?? 0.5);
  return (ratio) => (ratio >= degradation ? "Degradation" : ratio > 0 && ratio <= optimization ? "Optimization" : "NoChange");
}

/** Mean amount by flattened uid; rows without amount or uid are passed over. */
function meansOf(run: Run): Map<string, number> {
  const amounts = new Map<string, number[]>();
  if (!["uid", "amount"].every((name) => run.data.variables.some((variable) => variable.name === name))) return new Map();
  const columns = flatColumns(selectColumns(run.data, ["uid", "amount"]));
  const [uid, amount] = ["uid", "amount"].map((name) => columns.find((column) => column.name === name));
  for (let row = 0; row < run.data.length; row++) {
    const [location, value] = [uid?.text(row) ?? "", amount?.number(row) ?? Number.NaN];
    if (location === "" || Number.isNaN(value)) continue;
    const own = amounts.get(location);
    if (own === undefined) amounts.set(location, [value]);
    else own.push(value);
  }
  return new Map([...amounts].map(([location, own]) => [location, mean(Float64Array.from(own))]));
}

/** `93.0ms`: rounded to two decimals and spelled as Python does, with the unit of the amounts. */
function amountText(value: number, run: Run): string {
  return floatText(roundToEven(value, 2)) + unitText(run);
}

/** The first unit of a profile's header as it is written there; else that of the amounts. */
function unitText(run: Run): string {
  const header = run.extra.get("header");
  const units = isObject(header) ? header.get("units") : undefined;
  const first = isObject(units) ? [...units.values()][0] : undefined;
  return typeof first === "string" ? first : formatUnit(run.data.variables.find((variable) => variable.name === "amount")?.unit);
}
