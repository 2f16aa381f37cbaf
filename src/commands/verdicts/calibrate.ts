import { Failure } from "../../core/failures/failure.ts";
import type { Settings } from "../../core/values/setting.ts";
import type { Series } from "../../core/measurements/series.ts";
import type { SubjectThreshold } from "../../core/verdicts/thresholds.ts";
import { calibrated, type Calibrated, type CalibrationOptions } from "../../query/calibration/calibrate.ts";
import { overallRate, type Rate } from "../../query/calibration/false-positives.ts";
import { OneMachine } from "../../query/series/same-machine.ts";
import { optionsOf } from "../../workspace/plugins/plugin-options.ts";
import {
  readThresholds,
  thresholdsName,
  thresholdsPath,
  writeThresholds,
} from "../../workspace/verdicts/threshold-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { underNewNames } from "./apply-triage.ts";
import { type CheckSeriesOptions, usualMinEffect } from "./check-series.ts";
import { Detection } from "./detection.ts";
import { experimentSeries, profileSeries, seriesAxis, type SeriesAxis, type SeriesRange } from "../query/series.ts";

export interface CalibrateOptions
  extends SeriesRange, Pick<CheckSeriesOptions, "of" | "method" | "allMachines" | "falseDiscoveryRate"> {
  /** Of the detector. */
  readonly options: Settings;
  /** Absent: that of checks. */
  readonly minEffect?: number;
  readonly rate: number;
  readonly replicates: number;
  readonly seed: number;
  /** Only what was measured again at the same version tells of noise. */
  readonly repeated: boolean;
  /** Whether the thresholds are written. */
  readonly write: boolean;
  /** The version of the program, whose numbers of profiles that were read before are kept. */
  readonly program: string;
  /** Told before each number. */
  progress(done: number, total: number, what: string): void;
}

export interface Calibration {
  readonly method: string;
  readonly subjects: readonly Omit<Calibrated, "alarms">[];
  /**
   * How often a check of all calibrated numbers together tells a change although there is none. null: no number is
   * calibrated.
   */
  readonly overall: { readonly now: Rate; readonly chosen: Rate } | null;
  /** Name of the file that was written; null: none was. */
  readonly written: string | null;
  readonly notes: readonly string[];
}

/** Histories that planted steps are looked for in. */
const plantings = 200;

/**
 * Draws histories without a change from the noise of every number, counts what a check tells of them, and chooses
 * thresholds for the wanted rate. Fails with `no-series`, `not-a-repository` (thresholds have a place in one),
 * `bad-threshold`, `cannot-write`, and like `checkSeries`.
 */
export async function calibrate(workspace: Workspace, asked: CalibrateOptions): Promise<Calibration> {
  const detector = await workspace.registry.get("detector", asked.method);
  const detection = new Detection(workspace, detector, optionsOf(detector, asked.options));
  const path = await thresholdsPath(workspace);
  if (asked.write && path === null) throw new Failure("not-a-repository", { path: workspace.world.directory });
  const before = await readThresholds(workspace);
  const axis = await seriesAxis(workspace, asked);
  const { series, notes } = await builtSeries(workspace, axis, asked);
  const machines = new OneMachine(asked.allMachines);
  const options = optionsFor(detection, asked);
  const subjects = (await underNewNames(workspace, series, axis.order)).map(({ subject, points }, at, { length }) => {
    asked.progress(at, length, subject.benchmark);
    const counting = machines
      .of(points)
      .filter(({ version }) => axis.counting === null || version === null || axis.counting.has(version));
    return calibrated(subject, counting, options);
  });
  const chosen = subjects.flatMap((each) => thresholdOf(each, detector.name));
  const isWritten = asked.write && path !== null && chosen.length > 0;
  if (isWritten) writeThresholds(path, before.with(chosen));
  return {
    method: detector.name,
    subjects: subjects.map(({ alarms: _, ...told }) => told),
    overall: overallOf(subjects, asked.falseDiscoveryRate),
    written: isWritten ? thresholdsName : null,
    notes: [...axis.notes, ...notes, ...machines.notes()],
  };
}

/** A growth is judged by its class, not by a threshold. */
async function builtSeries(
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
  if (series.length === 0) throw new Failure("no-series", { versions: axis.order.length, notes: built.notes });
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
    now: { level: detection.level, minEffect: minEffect ?? usualMinEffect },
    rate,
    replicates,
    plantings,
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
