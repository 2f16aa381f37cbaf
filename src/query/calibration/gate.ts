import type { Series, SeriesPoint, Subject } from "../../core/measurements/series.ts";
import type { LevelChange } from "../../math/detectors/level-change.ts";
import { type Finding, judged, type Quantiles } from "../series/judge-series.ts";

/** What decides about a series: a detector, and from what size on changes count. */
export interface Gate {
  /** Name of the detector. */
  readonly method: string;
  /** `level`: how likely a series without a change may show one; null: the detector's own, or it knows none. */
  detect(values: Float64Array, level: number | null): readonly LevelChange[];
}

/** How fine a gate is set. */
export interface Threshold {
  readonly level: number | null;
  /** The least change, as a share, that counts. */
  readonly minEffect: number;
}

/** The changes that the gate tells of a series of such values, by the very judgement of a check. */
export function toldChanges(
  gate: Gate,
  { level, minEffect }: Threshold,
  subject: Subject,
  values: Float64Array,
  known: Quantiles,
): Finding[] {
  const changes = gate.detect(values, level);
  if (changes.length === 0) return [];
  const question = { method: gate.method, detect: () => changes, isIn: null, minEffect };
  return judged(seriesOf(subject, values), question, known).filter(({ kind }) => kind === "change");
}

function seriesOf(subject: Subject, values: Float64Array): Series {
  const points = Array.from(values, (_, at): SeriesPoint => {
    return { version: null, evidence: ["drawn"], machine: null, sample: values.subarray(at, at + 1) };
  });
  return { subject, points };
}
