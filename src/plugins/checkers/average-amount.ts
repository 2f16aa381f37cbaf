import type { Change, ChangeResult } from "../../core/change.ts";
import { Failure } from "../../core/errors.ts";
import { flatColumns } from "../../core/flat-table.ts";
import { floatText, isObject } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import { selectColumns } from "../../core/table.ts";
import { convertFactor, formatUnit, type Unit } from "../../core/unit.ts";
import type { Values } from "../../core/value.ts";
import type { Variable } from "../../core/variable.ts";
import { mean } from "../../math/moments.ts";
import { roundToEven } from "../../math/rounding.ts";
import { compatOption, type Checker } from "./checker.ts";

const method = "average_amount_threshold";
const threshold = { role: "parameter", occurrence: "once", type: "float" } as const;

const options: readonly Variable[] = [
  { ...threshold, name: "degradation", default: 2, synopsis: "ratio of target to baseline from which on it is a degradation" },
  compatOption,
  { ...threshold, name: "optimization", default: 0.5, synopsis: "ratio of target to baseline up to which it is an optimization" },
];

/** What Perun takes for a mean of zero in the baseline, so that a ratio exists. */
const almostZero = 1e-6;

/** Wall clock: of a location that has rows of it, only these are compared, since user and system time are parts of it. */
const wallClock = "real";

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
  const isPerun = values.get("compat") === "perun";
  const [before, after] = [meansOf(baseline, isPerun), meansOf(target, isPerun)];
  const factor = isPerun ? 1 : factorBetween(target, baseline);
  const common = [...before.keys()].filter((location) => after.has(location)).sort();
  const classify = classifier(values);
  return common.map((location) => {
    const [from, to] = [before.get(location) ?? Number.NaN, after.get(location) ?? Number.NaN];
    const ratio = isPerun ? to / (from === 0 ? almostZero : from) : ratioOf(from, to * factor);
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

/** What an amount of `from` is multiplied with to be one of `to`. Fails with `unit-mismatch` where there is no such factor. */
function factorBetween(from: Run, to: Run): number {
  const [a, b] = [unitText(from), unitText(to)];
  if (a === b) return 1;
  const [source, aim] = [amountUnit(from), amountUnit(to)];
  if (source === undefined || aim === undefined)
    throw new Failure("unit-mismatch", { variable: "amount", from: a || "no unit", to: b || "no unit" });
  return convertFactor(source, aim);
}

/** From nothing to nothing nothing changed; from nothing to something it is infinitely more. Below nothing there is no ratio. */
function ratioOf(from: number, to: number): number {
  if (from < 0 || to < 0) return Number.NaN;
  return from === 0 && to === 0 ? 1 : to / from;
}

/** Perun sees no change where the target has become zero. */
function classifier(values: Values): (ratio: number) => ChangeResult {
  const degradation = Number(values.get("degradation") ?? 2);
  const optimization = Number(values.get("optimization") ?? 0.5);
  const least = values.get("compat") === "perun" ? Number.MIN_VALUE : 0;
  return (ratio) =>
    Number.isNaN(ratio)
      ? "Unknown"
      : ratio >= degradation
        ? "Degradation"
        : ratio >= least && ratio <= optimization
          ? "Optimization"
          : "NoChange";
}

/** Mean amount by flattened uid; rows without amount or uid are passed over. */
function meansOf(run: Run, isPerun: boolean): Map<string, number> {
  const amounts = new Map<string, { wall: number[]; all: number[] }>();
  if (!["uid", "amount"].every((name) => run.data.variables.some((variable) => variable.name === name))) return new Map();
  const names = ["uid", "amount", "subtype"].filter((name) => run.data.variables.some((variable) => variable.name === name));
  const columns = flatColumns(selectColumns(run.data, names));
  const [uid, amount, subtype] = ["uid", "amount", "subtype"].map((name) => columns.find((column) => column.name === name));
  for (let row = 0; row < run.data.length; row++) {
    const [location, value] = [uid?.text(row) ?? "", amount?.number(row) ?? Number.NaN];
    if (location === "" || Number.isNaN(value)) continue;
    const own = amounts.get(location) ?? { wall: [], all: [] };
    amounts.set(location, own);
    own.all.push(value);
    if (!isPerun && subtype?.text(row) === wallClock) own.wall.push(value);
  }
  return new Map([...amounts].map(([location, { wall, all }]) => [location, mean(Float64Array.from(wall.length > 0 ? wall : all))]));
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
  return typeof first === "string" ? first : formatUnit(amountUnit(run));
}

function amountUnit(run: Run): Unit | undefined {
  return run.data.variables.find((variable) => variable.name === "amount")?.unit;
}
