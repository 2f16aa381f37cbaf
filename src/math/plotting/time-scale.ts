import { linearScale, type Scale } from "./scale.ts";

const [minute, hour, day] = [60, 3600, 86_400];
/** Steps in seconds that divide the next larger unit; a week begins on Monday. */
const steps = [1, 2, 5, 10, 15, 30]
  .flatMap((count) => [count, count * minute])
  .concat([1, 2, 3, 6, 12].map((count) => count * hour))
  .concat(day, 2 * day, 7 * day)
  .sort((a, b) => a - b);
/** Days from the Monday before 1970-01-01. */
const mondayOffset = 3 * day;
const monthSteps = [1, 3, 6];
/** Mean lengths in the Gregorian calendar, to choose a step. */
const [yearLength, monthLength] = [365.2425 * day, 30.436875 * day];
/** The range of ECMAScript's calendar in seconds. */
const furthest = 8.64e12;

/**
 * An axis of instants over low..high, in seconds since 1970 UTC: ticks at round seconds to years, at most about
 * `count`. A single instant gets a margin. `days`: positions are whole days, so that ticks are, too.
 */
export function timeScale(low: number, high: number, count: number, days = false): Scale {
  if (!(Math.abs(low) < furthest / 2 && Math.abs(high) < furthest / 2)) return linearScale(low, high, count);
  if (low === high) return timeScale(low - (days ? day : minute), high + (days ? day : minute), count, days);
  const { ticks, step } = innerTicks(low, high, Math.max(1, count), days);
  return {
    low,
    high,
    ticks,
    at: (value) => (value - low) / (high - low),
    label: (tick) => labelOf(tick, step, ticks[0]),
  };
}

interface Ticks {
  readonly ticks: readonly number[];
  /** Seconds between ticks. */
  readonly step: number;
}

/** The ticks within low..high: more of them if fewer than two are inside, else both ends. */
function innerTicks(low: number, high: number, count: number, days: boolean): Ticks {
  for (const share of [1, 2, 4]) {
    const { ticks, step } = ticksOf(low, high, count * share, days);
    const inside = ticks.filter((tick) => tick >= low && tick <= high);
    if (inside.length > 1) return { ticks: inside, step };
  }
  return { ticks: [low, high], step: 0 };
}

function ticksOf(low: number, high: number, count: number, days: boolean): Ticks {
  const rough = (high - low) / count;
  const step = steps.find((each) => each >= (days ? day : 0) && each >= rough * 0.999_999);
  if (step !== undefined && rough > 0.5) {
    const offset = step === 7 * day ? mondayOffset : 0;
    const first = Math.ceil((low + offset) / step);
    const last = Math.floor((high + offset) / step);
    return { ticks: Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step - offset), step };
  }
  if (step !== undefined) return { ticks: linearScale(low, high, count).ticks, step: 0 };
  const months = monthSteps.find((each) => each * monthLength >= rough * 0.999_999);
  const stride = months ?? 12 * Math.max(1, yearStep(rough / yearLength));
  return { ticks: monthTicks(low, high, stride), step: months === undefined ? yearLength : monthLength };
}

/** The least 1, 2 or 5 × 10^n that is not below a number of years. */
function yearStep(years: number): number {
  const power = 10 ** Math.floor(Math.log10(years));
  return ([1, 2, 5, 10].find((factor) => factor * power >= years * 0.999_999) ?? 10) * power;
}

function monthTicks(low: number, high: number, stride: number): number[] {
  const monthOf = (seconds: number): number => {
    const date = new Date(seconds * 1000);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  };
  const ticks: number[] = [];
  for (let month = Math.floor(monthOf(low) / stride) * stride; month <= monthOf(high); month += stride)
    ticks.push(startOfMonth(month));
  return ticks;
}

/** `Date.UTC` takes years below 100 as those of the twentieth century. */
function startOfMonth(month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
  return date.getTime() / 1000;
}

/** As much of an instant as its step needs; the first of an axis and each midnight have their day. */
function labelOf(tick: number, step: number, first: number | undefined): string {
  const text = instantText(tick);
  const [date = "", clock = ""] = text.split(" ");
  if (step >= yearLength) return date.slice(0, -6);
  if (step >= monthLength) return date.slice(0, -3);
  if (step >= day) return date;
  const time = step >= minute ? clock.slice(0, 5) : clock;
  if (tick === first) return `${date} ${time}`;
  return tick % day === 0 ? date : time;
}

/** An instant in seconds since 1970 UTC as `2026-11-23 18:30:05`, with milliseconds or microseconds if it has some. */
export function instantText(seconds: number): string {
  if (!(Math.abs(seconds) < furthest)) return String(seconds);
  const whole = Math.floor(seconds);
  const micros = Math.round((seconds - whole) * 1e6);
  const text = new Date((whole + (micros === 1e6 ? 1 : 0)) * 1000).toISOString().slice(0, -5).replace("T", " ");
  if (micros % 1e6 === 0) return text;
  const digits = String(micros).padStart(6, "0");
  return `${text}.${digits.endsWith("000") ? digits.slice(0, 3) : digits}`;
}
