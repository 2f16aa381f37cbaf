import type { Subject } from "../../src/core/measurements/series.ts";

/** A time of a benchmark; lower is better. */
export const timeSubject: Subject = {
  source: "profile",
  key: "k",
  benchmark: "b",
  metric: "time",
  unit: undefined,
  better: "lower",
};
