import { areEventCounts, mayCountEvents, type Subject } from "../../core/measurements/index.ts";
import type { Side, Verdict } from "../../core/verdicts/index.ts";
import { areEqualCounts, extent } from "../../math/descriptive/index.ts";
import { type DetectionOptions, type Finding, firstInRange, versionsAround } from "./finding.ts";
import { unjudgeable } from "./level-comparison.ts";
import { type Line, runsOf } from "./line.ts";

const leastPoints = 2;

/** Share of neighbouring points with equal counts that shows, of single runs, that the counts repeat. */
const leastAgreeing = 0.25;

/** Greatest difference of neighbouring points that is noise if most points differ so. */
const smallDifference = 0.01;

/**
 * Whether a line holds counts that repeat, up to the jitter of equal counts: within each point, and from point to point
 * if there are few runs. Where most neighbouring points differ a little, the counts are noisy.
 */
function isExactLine(subject: Subject, line: Line): boolean {
  const { values, points } = line;
  // The runs of almost all series are not read.
  if (values.length < 2 || !mayCountEvents(subject)) return false;
  if (!areEventCounts(subject, runsOf(line, 0, values.length))) return false;
  if (points?.some(({ sample }, at) => !sample.every((run) => areEqualCounts(run, values[at]!)))) return false;
  let [agreeing, small] = [0, 0];
  for (let at = 1; at < values.length; at++) {
    const [a, b] = [values[at - 1]!, values[at]!];
    if (areEqualCounts(a, b)) agreeing += 1;
    else if (Math.abs(a - b) <= smallDifference * a) small += 1;
  }
  const pairs = values.length - 1;
  if (small > 2 && 2 * small > pairs) return false;
  return agreeing >= leastAgreeing * pairs || points?.some(({ sample }) => sample.length > 1) === true;
}

/**
 * Findings about counts that repeat: every difference of at least the minimum effect, and beyond the jitter of equal
 * counts, is a change. null: other numbers, or not judgeable.
 */
export function exactFindings(subject: Subject, line: Line, question: DetectionOptions): Finding[] | null {
  if (!isExactLine(subject, line)) return null;
  const first = firstInRange(line, question);
  if (unjudgeable(subject, line, first, question.isIn !== null, leastPoints) !== null) return null;
  const starts = levelStarts(line.values, question.minEffect);
  const inRange = starts.filter(
    (at) => at >= Math.max(first, 1) && question.isIn?.(line.origins[at]?.version ?? null) !== false,
  );
  const levels = { subject, line, starts, minEffect: question.minEffect };
  if (inRange.length > 0) return inRange.map((index) => changeAt(levels, index));
  const [from, end] = [starts.at(-1)!, line.values.length];
  const cut = first > from ? first : Math.max(from + 1, Math.ceil((from + end) / 2));
  return [sameAt(levels, from, cut, end)];
}

/** Indices of the first points of levels, 0 first. A level is left by a value that differs from its first one. */
function levelStarts(values: Float64Array, minEffect: number): number[] {
  const starts = [0];
  for (const [at, value] of values.entries()) {
    const level = values[starts.at(-1)!]!;
    if (!areEqualCounts(level, value) && Math.abs(value - level) >= minEffect * level) starts.push(at);
  }
  return starts;
}

interface Levels {
  readonly subject: Subject;
  readonly line: Line;
  readonly starts: readonly number[];
  readonly minEffect: number;
}

function changeAt(levels: Levels, index: number): Finding {
  const { subject, line, starts } = levels;
  const from = starts.findLast((start) => start < index) ?? 0;
  const to = starts.find((start) => start > index) ?? line.values.length;
  const compared = comparison(levels, from, index, to);
  const outcome = compared.delta > 0 === (subject.better === "lower") ? "worse" : "better";
  const versions = versionsAround(line, [from, index, index, to]);
  return { ...at(line, index), verdict: { ...compared, outcome, p: 0, levels: versions }, kind: "change" };
}

function sameAt(levels: Levels, from: number, cut: number, to: number): Finding {
  const verdict = { ...comparison(levels, from, cut, to), outcome: "same", p: null } as const;
  return { ...at(levels.line, cut), verdict, kind: "none" };
}

function at({ origins }: Line, index: number): Pick<Finding, "index" | "at" | "before"> {
  return { index, at: origins[index]?.version ?? null, before: origins[index - 1]?.version ?? null };
}

/** The levels from `from` to `cut` and from there to `to`, of which the last value is always one. */
function comparison(
  { subject, line, minEffect }: Levels,
  from: number,
  cut: number,
  to: number,
): Omit<Verdict, "q" | "since" | "outcome" | "p"> & { readonly delta: number } {
  const [before, after] = [sideOf(line.values.slice(from, cut)), sideOf(line.values.slice(Math.min(cut, to - 1), to))];
  const delta = (after.center - before.center) / before.center;
  const effect = { delta, deltaLow: delta, deltaHigh: delta, detectable: minEffect };
  return { subject, before, after, ...effect, test: "exact", reason: null };
}

/** A level stands for its first value, which all others resemble. */
function sideOf(values: Float64Array): Side {
  const [low, high] = extent(values);
  return { center: values[0]!, low, high, n: values.length };
}
