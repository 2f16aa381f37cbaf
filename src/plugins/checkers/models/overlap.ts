import type { Model } from "../../../core/profiles/index.ts";

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** The interval in which both models were fitted and thus are valid; null if there is none. */
export function overlapOf(a: Model, b: Model): Interval | null {
  const [start, end] = [Math.max(a.start, b.start), Math.min(a.end, b.end)];
  return start <= end ? { start, end } : null;
}
