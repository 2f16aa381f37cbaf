import { Failure } from "../../core/failures/index.ts";
import type { Settings } from "../../core/values/index.ts";
import type { Series } from "../../core/measurements/index.ts";
import type { SubjectThreshold } from "../../core/verdicts/index.ts";
import {
  calibrateSubject,
  type Calibrated,
  type CalibrationOptions,
  overallRate,
  type Rate,
} from "../../query/calibration/index.ts";
import { SameMachineFilter } from "../../query/series/index.ts";
import { optionsOf } from "../../workspace/plugins/index.ts";
import { readThresholds, thresholdsName, thresholdsPath, writeThresholds } from "../../workspace/verdicts/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { seriesUnderNewNames } from "./apply-triage.ts";
import { type CheckSeriesOptions, defaultMinEffect } from "./check-series.ts";
import { Detection } from "./detection.ts";
import { experimentSeries, profileSeries, seriesAxis, type SeriesAxis, type SeriesRange } from "../query/index.ts";

export interface CalibrateOptions
  extends SeriesRange, Pick<CheckSeriesOptions, "of" | "method" | "allMachines" | "falseDiscoveryRate"> {
  /** Options of the detector. */
  readonly options: Settings;
  /** Default: that of checks. */
  readonly minEffect?: number;
  readonly rate: number;
  readonly replicates: number;
  readonly seed: number;
  /** Estimate noise only from repeated measurements of the same commit. */
  readonly repeated: boolean;
  /** Write the thresholds to the file. */
  readonly write: boolean;
  /** Version of perfkeep; keys the cache of samples read from profiles. */
  readonly program: string;
  /** Called before each subject. */
  progress(done: number, total: number, what: string): void;
}

export interface Calibration {
  readonly method: string;
  readonly subjects: readonly Omit<Calibrated, "alarms">[];
  /** Rate of false alarms of a check of all calibrated subjects together; null: none was calibrated. */
  readonly overall: { readonly now: Rate; readonly chosen: Rate } | null;
  /** Name of the written file; null: nothing was written. */
  readonly written: string | null;
  readonly notes: readonly string[];
}

/** Number of histories with a planted step, to estimate what is detectable. */
const plantedHistories = 200;

/**
 * Simulates histories without a change from the noise of every subject, counts false alarms, and chooses thresholds for
 * the requested rate. Fails with `no-series`, `not-a-repository` (thresholds are stored in the repository),
 * `bad-threshold`, `cannot-write`, and like `checkSeries`.
 */
export async function calibrate(workspace: Workspace, request: CalibrateOptions): Promise<Calibration> {
  const detector = await workspace.registry.get("detector", request.method);
  const detection = new Detection(workspace, detector, optionsOf(detector, request.options));
  const path = await thresholdsPath(workspace);
  if (request.write && path === null) throw new Failure("not-a-repository", { path: workspace.world.directory });
  const before = await readThresholds(workspace);
  const axis = await seriesAxis(workspace, request);
  const { series, notes } = await buildSeries(workspace, axis, request);
  const machines = new SameMachineFilter(request.allMachines);
  const options = optionsFor(detection, request);
  const subjects = (await seriesUnderNewNames(workspace, series, axis.order)).map(
    ({ subject, points }, at, { length }) => {
      request.progress(at, length, subject.benchmark);
      const selected = machines
        .of(points)
        .filter(({ version }) => axis.counting === null || version === null || axis.counting.has(version));
      return calibrateSubject(subject, selected, options);
    },
  );
  const chosen = subjects.flatMap((each) => thresholdOf(each, detector.name));
  const isWritten = request.write && path !== null && chosen.length > 0;
  if (isWritten) writeThresholds(path, before.mergedWith(chosen));
  return {
    method: detector.name,
    subjects: subjects.map(({ alarms: _, ...subject }) => subject),
    overall: overallOf(subjects, request.falseDiscoveryRate),
    written: isWritten ? thresholdsName : null,
    notes: [...axis.notes, ...notes, ...machines.notes()],
  };
}

/** Excludes growth series, which are judged by complexity class, not by a threshold. */
async function buildSeries(
  workspace: Workspace,
  axis: SeriesAxis,
  { of, repeated, program }: CalibrateOptions,
): Promise<{ readonly series: readonly Series[]; readonly notes: readonly string[] }> {
  const apart = { ...of, apart: repeated };
  const built =
    "experiment" in apart
      ? await experimentSeries(workspace, axis, apart)
      : profileSeries(workspace, axis, apart, program);
  const series = built.series.filter(({ points }) => points.every(({ growth }) => growth === undefined));
  if (series.length === 0)
    throw new Failure("no-series", { versions: axis.order.length, notes: [...axis.notes, ...built.notes] });
  return { series, notes: built.notes };
}

function optionsFor(
  detection: Detection,
  { minEffect, rate, replicates, seed, repeated }: CalibrateOptions,
): CalibrationOptions {
  const gate = {
    method: detection.method,
    detect: (values: Float64Array, level: number | null) => detection.at(level).detect(values),
  };
  return {
    gate,
    now: { level: detection.level, minEffect: minEffect ?? defaultMinEffect },
    rate,
    replicates,
    plantings: plantedHistories,
    seed,
    repeated,
  };
}

function thresholdOf({ subject: { key }, chosen, compare }: Calibrated, method: string): SubjectThreshold[] {
  if (chosen === null) return [];
  return [
    { key, method, level: chosen.level, minEffect: chosen.minEffect, compareMinEffect: compare?.minEffect ?? null },
  ];
}

function overallOf(subjects: readonly Calibrated[], falseDiscoveryRate: number): Calibration["overall"] {
  const alarms = subjects.flatMap((each) => each.alarms ?? []);
  const now = overallRate(
    alarms.map((each) => each.now),
    falseDiscoveryRate,
  );
  const chosen = overallRate(
    alarms.map((each) => each.chosen),
    falseDiscoveryRate,
  );
  return now === null || chosen === null ? null : { now, chosen };
}
