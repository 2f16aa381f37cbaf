import { Failure, isFailure } from "../../../core/failures/index.ts";
import type { NamedMetric } from "../../../core/measurements/index.ts";
import {
  commonParameters,
  derivedQuantities,
  kindNames,
  measuringSession,
  parsedUnit,
  rowKinds,
  subjectLocations,
  type RowKind,
  type Run,
} from "../../../core/profiles/index.ts";
import { flatColumns, selectColumns } from "../../../core/tables/index.ts";
import { convertFactor, groupBy } from "../../../core/values/index.ts";
import { sum } from "../../../math/descriptive/index.ts";

/** Amounts of one kind of rows, in the order of the rows. */
export interface Amounts {
  readonly kind: RowKind;
  readonly values: Float64Array;
  /** Of a sampled profile: the number of samples, and how many times more it varies between repetitions than chance. */
  readonly sampled?: Sampled;
}

export interface Sampled {
  readonly count: number;
  readonly dispersion: number;
}

/** Amounts by key; rows without amount or uid are skipped. `parameters`: columns that distinguish kinds. */
export function amountsBy(
  run: Run,
  parameters: readonly string[],
  keyOf: (kind: RowKind) => string = (kind) => kind.key,
): ReadonlyMap<string, Amounts> {
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
  return new Map([...amounts].map(([key, { kind, values }]) => [key, { kind, values: Float64Array.from(values) }]));
}

/**
 * Like `amountsBy`. A sampled profile (column `samples`, or amounts in samples) has a row for each stack and
 * repetition: its amounts become one value, the mean over the repetitions of the sum of the stacks, where a repetition
 * without a sample counts as zero.
 */
function levelAmountsBy(run: Run, parameters: readonly string[]): ReadonlyMap<string, Amounts> {
  const names = ["amount", "samples", "order"].filter((name) =>
    run.data.variables.some((variable) => variable.name === name),
  );
  const columns = flatColumns(selectColumns(run.data, names));
  const [amount, samples, order] = ["amount", "samples", "order"].map((name) =>
    columns.find((column) => column.name === name),
  );
  const kindAt = rowKinds(run, parameters);
  const found = new Map<string, { readonly kind: RowKind; total: number; readonly counts: Map<number, number> }>();
  const repetitions = new Set<number>();
  for (let row = 0; row < run.data.length; row++) {
    const kind = kindAt(row);
    if (kind === null || amount === undefined) return amountsBy(run, parameters);
    const value = amount.number(row);
    const count = kind.unit === "sample" ? value : (samples?.number(row) ?? Number.NaN);
    const repetition = order?.number(row) ?? 1;
    if (!(count >= 0) || !(value >= 0) || Number.isNaN(repetition)) return amountsBy(run, parameters);
    repetitions.add(repetition);
    const own = found.get(kind.key) ?? { kind, total: 0, counts: new Map<number, number>() };
    found.set(kind.key, own);
    own.total += value;
    own.counts.set(repetition, (own.counts.get(repetition) ?? 0) + count);
  }
  return new Map(
    [...found].map(([key, { kind, total, counts }]) => [
      key,
      { kind, values: Float64Array.of(total / repetitions.size), sampled: sampledBy(counts, repetitions.size) },
    ]),
  );
}

/** The index of dispersion of the counts of repetitions: 1 for random samples of a constant cost. */
function sampledBy(counts: ReadonlyMap<number, number>, repetitions: number): Sampled {
  const count = [...counts.values()].reduce((sum, each) => sum + each, 0);
  if (repetitions < 2 || count === 0) return { count, dispersion: 1 };
  const mean = count / repetitions;
  const present = [...counts.values()].reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const squares = present + (repetitions - counts.size) * mean ** 2;
  return { count, dispersion: Math.max(1, squares / (repetitions - 1) / mean) };
}

export type SampledPair = readonly [after: Sampled, before: Sampled];

/** Fewer samples in both profiles hide any change below a factor of about three. */
const fewestSamples = 10;

export function tooFewSamples(pair: SampledPair | undefined): string | undefined {
  if (pair === undefined || pair.some(({ count }) => count >= fewestSamples)) return undefined;
  return `${pair[1].count} and ${pair[0].count} samples are too few`;
}

/** The noise between sampled profiles; that within a single one is the error of its samples. */
export const sampledNoise = { between: 0.025, single: 0.025 };

/**
 * The standard error of the logarithm of a ratio of sampled costs: counts of samples vary as those of random events
 * (Poisson), times their dispersion between repetitions.
 */
export function samplingError(pair: SampledPair | undefined): number {
  if (pair === undefined) return 0;
  const dispersion = Math.max(...pair.map((each) => each.dispersion));
  return Math.sqrt(pair.reduce((variance, { count }) => variance + dispersion / Math.max(count, 1), 0));
}

/** Subtypes that are not compared at locations with wall clock (`real`). */
const partsOfTime = ["user", "sys"];

/** Without the parts of a wall clock. */
export function withoutParts<T extends { readonly kind: RowKind }>(all: ReadonlyMap<string, T>): Map<string, T> {
  const clocks = new Set(
    [...all.values()].filter(({ kind }) => kind.facts.get("subtype") === "real").map(({ kind }) => kind.uid),
  );
  return new Map(
    [...all].filter(([, { kind }]) => !(clocks.has(kind.uid) && partsOfTime.includes(kind.facts.get("subtype") ?? ""))),
  );
}

/** Without the quantities of benchmark results that only describe others (`derivedQuantities`). */
export function withoutDerived<T extends { readonly kind: RowKind }>(
  run: Run,
  all: ReadonlyMap<string, T>,
): ReadonlyMap<string, T> {
  const derivedOf = derivedQuantities(run);
  const together = groupBy([...all], ([, { kind }]) => partKey(kind, ""));
  return new Map(
    [...together.values()].flatMap((own) => {
      const derived = derivedOf(own.map(([, { kind }]) => metricOf(kind)));
      return own.filter(([, { kind }]) => !derived.has(metricOf(kind).name));
    }),
  );
}

function metricOf({ facts, unit, better, isDirected }: RowKind): NamedMetric {
  return { name: facts.get("subtype") ?? "", unit: parsedUnit(unit), better: isDirected ? better : undefined };
}

/** User plus system time of each repetition, under the key and kind of the wall clock that it was measured with. */
export function cpuTimes(all: ReadonlyMap<string, Amounts>): Map<string, Amounts> {
  const parts = new Map([...all.values()].map((amounts) => [partKey(amounts.kind), amounts]));
  return new Map(
    [...all].flatMap(([key, { kind }]) => {
      if (kind.facts.get("subtype") !== "real") return [];
      const [user, sys] = partsOfTime.map((part) => parts.get(partKey(kind, part)));
      if (user === undefined || sys === undefined || user.kind.unit !== sys.kind.unit) return [];
      if (user.values.length !== sys.values.length) return [];
      const values = user.values.map((value, at) => value + sys.values[at]!);
      return [[key, { kind: { ...kind, unit: user.kind.unit }, values }] as const];
    }),
  );
}

function partKey({ uid, facts }: RowKind, subtype: string | undefined = facts.get("subtype")): string {
  const others = [...facts].filter(([name]) => name !== "subtype").toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([uid, subtype ?? "", others]);
}

/**
 * Conversion factor from unit `from` to `to`. Fails with `unit-mismatch` when there is none.
 */
export function factorBetween(from: string, to: string): number {
  if (from === to) return 1;
  const [source, destination] = [parsedUnit(from), parsedUnit(to)];
  if (source === undefined || destination === undefined)
    throw new Failure("unit-mismatch", { variable: "amount", from: from || "no unit", to: to || "no unit" });
  return convertFactor(source, destination);
}

/** One kind of rows: its values in the target, the baseline and earlier profiles, in the unit of the baseline. */
export interface LevelSubject {
  readonly location: string;
  /** The location in keys of subjects. */
  readonly subject: string;
  readonly kind: RowKind;
  readonly profiles: readonly [after: Float64Array, before: Float64Array, ...earlier: Float64Array[]];
  /** Equal positions of target and baseline were measured in the same round of a run. */
  readonly isPaired: boolean;
  /** Of two sampled profiles. */
  readonly sampled?: SampledPair;
}

/** Fewer pairs say less than the noise of the history. */
const fewestPairs = 5;

/** `select`: the amounts to judge, of those in a profile. */
export function levelSubjects(
  baseline: Run,
  target: Run,
  history: readonly Run[],
  select: (all: ReadonlyMap<string, Amounts>) => ReadonlyMap<string, Amounts>,
): LevelSubject[] {
  const parameters = commonParameters(baseline, target);
  const read = (run: Run): ReadonlyMap<string, Amounts> => select(withoutDerived(run, levelAmountsBy(run, parameters)));
  const [before, after, ...earlier] = [baseline, target, ...history.slice(1)].map(read) as [
    ReadonlyMap<string, Amounts>,
    ReadonlyMap<string, Amounts>,
    ...ReadonlyMap<string, Amounts>[],
  ];
  const session = measuringSession(target);
  const isShared = session !== null && session === measuringSession(baseline);
  const kinds = [...before.values(), ...after.values()].map(({ kind }) => kind);
  const [names, subjects] = [kindNames(kinds), subjectLocations(kinds)];
  return [...after].flatMap(([key, own]) => {
    const base = before.get(key);
    if (base === undefined) return [];
    const others = earlier.flatMap((each) => convertible(each.get(key), base.kind.unit));
    const profiles = [converted(own, base.kind.unit), base.values, ...others].map((values) =>
      levelValues(values, String(target.fixed.get("type") ?? "")),
    ) as [Float64Array, Float64Array, ...Float64Array[]];
    const sampled = own.sampled && base.sampled ? { sampled: [own.sampled, base.sampled] as const } : {};
    const isPaired = isShared && profiles[0].length === profiles[1].length && profiles[0].length >= fewestPairs;
    const [location, subject] = [names, subjects].map((each) => each.get(key) ?? base.kind.uid) as [string, string];
    return [{ location, subject, kind: base.kind, profiles, isPaired, ...sampled }];
  });
}

function converted({ values, kind }: Amounts, unit: string): Float64Array {
  const factor = factorBetween(kind.unit, unit);
  return factor === 1 ? values : values.map((value) => value * factor);
}

/** Earlier profiles with another unit are no evidence. */
function convertible(amounts: Amounts | undefined, unit: string): Float64Array[] {
  if (amounts === undefined) return [];
  try {
    return [converted(amounts, unit)];
  } catch (error) {
    if (isFailure(error, "unit-mismatch")) return [];
    throw error;
  }
}

/** Rows of a memory profile are allocations, not repetitions: their sum is one value. */
function levelValues(values: Float64Array, type: string): Float64Array {
  return type === "memory" ? Float64Array.of(sum(values)) : values;
}
