import { add, type Added } from "./commands/profiles/register.ts";
import { checkHead, type VersionCheck } from "./commands/verdicts/check-history.ts";
import type { CheckMethod } from "./commands/verdicts/check-methods.ts";
import { checkSeries, type CheckedSeries, type CheckSeriesOptions } from "./commands/verdicts/check-series.ts";
import { collect } from "./commands/jobs/collect.ts";
import { convertStacks } from "./commands/profiles/convert-stacks.ts";
import { createExperiment } from "./commands/experiments/create-experiment.ts";
import { importFiles } from "./commands/import/import.ts";
import type { ImportOptions, ImportResult } from "./commands/import/options.ts";
import { importProfile, type ImportedProfile, type ImportProfileOptions, keepRun, type KeepRunOptions } from "./commands/profiles/import-profile.ts";
import { importReports, type ImportedReports, type ImportReportsOptions } from "./commands/import/import-reports.ts";
import { init, type InitOptions } from "./commands/configuration/init.ts";
import { listExperiments } from "./commands/experiments/list-experiments.ts";
import { log, type LogEntry } from "./commands/history/log.ts";
import { plot, type PlotOptions } from "./commands/query/plot.ts";
import { postprocessAndKeep } from "./commands/profiles/postprocess.ts";
import { query, type QueryOptions, type QueryResult } from "./commands/query/query.ts";
import { render, type RenderRequest } from "./commands/report/render.ts";
import type { JobOptions } from "./commands/jobs/run-jobs.ts";
import { readProfile, show } from "./commands/profiles/show.ts";
import { status, type Status } from "./commands/history/status.ts";
import type { Experiment } from "./core/experiments/experiment.ts";
import type { Figure } from "./core/figures/figure.ts";
import { emptyPlot, type PlotDescription } from "./core/experiments/plot-description.ts";
import type { Run } from "./core/profiles/run.ts";
import { settingsOf, type PlainSettings } from "./core/values/setting.ts";
import { concatenateBytes } from "./formats/bytes/concatenate.ts";
import type { LevelChange } from "./math/detectors/level-change.ts";
import type { ExperimentSummary } from "./store/catalogue/experiment-lists.ts";
import type { JobsResult } from "./workspace/jobs/ledger.ts";
import type { SavedProfile } from "./workspace/profiles/save-profile.ts";
import { optionsOf } from "./workspace/plugins/plugin-options.ts";
import { processWorld } from "./workspace/workspace.ts";
import { Workspace, type World } from "./workspace/workspace.ts";

/** What `measure` is told besides collector and commands. */
export interface MeasureOptions extends Partial<Omit<JobOptions, "cmds" | "collectors" | "postprocessors">> {
  /** Options of the collector. */
  readonly params?: PlainSettings;
}

/** What `importProfile` is told besides the file. */
export interface ProfileImport extends Partial<Omit<ImportProfileOptions, "file" | "params">> {
  /** Options of the reader. */
  readonly params?: PlainSettings;
}

/** What `checkSeries` is told: whose numbers, and how they are judged. Everything may be left out. */
export interface SeriesRequest extends Partial<Omit<CheckSeriesOptions, "options" | "program">> {
  /** Options of the detector. */
  readonly options?: PlainSettings;
}

/** What `plot` is told besides experiment and results. `x` is the parameter along the x axis. */
export interface PlotRequest extends Partial<Omit<PlotOptions, "experiment" | "results" | "x">> {
  readonly x: string | NonNullable<PlotDescription["x"]>;
}

/**
 * The performance of a project beside its history: what the verbs of the command line do, with their usual answers to
 * all that is not said. Nothing is printed, and nobody is asked. What fails, fails with a `Failure`. Profiles are named
 * as everywhere: `0@p` (pending), `0@i` (registered at the version), a name, `REV^0@i`, the 40 digits of an object, or
 * a path. A revision that is left out is the head.
 */
export class Project {
  /** For the verbs that have no method here, and for what they are made of. */
  readonly workspace: Workspace;

  constructor(workspace: Workspace) {
    this.workspace = workspace;
  }

  /** Where history stands, what is registered there, and what is pending. */
  status(): Promise<Status> {
    return status(this.workspace);
  }

  /**
   * The history from a revision on, the newest first: each version with its profiles and the changes that checks found.
   * Fails with `unknown-revision`.
   */
  async *history(
    options: { readonly revision?: string; readonly limit?: number; readonly onlyWithProfiles?: boolean } = {},
  ): AsyncGenerator<LogEntry, void> {
    for await (const entries of log(this.workspace, { onlyWithProfiles: false, ...options })) yield* entries;
  }

  /** A profile with all its rows. Fails with `profile-not-found`, `ambiguous-profile`, `not-a-profile`. */
  read(profile: string, revision?: string): Promise<Run> {
    return readProfile(this.workspace, { profile, confirm: null, ...minorOf(revision) });
  }

  /** Keeps a run that you measured as a pending profile of a version, or registers it there. */
  keep(run: Run, options: KeepRunOptions = {}): Promise<SavedProfile> {
    return keepRun(this.workspace, run, options);
  }

  /**
   * Makes a pending profile of the file of another profiler or benchmark program, whose format its content tells. Fails
   * with `unknown-profile-format`.
   */
  importProfile(file: string, { params = {}, ...options }: ProfileImport = {}): Promise<ImportedProfile> {
    return importProfile(this.workspace, { ...options, file, params: settingsOf(params) });
  }

  /**
   * Measures commands by a collector; each profile is pending, or registered if asked. What failed is told in `failed`,
   * and all the rest was kept.
   */
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

  /** Applies a postprocessor to a profile and keeps the result as a pending one. */
  async postprocess(profile: string, unit: string, params: PlainSettings = {}): Promise<SavedProfile> {
    return (await postprocessAndKeep(this.workspace, { profile, unit, params: settingsOf(params), confirm: null }))
      .kept;
  }

  /**
   * Registers profiles at a version, which takes them from the pending ones. All that can be are; then it fails as the
   * first that could not be, such as with `wrong-origin` unless `force`, or `dirty-profile` unless `allowDirty`.
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
    const usual = { force: false, allowDirty: false, keepProfile: false, confirm: null };
    const { added, failed } = await add(this.workspace, {
      ...usual,
      ...options,
      profiles: typeof profiles === "string" ? [profiles] : profiles,
    });
    if (failed[0] !== undefined) throw failed[0].failure;
    return added;
  }

  /** Compares the profiles of a version with those of its nearest measured ancestors, and stores what changed. */
  check(revision?: string, how: CheckMethod = {}): Promise<VersionCheck> {
    return checkHead(this.workspace, revision, how);
  }

  /**
   * Looks for changes in the history of every number: of profiles, or `of: { experiment }`. Fails with `no-series`
   * where nothing was measured.
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

  /**
   * Where the level of a series of your own changes; values in their order, finite. A change names the first value of
   * its new level.
   */
  async detect(
    values: Iterable<number>,
    method = "ensemble",
    options: PlainSettings = {},
  ): Promise<readonly LevelChange[]> {
    const detector = await this.workspace.registry.get("detector", method);
    return detector.detect(Float64Array.from(values), optionsOf(detector, settingsOf(options)));
  }

  /** A profile, or a file of any profiler, in a format of stacks: `folded`, `pprof`, `speedscope` or `perun`. */
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
   * Makes an experiment of its description. Fails with `description-error`, which tells file, line and column, and
   * `experiment-exists`.
   */
  async createExperiment(file: string, database?: string): Promise<Experiment> {
    const made = await createExperiment(this.workspace, { file, ...(database === undefined ? {} : { database }) });
    return made.experiment;
  }

  /**
   * Reads results of known benchmark programs into an experiment, which is made or extended as they need it. All of
   * them are stored, or none.
   */
  importReports(
    files: string | readonly string[],
    options: Omit<ImportReportsOptions, "files"> = {},
  ): Promise<ImportedReports> {
    return importReports(this.workspace, { ...options, files: typeof files === "string" ? [files] : files });
  }

  /** Reads files as an input description says. All of them are stored, or none. */
  importFiles(
    description: string,
    files: string | readonly string[],
    options: Omit<ImportOptions, "inputs"> = {},
  ): Promise<ImportResult> {
    const inputs = [{ description: { file: description }, files: typeof files === "string" ? [files] : files }];
    return importFiles(this.workspace, { ...options, inputs });
  }

  /**
   * Asks an experiment; `records` turns the table of the answer into objects. Fails with `nothing-selected` where no
   * data set fits.
   */
  query(experiment: string, question: Omit<QueryOptions, "experiment"> = {}): Promise<QueryResult> {
    return query(this.workspace, { ...question, experiment });
  }

  /** What a view shows of a profile. Fails with `unknown-plugin`, `nothing-to-draw`. */
  show(profile: string, view = "tableof", options: PlainSettings = {}, revision?: string): Promise<Figure> {
    return show(this.workspace, { profile, confirm: null, params: settingsOf(options), ...minorOf(revision) }, view);
  }

  /**
   * Draws results of an experiment over a parameter. Fails like `query`, and with `unusable-combination` for what has
   * no picture.
   */
  async plot(experiment: string, results: string | readonly string[], { x, ...request }: PlotRequest): Promise<Figure> {
    const names = typeof results === "string" ? [results] : results;
    const place = typeof x === "string" ? { name: x } : x;
    return (
      await plot(this.workspace, {
        ...emptyPlot,
        ...request,
        experiment,
        x: place,
        results: names.map((name) => ({ name })),
      })
    ).figure;
  }

  /**
   * A figure as `text`, `svg`, `html`, `markdown`, `latex`, `json`, `csv` or `gnuplot` script, as the bytes of a `png`,
   * or by a renderer of your own.
   */
  render(figure: Figure, format = "text", request: RenderRequest = {}): Promise<string | Uint8Array> {
    return render(this.workspace, figure, format, request);
  }
}

/**
 * The project that a folder belongs to: `.perun` lies in it or above. `world`: what is to be different from this
 * process.
 */
export function openProject(folder = ".", world: Partial<Omit<World, "directory">> = {}): Project {
  return new Project(new Workspace({ ...processWorld(folder), ...world }));
}

/**
 * Makes `.perun` in a folder, in which there is a repository or will be one, and opens it. What is there already stays
 * as it is.
 */
export async function initProject(
  folder = ".",
  options: Partial<Omit<InitOptions, "path">> = {},
  world: Partial<Omit<World, "directory">> = {},
): Promise<Project> {
  const usual = { vcsParams: {}, vcsFlags: [], template: "master" };
  await init(openProject(folder, world).workspace, { ...usual, ...options });
  return openProject(folder, world);
}

function minorOf(revision: string | undefined): { readonly minor?: string } {
  return revision === undefined ? {} : { minor: revision };
}
