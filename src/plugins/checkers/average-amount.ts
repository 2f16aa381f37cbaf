import { percentText, type Change } from "../../core/verdicts/index.ts";
import { floatText, isObject, formatUnit, type Values } from "../../core/values/index.ts";
import { commonParameters, kindNames, type Run } from "../../core/profiles/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { mean } from "../../math/descriptive/index.ts";
import { roundToEven } from "../../math/numerics/index.ts";
import { compatOption, type Checker } from "./checker.ts";
import { type Amounts, amountsBy, factorBetween, withoutDerived, withoutParts } from "./models/amounts-by-kind.ts";

const method = "average_amount_threshold";
const threshold = { role: "parameter", occurrence: "once", type: "float" } as const;

const options: readonly Variable[] = [
  {
    ...threshold,
    name: "degradation",
    default: 2,
    synopsis: "minimum ratio of target to baseline for a degradation",
  },
  compatOption,
  {
    ...threshold,
    name: "optimization",
    default: 0.5,
    synopsis: "maximum ratio of target to baseline for an optimization",
  },
];

/** Perun's substitute for a baseline mean of zero, which makes the ratio finite. */
const almostZero = 1e-6;

/** Compares mean amounts per location with fixed thresholds: coarse, but valid for any data. */
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
  const type = String(target.fixed.get("type") ?? "-");
  const constant = { type, relativeRate: 0, confidence: { type: "no", rate: 0 }, method };
  const pairs = isPerun ? likePerun(baseline, target) : byKind(baseline, target);
  const classify = classifier(values);
  return pairs
    .toSorted((a, b) => (a.location < b.location ? -1 : 1))
    .map(({ location, ratio, isRate, from, to }) => ({
      location,
      // Higher is better: half the throughput is twice as bad.
      ...classify(isRate ? 1 / ratio : ratio, ratio),
      from: amountText(from.mean, from.unit),
      to: amountText(to.mean, to.unit),
      rate: ratio,
      ...constant,
    }));
}

interface Mean {
  readonly mean: number;
  readonly unit: string;
}

/** Means of one kind of rows on both sides. */
interface Pair {
  readonly location: string;
  readonly from: Mean;
  readonly to: Mean;
  readonly ratio: number;
  /** True when higher is better. */
  readonly isRate: boolean;
}

/** Perun averages all amounts of a location, regardless of their kind. */
function likePerun(baseline: Run, target: Run): Pair[] {
  const [before, after] = [baseline, target].map((run) => amountsBy(run, [], (kind) => kind.uid));
  const [unit, other] = [unitText(baseline), unitText(target)];
  return [...(before ?? [])].flatMap(([location, { values }]) => {
    const [from, others] = [mean(values), after?.get(location)?.values];
    if (others === undefined) return [];
    const to = mean(others);
    const ratio = to / (from === 0 ? almostZero : from);
    return [{ location, from: { mean: from, unit }, to: { mean: to, unit: other }, ratio, isRate: false }];
  });
}

/** Pairs rows of the same location, quantity and parameters. */
function byKind(baseline: Run, target: Run): Pair[] {
  const parameters = commonParameters(baseline, target);
  const amountsOf = (run: Run): ReadonlyMap<string, Amounts> =>
    withoutParts(withoutDerived(run, amountsBy(run, parameters)));
  const [before, after] = [amountsOf(baseline), amountsOf(target)];
  const names = kindNames([...before.values(), ...after.values()].map(({ kind }) => kind));
  return [...after].flatMap(([key, { kind, values }]) => {
    const own = before.get(key);
    if (own === undefined) return [];
    const [from, to] = [mean(own.values), mean(values)];
    const ratio = ratioOf(from, to * factorBetween(kind.unit, own.kind.unit));
    const sides = { from: { mean: from, unit: own.kind.unit }, to: { mean: to, unit: kind.unit } };
    return [{ location: names.get(key) ?? kind.uid, ...sides, ratio, isRate: kind.better === "higher" }];
  });
}

/**
 * The ratio of two amounts: 1 for two zeros, infinite for a baseline of zero, NaN for negative amounts.
 */
function ratioOf(from: number, to: number): number {
  if (from < 0 || to < 0) return Number.NaN;
  return from === 0 && to === 0 ? 1 : to / from;
}

/** Smaller changes are not reported as possible ones (Perun's ladder). */
const leastPossible = 0.1;

/**
 * The result for a ratio, turned so that more is worse, and for the ratio as measured. A change below the limits is a
 * possible one, with its size, except for Perun, which also reports no change for a target of zero.
 */
function classifier(values: Values): (ratio: number, measured: number) => Pick<Change, "result" | "note"> {
  const degradation = Number(values.get("degradation") ?? 2);
  const optimization = Number(values.get("optimization") ?? 0.5);
  const isPerun = values.get("compat") === "perun";
  const minimum = isPerun ? Number.MIN_VALUE : 0;
  return (ratio, measured) => {
    if (Number.isNaN(ratio)) return { result: "Unknown" };
    if (ratio >= degradation) return { result: "Degradation" };
    if (ratio >= minimum && ratio <= optimization) return { result: "Optimization" };
    if (isPerun || ratio === 1) return { result: "NoChange" };
    const note = `${percentText(measured - 1)}, below the limit of ${ratio > 1 ? degradation : optimization}x`;
    const isPossible = Math.max(ratio, 1 / ratio) >= 1 + leastPossible;
    return { result: isPossible ? (ratio > 1 ? "MaybeDegradation" : "MaybeOptimization") : "NoChange", note };
  };
}

/** `93.0ms`: rounded to two decimals in Python's format, with the unit. */
function amountText(value: number, unit: string): string {
  return floatText(roundToEven(value, 2)) + unit;
}

/** The first unit of a profile's header, unparsed; else that of the amounts. */
function unitText(run: Run): string {
  const header = run.extra.get("header");
  const units = isObject(header) ? header.get("units") : undefined;
  const first = isObject(units) ? [...units.values()][0] : undefined;
  return typeof first === "string"
    ? first
    : formatUnit(run.data.variables.find((variable) => variable.name === "amount")?.unit);
}
