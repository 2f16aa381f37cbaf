import type { Subject } from "../../src/core/measurements/series.ts";
import { parseUnit } from "../../src/core/values/unit.ts";

/** The instructions of a program, as the collector `counters` counts them. */
export const instructions: Subject = {
  source: "profile",
  key: "k",
  benchmark: "./bench",
  metric: "instructions",
  unit: parseUnit("event"),
  better: "lower",
};
