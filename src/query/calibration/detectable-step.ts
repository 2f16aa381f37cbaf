import { Quantiles } from "../series/judged-series.ts";
import { DrawnHistories, type Steady } from "./false-alarms.ts";
import { type Gate, type Threshold, toldChanges } from "./gate.ts";

/** The share of planted steps that is to be found. */
const power = 0.8;

/** Points on both sides of a planted step, and how far from its place it may be told. */
const margin = 6;
const tolerance = 5;

/** Beyond so great a step nothing is looked for; what is to be high cannot lose more than all of it. */
const most = { lower: 8, higher: 0.98 } as const;

/** Halvings of the interval in which the answer lies: it is known to a hundredth part. */
const halvings = 7;

/**
 * The least step for the worse, as a share of the level, that the gate tells in four of five drawn histories with one at a random place, at
 * most five points from there. The same histories are used for every size. null: not even a great one is seen, or there is no level.
 */
export function detectableStep(gate: Gate, threshold: Threshold, steady: Steady, drawn: DrawnHistories): number | null {
  if (steady.level === 0 || steady.length < 2 * margin) return null;
  const known = new Quantiles();
  const isSeen = (share: number): boolean => {
    let hits = 0;
    for (let at = 0; at < drawn.count; at++) if (isFound(gate, threshold, steady, drawn, at, share, known)) hits += 1;
    return hits >= power * drawn.count;
  };
  const end = most[steady.subject.better];
  let [low, high] = [0, Math.min(end, 1 / 64)];
  while (!isSeen(high)) {
    if (high === end) return null;
    [low, high] = [high, Math.min(end, 2 * high)];
  }
  for (let halving = 0; halving < halvings; halving++) {
    const middle = (low + high) / 2;
    if (isSeen(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function isFound(
  gate: Gate,
  threshold: Threshold,
  steady: Steady,
  drawn: DrawnHistories,
  at: number,
  share: number,
  known: Quantiles,
): boolean {
  const values = new Float64Array(steady.length);
  const random = drawn.draw(at, values);
  const place = margin + Math.floor(random() * (steady.length - 2 * margin + 1));
  const factor = steady.subject.better === "lower" ? 1 + share : 1 - share;
  // Noise about a level of the other sign, or about one that it reaches beyond, does not grow with it.
  for (let i = place; i < values.length; i++) values[i] = (values[i] as number) * factor;
  const told = toldChanges(gate, threshold, steady.subject, values, known);
  return told.some(({ index, verdict: { word } }) => word === "worse" && Math.abs(index - place) <= tolerance);
}
