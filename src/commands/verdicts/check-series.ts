import { counted } from "../../core/text/plural.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Settings } from "../../core/values/setting.ts";
import type { Series, Subject } from "../../core/measurements/series.ts";
import type { Verdict } from "../../core/verdicts/verdict.ts";
import type { Question } from "../../query/series/judge-series.ts";
import { seriesVerdicts, type SeriesVerdicts } from "../../query/series/series-verdicts.ts";
import { Suspects } from "../../query/history/suspect-commits.ts";
import { optionsOf } from "../../workspace/plugins/plugin-options.ts";
import { readThresholds, Thresholds, thresholdsName } from "../../workspace/verdicts/threshold-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { underNewNames } from "./apply-triage.ts";
import { Detection } from "./detection.ts";
import {
  experimentSeries,
  profileSeries,
  seriesAxis,
  type ExperimentSeries,
  type ProfileFilter,
  type SeriesAxis,
  type SeriesRange,
} from "../query/series.ts";

export interface CheckSeriesOptions extends SeriesRange {
  /** Whose numbers: profiles that fit, or those of an experiment. */
  readonly of: ProfileFilter | ExperimentSeries;
  /** Name of a detector, and its options. */
  readonly method: string;
  readonly options: Settings;
  /** The least change, as a share, that counts; absent: that of the subject's threshold, else 1 %. */
  readonly minEffect?: number;
  /** Whether the thresholds that `calibrate` wrote hold. */
  readonly thresholds: boolean;
  /** Share of false alarms among all changes. */
  readonly falseDiscoveryRate: number;
  readonly allMachines: boolean;
  /**
   * The version of the program: what it found in the same numbers before holds still. Absent: everything is computed.
   */
  readonly program?: string;
}

export interface CheckedSeries extends SeriesVerdicts {
  readonly method: string;
}

/** Changes below this share count nowhere unless somebody says so. */
export const usualMinEffect = 0.01;

/**
 * Looks for changes in the history of every number that was measured. Fails with `no-series` where there is none, with
 * `unknown-plugin`, `unknown-collector-option`, `bad-collector-option`, `bad-threshold`, and with what building series
 * fails with.
 */
export async function checkSeries(workspace: Workspace, asked: CheckSeriesOptions): Promise<CheckedSeries> {
  return (await judgeSeries(workspace, asked)).checked;
}

/** What was looked at and found. */
export interface JudgedSeries {
  readonly checked: CheckedSeries;
  readonly series: readonly Series[];
  readonly axis: SeriesAxis;
}

/**
 * The same with the series themselves. `known`: the versions that they go along, where these were walked already. Of a
 * range all that was measured before is read, too: detectors look for levels in the whole series; profiles and data
 * sets behind it are not.
 */
export async function judgeSeries(
  workspace: Workspace,
  asked: CheckSeriesOptions,
  known?: SeriesAxis,
): Promise<JudgedSeries> {
  const detector = await workspace.registry.get("detector", asked.method);
  const detection = new Detection(workspace, detector, optionsOf(detector, asked.options), asked.program);
  const axis = known ?? (await seriesAxis(workspace, asked));
  const built =
    "experiment" in asked.of
      ? await experimentSeries(workspace, axis, asked.of)
      : profileSeries(workspace, axis, asked.of, asked.program);
  if (built.series.length === 0) throw new Failure("no-series", { versions: axis.order.length, notes: built.notes });
  const suspects = new Suspects(axis.history.graph);
  const { counting } = axis;
  const question = {
    method: detector.name,
    ...detection.at(null),
    isIn: counting === null ? null : (version: VersionId | null): boolean => version === null || counting.has(version),
    minEffect: asked.minEffect ?? usualMinEffect,
  };
  const calibrated = new CalibratedQuestions(
    asked.thresholds ? await readThresholds(workspace) : new Thresholds([]),
    detection,
    asked,
    question,
  );
  const series = await underNewNames(workspace, built.series, axis.order);
  const { notes, ...found } = seriesVerdicts(series, {
    ...question,
    questionOf: (subject) => calibrated.of(subject),
    falseDiscoveryRate: asked.falseDiscoveryRate,
    allMachines: asked.allMachines,
    suspects: (before, after) => suspects.between(before, after),
  });
  detection.save();
  const checked = {
    ...found,
    verdicts: found.verdicts.map((verdict) => calibrated.marked(verdict)),
    method: detector.name,
    notes: [...axis.notes, ...built.notes, ...notes, ...calibrated.notes()],
  };
  return { checked, series, axis };
}

/** What is asked of subjects with a threshold of their own. Options that were given win. */
class CalibratedQuestions {
  readonly #thresholds: Thresholds;
  readonly #detection: Detection;
  readonly #given: { readonly level: boolean; readonly minEffect: number | undefined };
  readonly #usual: Question;
  readonly #used = new Map<string, Verdict["threshold"]>();
  readonly #unfit = new Set<string>();

  constructor(
    thresholds: Thresholds,
    detection: Detection,
    { options, minEffect }: CheckSeriesOptions,
    usual: Question,
  ) {
    this.#thresholds = thresholds;
    this.#detection = detection;
    this.#given = {
      level: [...options.keys()].some((name) => name.replaceAll("_", "-").toLowerCase() === "max-pvalue"),
      minEffect,
    };
    this.#usual = usual;
  }

  of(subject: Subject): Question | undefined {
    const found = this.#thresholds.thresholdFor(subject);
    if (found === undefined) return undefined;
    if (found.method !== this.#usual.method) {
      this.#unfit.add(found.method);
      return undefined;
    }
    const level = this.#given.level ? null : found.level;
    const minEffect = this.#given.minEffect ?? found.minEffect;
    this.#used.set(subject.key, { level: level ?? this.#detection.level, minEffect });
    return {
      ...this.#usual,
      ...this.#detection.at(level),
      minEffect,
      ...(this.#given.minEffect === undefined ? { thresholdOf: thresholdsName } : {}),
    };
  }

  marked(verdict: Verdict): Verdict {
    const threshold = this.#used.get(verdict.subject.key);
    return threshold === undefined ? verdict : { ...verdict, threshold };
  }

  notes(): string[] {
    const [used, unfit] = [this.#used.size, [...this.#unfit]];
    return [
      ...(used === 0 ? [] : [`${counted(used, "series", "series")} held to ${thresholdsName}`]),
      ...(unfit.length === 0
        ? []
        : [`thresholds of another method were left out: ${unfit.join(", ")} (${thresholdsName})`]),
    ];
  }
}
