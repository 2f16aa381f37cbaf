import type { Model } from "../../../core/profiles/model.ts";

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Where both models were fitted; null where no such place is. Beyond its interval a model says nothing. */
export function overlapOf(a: Model, b: Model): Interval | null {
  const [start, end] = [Math.max(a.start, b.start), Math.min(a.end, b.end)];
  return start <= end ? { start, end } : null;
}
