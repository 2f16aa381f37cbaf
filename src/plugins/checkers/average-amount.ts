import type { Change, ChangeResult } from "../../core/verdicts/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { flatColumns, selectColumns } from "../../core/tables/index.ts";
import { floatText, isObject, convertFactor, formatUnit, type Values } from "../../core/values/index.ts";
import {
  parsedUnit,
  commonParameters,
  kindNames,
  rowKinds,
  type RowKind,
  type Run,
} from "../../core/profiles/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { mean } from "../../math/descriptive/index.ts";
import { roundToEven } from "../../math/numerics/index.ts";
import { compatOption, type Checker } from "./checker.ts";

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

/** Subtypes that are not compared at locations with wall clock (`real`). */
const partsOfTime = ["user", "sys"];

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
      result: classify(isRate ? 1 / ratio : ratio),
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
  const [before, after] = [baseline, target].map((run) => meansBy(run, [], (kind) => kind.uid));
  const [unit, other] = [unitText(baseline), unitText(target)];
  return [...(before ?? [])].flatMap(([location, { mean: from }]) => {
    const to = after?.get(location)?.mean;
    if (to === undefined) return [];
    const ratio = to / (from === 0 ? almostZero : from);
    return [{ location, from: { mean: from, unit }, to: { mean: to, unit: other }, ratio, isRate: false }];
  });
}

/** Pairs rows of the same location, quantity and parameters. */
function byKind(baseline: Run, target: Run): Pair[] {
  const parameters = commonParameters(baseline, target);
  const [before, after] = [baseline, target].map((run) =>
    withoutParts(meansBy(run, parameters, (kind) => kind.key)),
  ) as [Means, Means];
  const names = kindNames([...before.values(), ...after.values()].map(({ kind }) => kind));
  return [...after].flatMap(([key, { kind, mean: to }]) => {
    const from = before.get(key);
    if (from === undefined) return [];
    const ratio = ratioOf(from.mean, to * factorBetween(kind.unit, from.kind.unit));
    const sides = { from: { mean: from.mean, unit: from.kind.unit }, to: { mean: to, unit: kind.unit } };
    return [{ location: names.get(key) ?? kind.uid, ...sides, ratio, isRate: kind.better === "higher" }];
  });
}

type Means = ReadonlyMap<string, { readonly kind: RowKind; readonly mean: number }>;

function withoutParts(means: Means): Means {
  const clocks = new Set(
    [...means.values()].filter(({ kind }) => kind.facts.get("subtype") === "real").map(({ kind }) => kind.uid),
  );
  return new Map(
    [...means].filter(
      ([, { kind }]) => !(clocks.has(kind.uid) && partsOfTime.includes(kind.facts.get("subtype") ?? "")),
    ),
  );
}

/**
 * Conversion factor from unit `from` to `to`. Fails with `unit-mismatch` when there is none.
 */
function factorBetween(from: string, to: string): number {
  if (from === to) return 1;
  const [source, destination] = [parsedUnit(from), parsedUnit(to)];
  if (source === undefined || destination === undefined)
    throw new Failure("unit-mismatch", { variable: "amount", from: from || "no unit", to: to || "no unit" });
  return convertFactor(source, destination);
}

/**
 * The ratio of two amounts: 1 for two zeros, infinite for a baseline of zero, NaN for negative amounts.
 */
function ratioOf(from: number, to: number): number {
  if (from < 0 || to < 0) return Number.NaN;
  return from === 0 && to === 0 ? 1 : to / from;
}

/** Perun reports no change for a target of zero. */
function classifier(values: Values): (ratio: number) => ChangeResult {
  const degradation = Number(values.get("degradation") ?? 2);
  const optimization = Number(values.get("optimization") ?? 0.5);
  const minimum = values.get("compat") === "perun" ? Number.MIN_VALUE : 0;
  return (ratio) =>
    Number.isNaN(ratio)
      ? "Unknown"
      : ratio >= degradation
        ? "Degradation"
        : ratio >= minimum && ratio <= optimization
          ? "Optimization"
          : "NoChange";
}

/** Mean amounts; rows without amount or uid are skipped. */
function meansBy(run: Run, parameters: readonly string[], keyOf: (kind: RowKind) => string): Means {
  const amounts = new Map<string, { readonly kind: RowKind; readonly values: number[] }>();
  if (!run.data.variables.some((variable) => variable.name === "amount")) return new Map();
  const amount = flatColumns(selectColumns(run.data, ["amount"])).find((column) => column.name === "amount");
  const kindAt = rowKinds(run, parameters);
  for (let row = 0; row < run.data.length; row++) {
    const [kind, value] = [kindAt(row), amount?.number(row) ?? Number.NaN];
    if (kind === null || Number.isNaN(value)) continue;
    const key = keyOf(kind);
    const own = amounts.get(key);
    if (own === undefined) amounts.set(key, { kind, values: [value] });
    else own.values.push(value);
  }
  return new Map([...amounts].map(([key, { kind, values }]) => [key, { kind, mean: mean(Float64Array.from(values)) }]));
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
