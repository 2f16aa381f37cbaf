import { median } from "../descriptive/index.ts";

/** Minimum range of a sparkline relative to its middle, so that noise stays flat. */
const leastRange = 0.05;

/**
 * Heights of the columns of a sparkline, 0 to `steps` - 1, scaled to the range of the values; -1 without a finite
 * value. With more values than columns, a column is the median of its values. Equal values have the middle height.
 */
export function sparkHeights(values: ArrayLike<number>, columns: number, steps: number): Int8Array {
  const shown = thinned(values, columns);
  const finite = shown.filter(Number.isFinite);
  if (finite.length === 0) return new Int8Array(shown.length).fill(-1);
  const [least, greatest] = [finite.reduce((a, b) => Math.min(a, b)), finite.reduce((a, b) => Math.max(a, b))];
  // Halved first to avoid overflow.
  const middle = least / 2 + greatest / 2;
  const half = Math.max(greatest / 2 - least / 2, (Math.abs(middle) * leastRange) / 2);
  return Int8Array.from(shown, (value) => {
    if (!Number.isFinite(value)) return -1;
    const at = half === 0 ? 0.5 : 0.5 + (value / 2 - middle / 2) / half;
    return Math.min(steps - 1, Math.max(0, Math.floor(at * steps)));
  });
}

function thinned(values: ArrayLike<number>, columns: number): Float64Array {
  const all = Float64Array.from(values);
  if (all.length <= columns) return all;
  return Float64Array.from({ length: columns }, (_, column) => {
    const ends = [column, column + 1].map((at) => Math.floor((at * all.length) / columns)) as [number, number];
    const own = all.slice(...ends).filter(Number.isFinite);
    return own.length === 0 ? Number.NaN : median(own);
  });
}

/** An axis from `low` (0) to `high` (1) with readable ticks. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Ascending, all within low..high. */
  readonly ticks: readonly number[];
  /** Position of a value: 0 at low, 1 at high. */
  at(value: number): number;
  /** The text of a tick, for instants, whose text depends on the step. */
  label?(tick: number): string;
}

/**
 * A linear axis over low..high (finite), extended to multiples of 1, 2 or 5 × 10^n; about `count` ticks. A single value
 * gets a margin. `whole`: ticks are whole numbers.
 */
export function linearScale(low: number, high: number, count: number, whole = false): Scale {
  if (low === high) return linearScale(finite(low - room(low)), finite(high + room(high)), count, whole);
  const step = Math.max(whole ? 1 : 0, niceStep(high / 2 - low / 2, Math.max(1, count) / 2));
  const first = Math.floor(roundOff(low / step));
  const last = Math.ceil(roundOff(high / step));
  if (!(step > 0 && last - first < 1000 && Number.isFinite(first * step) && Number.isFinite(last * step)))
    return between(low, high, [low, high]);
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => multiple(first + i, step));
  return between(Math.min(low, ticks[0] ?? low), Math.max(high, ticks.at(-1) ?? high), ticks);
}

/**
 * A logarithmic axis (base 10) over low..high (positive): ticks at decades, with 2 and 5 between them if there are few.
 */
export function logScale(low: number, high: number, count: number): Scale {
  if (low === high) return logScale(Math.max(low / 2, Number.MIN_VALUE), Math.min(high * 2, Number.MAX_VALUE), count);
  const [from, to] = [niceBelow(low), niceAbove(high)];
  const inside = logTicks(from, to, count).filter((tick) => tick >= from && tick <= to);
  const ticks = inside.length > 1 ? inside : [from, to];
  const span = Math.log10(to) - Math.log10(from);
  // Neighbouring doubles may have the same logarithm.
  if (!(span > 0)) return between(from, to, ticks);
  return { low: from, high: to, ticks, at: (value) => (Math.log10(value) - Math.log10(from)) / span };
}

/** A logarithmic axis over low..high (positive) with ticks at powers of two; about `count` ticks. */
export function log2Scale(low: number, high: number, count: number): Scale {
  const first = Math.floor(roundOff(Math.log2(low)));
  const last = Math.max(first + 1, Math.ceil(roundOff(Math.log2(high))));
  const [from, to] = [2 ** first, 2 ** last];
  if (!(from > 0 && Number.isFinite(to))) return logScale(low, high, count);
  const stride = Math.max(1, Math.ceil((last - first) / Math.max(1, count)));
  const ticks = Array.from({ length: Math.floor((last - first) / stride) + 1 }, (_, i) => 2 ** (first + i * stride));
  return { low: from, high: to, ticks, at: (value) => (Math.log2(value) - first) / (last - first) };
}

/** An axis of `count` categories; ticks are their indexes. */
export function categoryScale(count: number): Scale {
  return {
    low: 0,
    high: count - 1,
    ticks: Array.from({ length: count }, (_, i) => i),
    at: (index) => (index + 0.5) / count,
  };
}

/** The part of a scale from `low` to `high`, with its ticks, or with both ends as ticks if there are fewer than two. */
export function clippedScale(scale: Scale, low: number, high: number): Scale {
  const [start, end] = [scale.at(low), scale.at(high)];
  if (!(end > start)) return scale;
  const inside = scale.ticks.filter((tick) => tick >= low && tick <= high);
  return {
    ...scale,
    low,
    high,
    ticks: inside.length > 1 ? inside : [low, high],
    at: (value) => (scale.at(value) - start) / (end - start),
  };
}

/** A label for a tick or bar: at most `digits` significant digits, powers of ten beyond 10^6 and below 10^-4. */
export function shortNumber(value: number, digits = 4): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const rounded = Number(
    value.toPrecision(size >= 1 && size < 1e6 ? Math.max(digits, Math.floor(Math.log10(size)) + 1) : digits),
  );
  if (size >= 1e6 || size < 1e-4) return rounded.toExponential().replace("e+", "e");
  return String(rounded);
}

function between(low: number, high: number, ticks: readonly number[]): Scale {
  // Halved if the difference overflows.
  const factor = Number.isFinite(high - low) ? 1 : 0.5;
  const span = high * factor - low * factor;
  return { low, high, ticks, at: (value) => (value * factor - low * factor) / span };
}

function room(value: number): number {
  return value === 0 ? 1 : Math.max(Math.abs(value) * 0.1, Number.MIN_VALUE);
}

function finite(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** The step of 1, 2 or 5 × 10^n that divides `span` into at most about `count` intervals. */
function niceStep(span: number, count: number): number {
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const fraction = rough / power;
  const factor = fraction <= 1.000001 ? 1 : fraction <= 2.000001 ? 2 : fraction <= 5.000001 ? 5 : 10;
  return Number((factor * power).toPrecision(12));
}

/** i × step without binary rounding (0.3, not 0.30000000000000004). */
function multiple(i: number, step: number): number {
  return finite(Number((i * step).toPrecision(15)));
}

function roundOff(quotient: number): number {
  const nearest = Math.round(quotient);
  return Math.abs(quotient - nearest) < 1e-9 * Math.max(1, Math.abs(quotient)) ? nearest : quotient;
}

/** The nearest 1, 2 or 5 × 10^n that is not above a positive value. */
function niceBelow(value: number): number {
  const power = Math.floor(Math.log10(value));
  const nice = ["5", "2", "1"]
    .map((factor) => Number(`${factor}e${power}`))
    .find((candidate) => candidate > 0 && candidate <= value);
  return nice ?? value;
}

function niceAbove(value: number): number {
  const power = Math.floor(Math.log10(value));
  return (
    ["1", "2", "5", "10"]
      .map((factor) => Number(`${factor}e${power}`))
      .find((candidate) => candidate >= value && Number.isFinite(candidate)) ?? value
  );
}

function logTicks(low: number, high: number, count: number): number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const factors = last - first <= 1 ? [1, 2, 5] : (last - first) * 3 <= count ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil((last - first) / Math.max(1, count)));
  const ticks: number[] = [];
  for (let power = first; power <= last; power += stride) {
    for (const factor of factors) ticks.push(Number(`${factor}e${power}`));
  }
  return ticks.filter((tick) => tick > 0 && Number.isFinite(tick));
}
