import { counted } from "../../core/text/index.ts";
import type { Digest, VersionId } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { type CodeLocation, locationOfKey, type Run } from "../../core/profiles/index.ts";
import { groupBy, type Settings } from "../../core/values/index.ts";
import type { Series, Subject } from "../../core/measurements/index.ts";
import type { Verdict } from "../../core/verdicts/index.ts";
import {
  type ChangeGroup,
  changeGroups,
  type DetectionOptions,
  seriesVerdicts,
  type SeriesVerdicts,
  verdictCounts,
} from "../../query/series/index.ts";
import { movedRows, pooledDifference } from "../../query/difference/index.ts";
import { Suspects } from "../../query/history/index.ts";
import { optionsOf } from "../../workspace/plugins/index.ts";
import { readRun } from "../../workspace/profiles/index.ts";
import { readThresholds, Thresholds, thresholdsName } from "../../workspace/verdicts/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { seriesUnderNewNames } from "./apply-triage.ts";
import { Detection } from "./detection.ts";
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
  /** Apply the thresholds written by `calibrate`. */
  readonly thresholds: boolean;
  /** False-discovery rate among all reported changes. */
  readonly falseDiscoveryRate: number;
  readonly allMachines: boolean;
  /** A benchmark that never changes; its level is removed from all others. */
  readonly canary?: string;
  /** A benchmark that never changes; its levels bring all machines to one scale. */
  readonly bridge?: string;
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
  const { counting } = axis;
  const question = {
    method: detector.name,
    ...detection.at(null),
    isIn: counting === null ? null : (version: VersionId | null): boolean => version === null || counting.has(version),
    minEffect: options.minEffect ?? defaultMinEffect,
  };
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
    ...(options.canary === undefined ? {} : { canary: options.canary }),
    ...(options.bridge === undefined ? {} : { bridge: options.bridge }),
    suspects: (before, after) => suspects.between(before, after),
  });
  detection.save();
  const verdicts = withoutMoved(
    workspace,
    found.verdicts.map((verdict) => calibrated.marked(verdict)),
    series,
  );
  const allNotes = [...axis.notes, ...built.notes, ...notes, ...movedNotes(verdicts), ...calibrated.notes()];
  const counts = verdictCounts(verdicts);
  const checked = {
    ...found,
    counts,
    verdicts,
    groups: changeGroups(verdicts),
    method: detector.name,
    notes: allNotes,
  };
  return { checked, series, axis };
}

/** Most profiles of each level, and most changes, whose calls are compared. */
const [mostProfiles, mostChanges] = [5, 100];

/** Changes of functions whose cost only moved, below one that costs as much as before, are none. */
function withoutMoved(workspace: Workspace, verdicts: readonly Verdict[], all: readonly Series[]): readonly Verdict[] {
  const known = new Map<string, ReadonlyMap<string, CodeLocation>>();
  const byKey = new Map(all.map((series) => [series.subject.key, series]));
  const movedWithin = ({ subject, levels }: Verdict): CodeLocation | undefined => {
    const location = locationOfKey(subject.key);
    const points = byKey.get(subject.key)?.points;
    if (location === null || points === undefined || levels === undefined) return undefined;
    const objectsAt = (versions: readonly VersionId[]): string[] => {
      const wanted = new Set(versions);
      return points.flatMap(({ version, evidence }) => (version !== null && wanted.has(version) ? evidence : []));
    };
    const sides = [objectsAt(levels.before).slice(-mostProfiles), objectsAt(levels.after).slice(0, mostProfiles)];
    const key = JSON.stringify(sides);
    if (!known.has(key) && known.size >= mostChanges) return undefined;
    const moved = known.get(key) ?? movedBetween(workspace, sides[0] ?? [], sides[1] ?? []);
    known.set(key, moved);
    return moved.get(location);
  };
  return verdicts.map((verdict) => {
    const isChange = verdict.outcome === "worse" || verdict.outcome === "better";
    const within = isChange ? movedWithin(verdict) : undefined;
    if (within === undefined) return verdict;
    const reason = `the cost moved within ${within.name}, which costs as much as before`;
    return { ...verdict, outcome: "same", since: null, movedWithin: within.name, reason };
  });
}

function movedNotes(verdicts: readonly Verdict[]): string[] {
  const moved = groupBy(
    verdicts.filter(({ movedWithin }) => movedWithin !== undefined),
    ({ movedWithin }) => movedWithin,
  );
  return [...moved].map(([within, own]) => {
    const names = own.map(({ subject }) => subject.benchmark).join(", ");
    return `no change: cost moved within ${within}, which costs as much as before: ${names}`;
  });
}

/** The functions whose cost moved between profiles, by their uids. */
function movedBetween(
  workspace: Workspace,
  before: readonly string[],
  after: readonly string[],
): ReadonlyMap<string, CodeLocation> {
  const read = (objects: readonly string[]): Run[] =>
    objects.map((digest) => readRun(workspace, { kind: "object", name: digest, digest: digest as Digest }));
  try {
    const [olds, news] = [read(before), read(after)];
    const rows = pooledDifference(olds, news, Infinity).flatMap((difference) => difference.rows);
    return news[0] === undefined ? new Map() : movedRows(rows, news[0]);
  } catch (failure) {
    // Cached numbers are judged although their profile is gone or damaged: fsck reports that.
    if (isFailure(failure)) return new Map();
    throw failure;
  }
}

async function buildSeries(
  workspace: Workspace,
  axis: SeriesAxis,
  { of, program }: CheckSeriesOptions,
): Promise<BuiltSeries> {
  const built =
    "experiment" in of ? await experimentSeries(workspace, axis, of) : profileSeries(workspace, axis, of, program);
  if (built.series.length === 0) throw new Failure("no-series", { versions: axis.order.length, notes: built.notes });
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
