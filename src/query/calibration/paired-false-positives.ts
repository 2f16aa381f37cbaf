import type { SeriesPoint, Subject } from "../../core/measurements/series.ts";
import { wilsonInterval } from "../../math/hypothesis-tests/wilson-interval.ts";
import { judge, judgeDefaults, leastValues } from "../verdict/judge.ts";
import type { Rate } from "./false-positives.ts";
import type { Stretch } from "./steady-noise.ts";

/** How far apart two versions that are compared stand: such comparisons are what people make. */
const farthest = 3;

/** Pairs that are needed, and that are looked at. */
const fewest = 20;
const mostPairs = 300;

/** How often comparing two versions between which nothing changed tells a change. */
export interface PairedAlarms {
  readonly pairs: number;
  readonly now: Rate;
  /** The least effect with which no more than the wanted share does. */
  readonly minEffect: number;
  readonly chosen: Rate;
}

/**
 * Compares versions that stand next to each other in steady stretches as `compare` does; null: too few have values
 * enough.
 */
export function pairedAlarms(
  subject: Subject,
  points: readonly SeriesPoint[],
  stretches: readonly Stretch[],
  wanted: number,
): PairedAlarms | null {
  const pairs = evenly(pairsOf(points, stretches), mostPairs);
  if (pairs.length < fewest) return null;
  const sizes = pairs.flatMap(([before, after]) => {
    const { word, delta } = judge(subject, [before.sample], [after.sample], judgeDefaults);
    return word === "worse" || word === "better" ? [Math.abs(delta ?? Number.POSITIVE_INFINITY)] : [];
  });
  const minEffect = effectAbove(sizes, Math.floor(wanted * pairs.length));
  const above = sizes.filter((size) => size >= minEffect).length;
  return { pairs: pairs.length, now: rate(sizes.length, pairs.length), minEffect, chosen: rate(above, pairs.length) };
}

function pairsOf(
  points: readonly SeriesPoint[],
  stretches: readonly Stretch[],
): (readonly [SeriesPoint, SeriesPoint])[] {
  return stretches.flatMap(({ from, to }) =>
    points.slice(from, to).flatMap((before, at, own) => {
      if (before.sample.length < leastValues) return [];
      const next = own.slice(at + 1, at + 1 + farthest);
      return next.flatMap((after) => (after.sample.length < leastValues ? [] : [[before, after] as const]));
    }),
  );
}

function evenly<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)] as T);
}

/** The least effect that no more than `allowed` of `sizes` reach; 0 where no more do anyway. */
export function effectAbove(sizes: readonly number[], allowed: number): number {
  if (sizes.length <= allowed) return 0;
  const largest = sizes.toSorted((a, b) => b - a)[allowed] as number;
  return roundedUp(largest);
}

function rate(hits: number, count: number): Rate {
  return { share: hits / count, ...wilsonInterval(hits, count) };
}

/**
 * The least number of three digits that is greater: a threshold that nobody would keep all digits of. Infinity stays.
 */
function roundedUp(size: number): number {
  if (!(size > 0) || size === Number.POSITIVE_INFINITY) return size;
  const step = 10 ** (Math.floor(Math.log10(size)) - 2);
  return Number(((Math.floor(size / step) + 1) * step).toPrecision(3));
}
