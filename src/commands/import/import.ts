import { variablesOf } from "../../core/experiments/index.ts";
import { parseValue, type Value, type Values } from "../../core/values/index.ts";
import type { ImportHow } from "../../formats/store/index.ts";
import type { Experiments } from "../../store/experiments/index.ts";
import type { RunWriter } from "../../store/catalogue/index.ts";
import {
  experimentHome,
  withExperiments,
  type ExperimentHome,
  retryOnConflict,
} from "../../workspace/experiments/index.ts";
import { interruptible } from "../../workspace/processes/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import {
  completeOnce,
  givenValues,
  recordingAsk,
  settleDefinitions,
  textValues,
  type Ask,
  type SettledValues,
} from "./missing-values.ts";
import { startHeadLookup, type Link } from "../history/index.ts";
import { StartedRuns, readRuns, type ImportStep, type ReadTogether } from "./read-runs.ts";
import type { ArchiveOptions, ReadFile } from "./input-files.ts";
import type { ImportOptions, ImportResult, RunPreview } from "./options.ts";
import { lookUpTarget, requireUnchanged, type ImportTarget } from "./experiment-lookup.ts";
import { loadDescriptions, experimentName, planReadings, type LoadedDescription } from "./plan.ts";
import { runMetadata, writeRuns } from "./write-runs.ts";
import { comparedRuns, forcedBy } from "./known-rows.ts";
import { previewRuns } from "./preview-runs.ts";
import { ReadAhead, sizeOf } from "./read-ahead.ts";

/**
 * Imports files described by input descriptions. All files are stored, or none. Each file is read once while it is
 * parsed, hashed and stored. The database is opened for writing near the end, unless more rows must be stored than
 * memory should hold. Fails with `already-imported`, `nothing-found`, `missing-content`, `missing-definition` and other
 * failures of inputs.
 */
export function importFiles(workspace: Workspace, options: ImportOptions): Promise<ImportResult> {
  const files = options.inputs.flatMap((input) => input.files);
  return interruptible(
    (check, stopped) =>
      retryOnConflict(workspace, files, () => importUnlessStopped(workspace, options, check, stopped)),
    "nothing was imported",
  );
}

async function importUnlessStopped(
  workspace: Workspace,
  options: ImportOptions,
  check: () => void,
  stopped: AbortSignal,
): Promise<ImportResult> {
  const home = experimentHome(workspace, options.database);
  const loaded = loadDescriptions(workspace, options.inputs);
  const name = experimentName(workspace, options, loaded);
  const readTarget = (experiments: Experiments): Promise<ImportTarget> =>
    lookUpTarget(experiments, name, loaded, home, options);
  const target = withExperiments(workspace, home, "read", readTarget, options.waiting, stopped);
  const link = options.storeSet === undefined ? startHeadLookup(workspace) : Promise.resolve({});
  const known = await target;
  const answers: string[] = [];
  const ask = recordingAsk(options.ask, answers);
  const given = new Map([...known.sets, ...givenValues(options.fixed ?? [], known.stored.experiment)]);
  const descriptions = known.descriptions.map(({ parsed }) => parsed);
  const definition = options.storeSet === undefined ? options.missing?.definition : "ignore";
  const settled = await settleDefinitions(known.stored.experiment, descriptions, given, definition, ask);
  return new Import(workspace, home, options, {
    ...known,
    ...settled,
    given,
    link,
    ask,
    answers,
    check,
    stopped,
  }).run();
}

interface Prepared extends ImportTarget, SettledValues {
  /** Fixed values of the user and of parameter sets. */
  readonly given: Values;
  /** Commit of the runs. */
  readonly link: Promise<Link>;
  readonly ask: Ask;
  readonly answers: readonly string[];
  /** Fails after an interrupt. */
  check(): void;
  /** Aborted by an interrupt. */
  readonly stopped: AbortSignal;
}

class Import {
  readonly #workspace: Workspace;
  readonly #home: ExperimentHome;
  readonly #options: ImportOptions;
  readonly #known: Prepared;
  readonly #now: number;
  readonly #forced: (path: string) => boolean;
  /** Resolved when so little is left to read that the database may be opened. */
  readonly #nearlyRead: Promise<void>;
  #reportNearlyRead: () => void = () => {};

  constructor(workspace: Workspace, home: ExperimentHome, options: ImportOptions, known: Prepared) {
    this.#workspace = workspace;
    this.#home = home;
    this.#options = options;
    this.#known = known;
    this.#now = workspace.world.now() * 1000;
    this.#forced = forcedBy(options);
    this.#nearlyRead = new Promise((resolve) => (this.#reportNearlyRead = resolve));
  }

  run(): Promise<ImportResult> {
    const { preview, storeSet } = this.#options;
    if (storeSet !== undefined) return this.#storeSet(storeSet);
    return preview === undefined ? this.#store() : this.#preview(preview);
  }

  async #store(): Promise<ImportResult> {
    const performed = this.#performed();
    const link = await this.#known.link;
    const descriptions = this.#known.descriptions.map((each) => ({
      ...each,
      object: each.object ?? this.#storeDescription(each),
    }));
    const started = new StartedRuns();
    const steps = new ReadAhead(started.follow(this.#steps(descriptions, true)), sizeOf);
    const { stored, check } = this.#known;
    const { likePerfbase: isLikePerfbase = false, remark } = this.#options;
    const forced = this.#forced;
    const compared = { forced, mode: isLikePerfbase ? "ignore" : "refuse", remark } as const;
    const facts = { ...this.#facts(), ...link };
    const factsOf = (_: number, modified?: number) => ({ ...facts, performed: performed ?? modified ?? this.#now });
    let writer: RunWriter | undefined;
    try {
      const prefetched = steps.fill(maxHeldBytes);
      const failed = new AbortController();
      prefetched.catch((error: unknown) => failed.abort(error));
      await Promise.race([prefetched, this.#nearlyRead]);
      const runs = await this.#writing(async (experiments) => {
        await requireUnchanged(experiments, stored);
        if (isLikePerfbase) {
          await prefetched;
          await this.#refuseDuplicates(experiments, started.files);
        }
        const write = async (each: RunWriter) => {
          const written = await writeRuns((writer = each), steps, { check, forced, factsOf });
          return comparedRuns(experiments, stored, written, compared);
        };
        return experiments.import(stored, this.#now, this.#how(), write, !isLikePerfbase);
      }, failed.signal);
      return { experiment: stored.experiment.name, runs, ...link, stored: true };
    } catch (error) {
      if (isLikePerfbase) await this.#spendNumbers(started.lost, writer);
      throw error;
    } finally {
      await steps.close();
    }
  }

  /** Checked before any run gets a number. */
  async #refuseDuplicates(experiments: Experiments, files: readonly ReadFile[]): Promise<void> {
    for (const { path, sha256 } of files)
      if (!this.#forced(path)) await experiments.refuseDuplicate(this.#known.stored, path, sha256);
  }

  /** Best effort: the user sees why the import failed. */
  async #spendNumbers(lost: number, writer: RunWriter | undefined): Promise<void> {
    if (lost > 0)
      await this.#writing((each) => each.spendRunNumbers(this.#known.stored, lost, this.#now, writer)).catch(() => {});
  }

  async #preview(sink: RunPreview): Promise<ImportResult> {
    this.#performed();
    const { stored } = this.#known;
    const { name } = stored.experiment;
    const link = await this.#known.link;
    const steps = this.#steps(this.#known.descriptions, false);
    const { runs, unforced } = await previewRuns(steps, stored.experiment, sink, this.#forced);
    await withExperiments(this.#workspace, this.#home, "read", async (experiments) => {
      for (const [sha256, path] of unforced) await experiments.refuseDuplicate(stored, path, sha256);
    });
    return { experiment: name, runs, ...link, stored: false };
  }

  /** Later values replace earlier ones. */
  async #storeSet(name: string): Promise<ImportResult> {
    const { stored } = this.#known;
    const values = new Map<string, Value>();
    for await (const step of this.#steps(this.#known.descriptions, false)) {
      if (step.kind !== "found") continue;
      for (const [variable, value] of step.once) if (value !== null) values.set(variable, value);
    }
    const parameters = variablesOf(stored.experiment, "once").filter(
      (variable) => variable.role === "parameter" && values.has(variable.name),
    );
    const parameterValues = new Map(parameters.map((variable) => [variable.name, values.get(variable.name) ?? null]));
    await this.#writing(async (experiments) => experiments.storeParameterSet(stored, name, parameterValues, this.#now));
    return {
      experiment: stored.experiment.name,
      runs: [],
      stored: true,
      parameterSet: { name, contents: parameterValues.size },
    };
  }

  async *#steps(descriptions: readonly LoadedDescription[], isStoring: boolean): AsyncGenerator<ImportStep> {
    const { experiment } = this.#known.stored;
    const { missing, storeSet, sequential = false, encoding, notice = () => {} } = this.#options;
    const readings = planReadings(this.#workspace.files, this.#options, descriptions);
    const valuePolicy = storeSet === undefined ? missing?.value : "ignore";
    const { fixed, excused, ask } = this.#known;
    yield* readRuns(readings, {
      experiment,
      importer: await this.#workspace.registry.get("importer", "description"),
      settings: new Map(encoding === undefined ? [] : [["encoding", encoding]]),
      sequential,
      fixed,
      rows: missing?.cells === "ignore" || storeSet !== undefined ? "null" : "refuse",
      complete: (once, lacking) =>
        completeOnce(
          once,
          lacking.filter(({ name }) => !excused.has(name)),
          valuePolicy,
          ask,
        ),
      notice,
      archive: this.#archive(readings, isStoring),
    });
  }

  #archive(readings: readonly ReadTogether[], isStoring: boolean): ArchiveOptions {
    const { progress = () => {}, missing, streamLimit: maxStreamBytes = 16 * 2 ** 30 } = this.#options;
    const files = readings.flatMap(({ inputs }) => inputs.flatMap((input) => input.files));
    const total = files.reduce((sum, { size }) => sum + (size ?? Number.NaN), 0);
    let read = 0;
    const onBytes = (bytes: number): void => {
      this.#known.check();
      progress((read += bytes), Number.isNaN(total) ? undefined : total);
      if (total - read <= maxUnreadWhenOpening && missing?.value !== "ask") this.#reportNearlyRead();
    };
    return { maxStreamBytes, onBytes, ...(isStoring ? { objects: this.#home.objects.folder } : {}) };
  }

  /** Reading options for replaying the import, except descriptions and files. */
  #how(): ImportHow {
    const { join = false, sequential = false, missing = {}, encoding } = this.#options;
    const { given, stored, answers } = this.#known;
    return {
      joined: join,
      sequential,
      fixed: textValues(given, stored.experiment),
      missing: missing.value ?? "friendly",
      missingDefinition: missing.definition ?? "friendly",
      ...(missing.cells === undefined ? {} : { cells: missing.cells }),
      ...(answers.length === 0 ? {} : { answers }),
      ...(encoding === undefined ? {} : { encoding }),
    };
  }

  /** `failed`: stop waiting for the database. */
  #writing<T>(work: (experiments: Experiments) => Promise<T>, failed?: AbortSignal): Promise<T> {
    const { stopped } = this.#known;
    const ended = failed ? AbortSignal.any([stopped, failed]) : stopped;
    return withExperiments(this.#workspace, this.#home, "write", work, this.#options.waiting, ended);
  }

  #storeDescription({ bytes }: LoadedDescription) {
    return this.#home.objects.put("attachment", "input", bytes).digest;
  }

  /** undefined: the file's modification time. */
  #performed(): number | undefined {
    const { performed } = this.#options;
    if (performed === undefined) return this.#now;
    return typeof performed === "string"
      ? Number(parseValue(performed, { name: "performed", type: "timestamp" }))
      : undefined;
  }

  #facts() {
    const {
      label,
      synopsis = this.#known.descriptions.find(({ parsed }) => parsed.synopsis !== undefined)?.parsed.synopsis,
    } = this.#options;
    return runMetadata(this.#workspace, { label, synopsis }, this.#now);
  }
}

/** Rows held in memory before the database is opened, bytes. */
const maxHeldBytes = 16 * 1024 * 1024;

/**
 * Unread bytes at which the database is opened, bytes: reading them takes longer than opening it, and goes on while
 * rows are written.
 */
const maxUnreadWhenOpening = 4 * 1024 * 1024;
