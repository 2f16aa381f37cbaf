import {
  add,
  type Added,
  convertStacks,
  importProfile,
  type ImportedProfile,
  type ImportProfileOptions,
  keepRun,
  type KeepRunOptions,
  postprocessAndKeep,
  readProfile,
  show,
} from "./commands/profiles/index.ts";
import {
  checkHead,
  type VersionCheck,
  type CheckMethod,
  checkSeries,
  type CheckedSeries,
  type CheckSeriesOptions,
} from "./commands/verdicts/index.ts";
import { collect, type JobOptions } from "./commands/jobs/index.ts";
import { createExperiment, listExperiments } from "./commands/experiments/index.ts";
import {
  importFiles,
  type ImportOptions,
  type ImportResult,
  importReports,
  type ImportedReports,
  type ImportReportsOptions,
} from "./commands/import/index.ts";
import { init, type InitOptions } from "./commands/configuration/index.ts";
import { log, type LogEntry, status, type Status } from "./commands/history/index.ts";
import { plot, type PlotOptions, query, type QueryOptions, type QueryResult } from "./commands/query/index.ts";
import { rebuildDamaged } from "./commands/maintenance/index.ts";
import { render, type RenderRequest } from "./commands/report/index.ts";
import { type Experiment, emptyPlot, type PlotDescription } from "./core/experiments/index.ts";
import type { Figure } from "./core/figures/index.ts";
import type { Run } from "./core/profiles/index.ts";
import { settingsOf, type PlainSettings } from "./core/values/index.ts";
import { concatenateBytes } from "./formats/bytes/index.ts";
import type { LevelChange } from "./math/detectors/index.ts";
import type { ExperimentSummary } from "./store/catalogue/index.ts";
import type { JobsResult } from "./workspace/jobs/index.ts";
import type { SavedProfile } from "./workspace/profiles/index.ts";
import { optionsOf } from "./workspace/plugins/index.ts";
import { processWorld, Workspace, type World } from "./workspace/workspace.ts";

/** Options of `measure`. */
export interface MeasureOptions extends Partial<Omit<JobOptions, "cmds" | "collectors" | "postprocessors">> {
  /** Options of the collector. */
  readonly params?: PlainSettings;
}

/** Options of `importProfile`. */
export interface ProfileImport extends Partial<Omit<ImportProfileOptions, "file" | "params">> {
  /** Options of the reader. */
  readonly params?: PlainSettings;
}

/** Options of `checkSeries`: the checked series and the method. All are optional. */
export interface SeriesRequest extends Partial<Omit<CheckSeriesOptions, "options" | "program">> {
  /** Options of the detector. */
  readonly options?: PlainSettings;
}

/** Options of `plot`. `x` is the parameter of the x axis. */
export interface PlotRequest extends Partial<Omit<PlotOptions, "experiment" | "results" | "x">> {
  readonly x: string | NonNullable<PlotDescription["x"]>;
}

/**
 * The performance history of a project: the verbs of the command line with their defaults. Methods never print or
 * prompt and fail with a `Failure`. Profiles are named as on the command line: `0@p` (pending), `0@i` (registered at
 * the commit), a name, `REV^0@i`, the 40 digits of an object, or a path. The default revision is the head.
 */
export class Project {
  /** For verbs without a method here. */
  readonly workspace: Workspace;

  constructor(workspace: Workspace) {
    this.workspace = workspace;
  }

  /** The head, its registered profiles, and the pending profiles. */
  status(): Promise<Status> {
    return status(this.workspace);
  }

  /** The commits from a revision on, the newest first, with profiles and changes. Fails with `unknown-revision`. */
  async *history(
    options: { readonly revision?: string; readonly limit?: number; readonly onlyWithProfiles?: boolean } = {},
  ): AsyncGenerator<LogEntry, void> {
    for await (const entries of log(this.workspace, { onlyWithProfiles: false, ...options })) yield* entries;
  }

  /** A profile with its rows. Fails with `profile-not-found`, `ambiguous-profile`, `not-a-profile`. */
  read(profile: string, revision?: string): Promise<Run> {
    return readProfile(this.workspace, { profile, confirm: null, ...minorOf(revision) });
  }

  /** Stores a run as a pending profile of a commit, or registers it there. */
  keep(run: Run, options: KeepRunOptions = {}): Promise<SavedProfile> {
    return keepRun(this.workspace, run, options);
  }

  /** Imports another program's profile or report as a pending profile. Fails with `unknown-profile-format`. */
  importProfile(file: string, { params = {}, ...options }: ProfileImport = {}): Promise<ImportedProfile> {
    return importProfile(this.workspace, { ...options, file, params: settingsOf(params) });
  }

  /** Measures commands with a collector; profiles are pending or registered. `failed` has the failed jobs. */
  measure(
    collector: string,
    cmds: string | readonly string[],
    { params = {}, ...options }: MeasureOptions = {},
  ): Promise<JobsResult> {
    return collect(this.workspace, {
      versions: [],
      crawlParents: false,
      workloads: [],
      confirm: null,
      ...options,
      collector,
      cmds: typeof cmds === "string" ? [cmds] : cmds,
      params: settingsOf(params),
    });
  }

  /** Applies a postprocessor to a profile and stores the result as a pending profile. */
  async postprocess(profile: string, postprocessor: string, params: PlainSettings = {}): Promise<SavedProfile> {
    const options = { profile, postprocessor, params: settingsOf(params), confirm: null };
    return (await postprocessAndKeep(this.workspace, options)).kept;
  }

  /**
   * Registers pending profiles at `minor`, by default at the commit where each was measured. Registers all it can, then
   * fails with the first failure, such as `wrong-origin` without `force`, or `dirty-profile` without `allowDirty`.
   */
  async add(
    profiles: string | readonly string[],
    options: {
      readonly minor?: string;
      readonly force?: boolean;
      readonly allowDirty?: boolean;
      readonly keepProfile?: boolean;
    } = {},
  ): Promise<readonly Added[]> {
    const defaults = { force: false, allowDirty: false, keepProfile: false, confirm: null };
    const { added, failed } = await add(this.workspace, {
      ...defaults,
      atOrigin: true,
      ...options,
      profiles: typeof profiles === "string" ? [profiles] : profiles,
    });
    if (failed[0] !== undefined) throw failed[0].failure;
    return added;
  }

  /** Compares the profiles of a commit with those of its nearest measured ancestors, and stores the changes. */
  check(revision?: string, how: CheckMethod = {}): Promise<VersionCheck> {
    return checkHead(this.workspace, revision, how);
  }

  /**
   * Detects changes in the history of all series: of profiles, or `of: { experiment }`. Fails with `no-series` if there
   * are no measurements.
   */
  checkSeries({ options = {}, ...request }: SeriesRequest = {}): Promise<CheckedSeries> {
    return checkSeries(this.workspace, {
      of: {},
      allParents: false,
      method: "ensemble",
      thresholds: true,
      falseDiscoveryRate: 0.05,
      allMachines: false,
      ...request,
      options: settingsOf(options),
    });
  }

  /** Detects changes of level in a series of finite values; `index` is the first value of the new level. */
  async detect(
    values: Iterable<number>,
    method = "ensemble",
    options: PlainSettings = {},
  ): Promise<readonly LevelChange[]> {
    const detector = await this.workspace.registry.get("detector", method);
    return detector.detect(Float64Array.from(values), optionsOf(detector, settingsOf(options)));
  }

  /** Converts a profile, or a file of any profiler, to a stack format: `folded`, `pprof`, `speedscope` or `perun`. */
  async convert(profile: string, to: string, params: PlainSettings = {}): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    const take = (piece: string | Uint8Array): void =>
      void pieces.push(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
    await convertStacks(this.workspace, { profile, to, params: settingsOf(params), confirm: null }, take);
    return concatenateBytes(
      pieces,
      pieces.reduce((sum, { length }) => sum + length, 0),
    );
  }

  /** All experiments by name. */
  experiments(database?: string): Promise<readonly ExperimentSummary[]> {
    return listExperiments(this.workspace, database === undefined ? {} : { database });
  }

  /**
   * Creates an experiment from its description. Fails with `description-error` (file, line and column) or
   * `experiment-exists`.
   */
  async createExperiment(file: string, database?: string): Promise<Experiment> {
    const made = await createExperiment(this.workspace, { file, ...(database === undefined ? {} : { database }) });
    return made.experiment;
  }

  /**
   * Imports reports of supported benchmark programs into an experiment, which is created or extended as needed. Stores
   * all files or none.
   */
  importReports(
    files: string | readonly string[],
    options: Omit<ImportReportsOptions, "files"> = {},
  ): Promise<ImportedReports> {
    return importReports(this.workspace, { ...options, files: typeof files === "string" ? [files] : files });
  }

  /** Imports files with an input description. Stores all files or none. */
  importFiles(
    description: string,
    files: string | readonly string[],
    options: Omit<ImportOptions, "inputs"> = {},
  ): Promise<ImportResult> {
    const inputs = [{ description: { file: description }, files: typeof files === "string" ? [files] : files }];
    return importFiles(this.workspace, { ...options, inputs });
  }

  /**
   * Queries an experiment; `records` converts the result table to objects. Fails with `nothing-selected` if no row
   * matches.
   */
  query(experiment: string, options: Omit<QueryOptions, "experiment"> = {}): Promise<QueryResult> {
    return query(this.workspace, { ...options, experiment });
  }

  /** The figure of a view of a profile. Fails with `unknown-plugin`, `nothing-to-draw`. */
  show(profile: string, view = "tableof", options: PlainSettings = {}, revision?: string): Promise<Figure> {
    return show(this.workspace, { profile, confirm: null, params: settingsOf(options), ...minorOf(revision) }, view);
  }

  /**
   * Plots results of an experiment over a parameter. Fails like `query`, and with `unusable-combination`.
   */
  async plot(experiment: string, results: string | readonly string[], { x, ...request }: PlotRequest): Promise<Figure> {
    const names = typeof results === "string" ? [results] : results;
    return (
      await plot(this.workspace, {
        ...emptyPlot,
        ...request,
        experiment,
        x: typeof x === "string" ? { name: x } : x,
        results: names.map((name) => ({ name })),
      })
    ).figure;
  }

  /**
   * Renders a figure as `text`, `svg`, `html`, `markdown`, `latex`, `json`, `csv` or `gnuplot` script, as the bytes of
   * a `png`, or with a custom renderer.
   */
  render(figure: Figure, format = "text", request: RenderRequest = {}): Promise<string | Uint8Array> {
    return render(this.workspace, figure, format, request);
  }
}

/**
 * Opens the project of a folder: `.perun` is in it or above. `world` overrides settings of this process.
 */
export function openProject(folder = ".", world: Partial<Omit<World, "directory">> = {}): Project {
  return new Project(new Workspace({ ...processWorld(folder), ...world }, undefined, rebuildDamaged));
}

/**
 * Creates `.perun` in a folder, with a repository if there is none, and opens it. Existing files are unchanged.
 */
export async function initProject(
  folder = ".",
  options: Partial<Omit<InitOptions, "path">> = {},
  world: Partial<Omit<World, "directory">> = {},
): Promise<Project> {
  const defaults = { vcsParams: {}, vcsFlags: [], template: "master" };
  await init(openProject(folder, world).workspace, { ...defaults, ...options });
  return openProject(folder, world);
}

function minorOf(revision: string | undefined): { readonly minor?: string } {
  return revision === undefined ? {} : { minor: revision };
}
