import type { Series, SeriesPoint, Subject } from "../../core/measurements/index.ts";
import type { LevelChange } from "../../math/detectors/index.ts";
import { type Finding, judgeSeries, type Quantiles } from "../series/index.ts";

/** Decides about a series: a detector, and the smallest change that counts. */
export interface Gate {
  /** Name of the detector. */
  readonly method: string;
  /** `level`: false-positive rate for a series without a change; null: the detector's default, or it has none. */
  detect(values: Float64Array, level: number | null): readonly LevelChange[];
}

/** Sensitivity of a gate. */
export interface Threshold {
  readonly level: number | null;
  /** The smallest change that counts, as a share. */
  readonly minEffect: number;
}

/** The changes that the gate reports for a series of these values, judged like a check. */
export function reportedChanges(
  gate: Gate,
  { level, minEffect }: Threshold,
  subject: Subject,
  values: Float64Array,
  known: Quantiles,
): Finding[] {
  const changes = gate.detect(values, level);
  if (changes.length === 0) return [];
  const question = { method: gate.method, detect: () => changes, isIn: null, minEffect };
  return judgeSeries(seriesOf(subject, values), question, known).filter(({ kind }) => kind === "change");
}

function seriesOf(subject: Subject, values: Float64Array): Series {
  const points = Array.from(values, (_, at): SeriesPoint => {
    return { version: null, evidence: ["drawn"], machine: null, sample: values.subarray(at, at + 1) };
  });
  return { subject, points };
}
