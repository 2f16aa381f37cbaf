import { counted } from "../../core/text/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Settings } from "../../core/values/index.ts";
import type { Series, Subject } from "../../core/measurements/index.ts";
import { assumedDirectionNotes, type Verdict } from "../../core/verdicts/index.ts";
import {
  type ChangeGroup,
  changeGroups,
  type DetectionOptions,
  sameResolution,
  seriesVerdicts,
  type SeriesVerdicts,
  verdictCounts,
} from "../../query/series/index.ts";
import { Suspects } from "../../query/history/index.ts";
import { optionsOf } from "../../workspace/plugins/index.ts";
import { readThresholds, Thresholds, thresholdsName } from "../../workspace/verdicts/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { seriesUnderNewNames } from "./apply-triage.ts";
import { Detection } from "./detection.ts";
import { movedNotes, withoutMoved } from "./moved-costs.ts";
import {
  experimentSeries,
  type ExperimentSeries,
  profileSeries,
  seriesAxis,
  type ProfileFilter,
  type BuiltSeries,
  type SeriesAxis,
  type SeriesRange,
} from "../query/index.ts";

export interface CheckSeriesOptions extends SeriesRange {
  /** Matching profiles, or an experiment. */
  readonly of: ProfileFilter | ExperimentSeries;
  /** Name of a detector. */
  readonly method: string;
  readonly options: Settings;
  /** Smallest relative change to report; default: the subject's threshold, else 1 %. */
  readonly minEffect?: number;
  /** Size of a change that has to be detectable before a series is reported as the same. */
  readonly resolution?: number;
  /** Apply the thresholds written by `calibrate`. */
  readonly thresholds: boolean;
  /** False-discovery rate among all reported changes. */
  readonly falseDiscoveryRate: number;
  readonly allMachines: boolean;
  /** A benchmark that never changes; its level is removed from all others. */
  readonly canary?: string;
  /** A benchmark that never changes; its levels bring all machines to one scale. */
  readonly bridge?: string | null;
  /** Version of perfkeep; keys the cache of detection results. Absent: no caching. */
  readonly program?: string;
}

export interface CheckedSeries extends SeriesVerdicts {
  readonly method: string;
  /** Changes of several series that may have one cause. */
  readonly groups: readonly ChangeGroup[];
}

/** Default smallest relative change. */
export const defaultMinEffect = 0.01;

/**
 * Detects changes in the history of every measured subject. Fails with `no-series`, `unknown-plugin`,
 * `unknown-collector-option`, `bad-collector-option`, `bad-threshold`, and with failures of building series.
 */
export async function checkSeries(workspace: Workspace, options: CheckSeriesOptions): Promise<CheckedSeries> {
  return (await judgeSeries(workspace, options)).checked;
}

/** Checked series with their axis. */
export interface JudgedSeries {
  readonly checked: CheckedSeries;
  readonly series: readonly Series[];
  readonly axis: SeriesAxis;
}

/**
 * Like `checkSeries`, with the series. `known`: an already walked axis. For a range, all earlier points are read too,
 * since detectors use the complete series; later profiles and rows are not.
 */
export async function judgeSeries(
  workspace: Workspace,
  options: CheckSeriesOptions,
  known?: SeriesAxis,
): Promise<JudgedSeries> {
  const detector = await workspace.registry.get("detector", options.method);
  const detection = new Detection(workspace, detector, optionsOf(detector, options.options), options.program);
  const axis = known ?? (await seriesAxis(workspace, options));
  const built = await buildSeries(workspace, axis, options);
  const suspects = new Suspects(axis.history.graph);
  const question = questionOf(detector.name, detection, axis, options);
  const calibrated = new CalibratedThresholds(
    options.thresholds ? await readThresholds(workspace) : new Thresholds([]),
    detection,
    options,
    question,
  );
  const series = await seriesUnderNewNames(workspace, built.series, axis.order);
  const { notes, ...found } = seriesVerdicts(series, {
    ...question,
    optionsOf: (subject) => calibrated.of(subject),
    falseDiscoveryRate: options.falseDiscoveryRate,
    allMachines: options.allMachines,
    ...steadyBenchmarks(options),
    suspects: (before, after) => suspects.between(before, after),
  });
  detection.save();
  const verdicts = withoutMoved(
    workspace,
    found.verdicts.map((verdict) => calibrated.marked(verdict)),
    series,
    built.withCalls,
  );
  const ofVerdicts = [...movedNotes(verdicts), ...assumedDirectionNotes(verdicts)];
  const allNotes = [...axis.notes, ...built.notes, ...notes, ...ofVerdicts, ...calibrated.notes()];
  const summary = { counts: verdictCounts(verdicts), groups: changeGroups(verdicts), notes: allNotes };
  return { checked: { ...found, verdicts, ...summary, method: detector.name }, series, axis };
}

function steadyBenchmarks({ canary, bridge }: CheckSeriesOptions): Pick<CheckSeriesOptions, "canary" | "bridge"> {
  return { ...(canary === undefined ? {} : { canary }), ...(bridge === undefined ? {} : { bridge }) };
}

function questionOf(
  method: string,
  detection: Detection,
  { counting }: SeriesAxis,
  { minEffect = defaultMinEffect, resolution = sameResolution }: CheckSeriesOptions,
): DetectionOptions {
  const isIn = (version: VersionId | null): boolean => version === null || counting?.has(version) === true;
  return { method, ...detection.at(null), isIn: counting === null ? null : isIn, minEffect, resolution };
}

async function buildSeries(
  workspace: Workspace,
  axis: SeriesAxis,
  { of, program }: CheckSeriesOptions,
): Promise<BuiltSeries> {
  const built =
    "experiment" in of ? await experimentSeries(workspace, axis, of) : profileSeries(workspace, axis, of, program);
  if (built.series.length === 0)
    throw new Failure("no-series", { versions: axis.order.length, notes: [...axis.notes, ...built.notes] });
  return built;
}

/** Applies calibrated thresholds to subjects. Explicit options take precedence. */
class CalibratedThresholds {
  readonly #thresholds: Thresholds;
  readonly #detection: Detection;
  readonly #overrides: { readonly level: boolean; readonly minEffect: number | undefined };
  readonly #defaults: DetectionOptions;
  readonly #used = new Map<string, Verdict["threshold"]>();
  readonly #otherMethods = new Set<string>();

  constructor(
    thresholds: Thresholds,
    detection: Detection,
    { options, minEffect }: CheckSeriesOptions,
    defaults: DetectionOptions,
  ) {
    this.#thresholds = thresholds;
    this.#detection = detection;
    this.#overrides = {
      level: [...options.keys()].some((name) => name.replaceAll("_", "-").toLowerCase() === "max-pvalue"),
      minEffect,
    };
    this.#defaults = defaults;
  }

  of(subject: Subject): DetectionOptions | undefined {
    const found = this.#thresholds.thresholdFor(subject);
    if (found === undefined) return undefined;
    if (found.method !== this.#defaults.method) {
      this.#otherMethods.add(found.method);
      return undefined;
    }
    const level = this.#overrides.level ? null : found.level;
    const minEffect = this.#overrides.minEffect ?? found.minEffect;
    this.#used.set(subject.key, { level: level ?? this.#detection.level, minEffect });
    return {
      ...this.#defaults,
      ...this.#detection.at(level),
      minEffect,
      ...(this.#overrides.minEffect === undefined ? { thresholdOf: thresholdsName } : {}),
    };
  }

  marked(verdict: Verdict): Verdict {
    const threshold = this.#used.get(verdict.subject.key);
    return threshold === undefined ? verdict : { ...verdict, threshold };
  }

  notes(): string[] {
    const [used, otherMethods] = [this.#used.size, [...this.#otherMethods]];
    return [
      ...(used === 0 ? [] : [`${counted(used, "series", "series")} checked against ${thresholdsName}`]),
      ...(otherMethods.length === 0
        ? []
        : [`ignored thresholds of another method: ${otherMethods.join(", ")} (${thresholdsName})`]),
    ];
  }
}
