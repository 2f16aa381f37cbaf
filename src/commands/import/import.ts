import { Failure } from "../../core/failures/failure.ts";
import { variablesOf } from "../../core/experiments/experiment.ts";
import { formatValue, parseValue, type Value, type Values } from "../../core/values/value.ts";
import type { ImportHow } from "../../formats/store/experiments/ledger-import.ts";
import type { StoredExperiment } from "../../store/catalogue/catalogue.ts";
import type { Experiments } from "../../store/experiments/experiments.ts";
import type { RunWriter } from "../../store/catalogue/run-writer.ts";
import { experimentHome, withExperiments, type ExperimentHome } from "../../workspace/experiments/experiments.ts";
import { interruptible } from "../../workspace/processes/interruptible.ts";
import { retryOnConflict } from "../../workspace/experiments/retry-on-conflict.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { completeOnce, givenContents, settleDefinitions, type Ask, type SettledContents } from "./missing-values.ts";
import { startHeadLookup, type Link } from "../history/head-lookup.ts";
import { BegunRuns, readRuns, type ImportStep, type ReadTogether } from "./read-runs.ts";
import type { PassingOptions, ReadFile } from "./input-files.ts";
import type { ImportOptions, ImportResult, RunPreview } from "./options.ts";
import { lookUp, type Known } from "./experiment-lookup.ts";
import { describedInputs, experimentNamed, readings, type FoundDescription } from "./plan.ts";
import { writeRuns } from "./write-runs.ts";
import { importedRun, previewRuns } from "./preview-runs.ts";
import { ReadAhead } from "./read-ahead.ts";

/**
 * Reads files by input descriptions. All of them are stored, or none: each is read once, while it is parsed, hashed and
 * kept. The database is open for writing only towards the end, unless there is more to store than memory should hold.
 * Fails with `already-imported`, `nothing-found`, `missing-content`, `missing-definition` and what else an input can be
 * wrong in.
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
  const written = describedInputs(workspace, options.inputs);
  const name = experimentNamed(workspace, options, written);
  const look = (experiments: Experiments): Promise<Known> => lookUp(experiments, name, written, home, options);
  const looking = withExperiments(workspace, home, "read", look, options.waiting, stopped);
  const link = options.storeSet === undefined ? startHeadLookup(workspace) : Promise.resolve({});
  const known = await looking;
  const answers: string[] = [];
  const ask = recordingAsk(options, answers);
  const given = new Map([...known.sets, ...givenContents(options.fixed ?? [], known.stored.experiment)]);
  const descriptions = known.found.map(({ parsed }) => parsed);
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

/** Answers are kept, so that the import can be done again without anybody. */
function recordingAsk({ ask }: ImportOptions, answers: string[]): Ask {
  return async (question) => {
    const answer = (await ask?.(question)) ?? null;
    if (answer !== null) answers.push(answer);
    return answer;
  };
}

interface Prepared extends Known, SettledContents {
  /** What the user gave, and what parameter sets give. */
  readonly given: Values;
  /** To which version the runs belong. */
  readonly link: Promise<Link>;
  readonly ask: Ask;
  readonly answers: readonly string[];
  /** Fails when the user wants it to stop. */
  check(): void;
  /** Told when the user wants it to stop. */
  readonly stopped: AbortSignal;
}

class Import {
  readonly #workspace: Workspace;
  readonly #home: ExperimentHome;
  readonly #options: ImportOptions;
  readonly #known: Prepared;
  readonly #now: number;
  /** So little is left to be read that the database may be opened meanwhile. */
  readonly #nearlyRead: Promise<void>;
  #tellNearlyRead: () => void = () => {};

  constructor(workspace: Workspace, home: ExperimentHome, options: ImportOptions, known: Prepared) {
    this.#workspace = workspace;
    this.#home = home;
    this.#options = options;
    this.#known = known;
    this.#now = workspace.world.now() * 1000;
    this.#nearlyRead = new Promise((resolve) => (this.#tellNearlyRead = resolve));
  }

  run(): Promise<ImportResult> {
    const { preview, storeSet } = this.#options;
    if (storeSet !== undefined) return this.#storeSet(storeSet);
    return preview === undefined ? this.#store() : this.#preview(preview);
  }

  async #store(): Promise<ImportResult> {
    const performed = this.#performed();
    const link = await this.#known.link;
    const found = this.#known.found.map((each) => ({ ...each, kept: each.kept ?? this.#keep(each) }));
    const begun = new BegunRuns();
    const steps = new ReadAhead(begun.follow(this.#steps(found, true)), weightOf);
    const { stored, check } = this.#known;
    const facts = { ...this.#facts(), ...link };
    let writer: RunWriter | undefined;
    try {
      const filled = steps.fill(heldAtMost);
      const failed = new AbortController();
      filled.catch((error: unknown) => failed.abort(error));
      await Promise.race([filled, this.#nearlyRead]);
      const runs = await this.#writing(async (experiments) => {
        await refuseChanged(experiments, stored);
        if (this.#options.numbersFailures === true) {
          await filled;
          await this.#refuseDuplicates(experiments, begun.files);
        }
        const factsOf = (_: number, modified: number | undefined) => ({
          ...facts,
          performed: performed ?? modified ?? this.#now,
        });
        const write = (each: RunWriter) =>
          writeRuns((writer = each), steps, { check, forced: (path) => this.#forced(path), factsOf });
        return experiments.import(stored, this.#now, this.#how(), write);
      }, failed.signal);
      return { experiment: stored.experiment.name, runs: runs.map(importedRun), ...link, stored: true };
    } catch (error) {
      if (this.#options.numbersFailures === true) await this.#spendNumbers(begun.lost, writer);
      throw error;
    } finally {
      await steps.close();
    }
  }

  /** Before any run of them gets a number. */
  async #refuseDuplicates(experiments: Experiments, files: readonly ReadFile[]): Promise<void> {
    for (const { path, sha256 } of files)
      if (!this.#forced(path)) await experiments.refuseDuplicate(this.#known.stored, path, sha256);
  }

  /** The user is told why the import failed, whatever becomes of this. */
  async #spendNumbers(lost: number, writer: RunWriter | undefined): Promise<void> {
    if (lost > 0)
      await this.#writing((each) => each.spendRunNumbers(this.#known.stored, lost, this.#now, writer)).catch(() => {});
  }

  async #preview(sink: RunPreview): Promise<ImportResult> {
    this.#performed();
    const { stored } = this.#known;
    const { name } = stored.experiment;
    const link = await this.#known.link;
    const steps = this.#steps(this.#known.found, false);
    const { runs, unforced } = await previewRuns(steps, stored.experiment, sink, (path) => this.#forced(path));
    await withExperiments(this.#workspace, this.#home, "read", async (experiments) => {
      for (const [sha256, path] of unforced) await experiments.refuseDuplicate(stored, path, sha256);
    });
    return { experiment: name, runs, ...link, stored: false };
  }

  /** Contents found later replace earlier ones. */
  async #storeSet(name: string): Promise<ImportResult> {
    const { stored } = this.#known;
    const values = new Map<string, Value>();
    for await (const step of this.#steps(this.#known.found, false)) {
      if (step.kind !== "found") continue;
      for (const [variable, value] of step.once) if (value !== null) values.set(variable, value);
    }
    const parameters = variablesOf(stored.experiment, "once").filter(
      (variable) => variable.role === "parameter" && values.has(variable.name),
    );
    const contents = new Map(parameters.map((variable) => [variable.name, values.get(variable.name) ?? null]));
    await this.#writing(async (experiments) => experiments.storeParameterSet(stored, name, contents, this.#now));
    return {
      experiment: stored.experiment.name,
      runs: [],
      stored: true,
      parameterSet: { name, contents: contents.size },
    };
  }

  async *#steps(found: readonly FoundDescription[], keeping: boolean): AsyncGenerator<ImportStep> {
    const { experiment } = this.#known.stored;
    const { missing, storeSet, sequential = false, encoding, notice = () => {} } = this.#options;
    const together = readings(this.#workspace.files, this.#options, found);
    const content = storeSet === undefined ? missing?.content : "ignore";
    const { fixed, excused, ask } = this.#known;
    yield* readRuns(together, {
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
          content,
          ask,
        ),
      notice,
      passing: this.#passing(together, keeping),
    });
  }

  #passing(together: readonly ReadTogether[], keeping: boolean): PassingOptions {
    const { progress = () => {}, missing, streamLimit: most = 16 * 2 ** 30 } = this.#options;
    const files = together.flatMap(({ inputs }) => inputs.flatMap((input) => input.files));
    const total = files.reduce((sum, { size }) => sum + (size ?? Number.NaN), 0);
    let read = 0;
    const passed = (bytes: number): void => {
      this.#known.check();
      progress((read += bytes), Number.isNaN(total) ? undefined : total);
      if (total - read <= readWhileOpening && missing?.content !== "ask") this.#tellNearlyRead();
    };
    return { most, passed, ...(keeping ? { objects: this.#home.objects.folder } : {}) };
  }

  /** Everything that reading depends on besides descriptions and files, for doing it again. */
  #how(): ImportHow {
    const { join = false, sequential = false, missing = {}, encoding } = this.#options;
    const { given, stored, answers } = this.#known;
    return {
      joined: join,
      sequential,
      fixed: writtenContents(given, stored),
      missing: missing.content ?? "friendly",
      missingDefinition: missing.definition ?? "friendly",
      ...(missing.cells === undefined ? {} : { cells: missing.cells }),
      ...(answers.length === 0 ? {} : { answers }),
      ...(encoding === undefined ? {} : { encoding }),
    };
  }

  /** `failed`: there is no need to wait for the database any more. */
  #writing<T>(work: (experiments: Experiments) => Promise<T>, failed?: AbortSignal): Promise<T> {
    const { stopped } = this.#known;
    const ended = failed ? AbortSignal.any([stopped, failed]) : stopped;
    return withExperiments(this.#workspace, this.#home, "write", work, this.#options.waiting, ended);
  }

  #keep({ bytes }: FoundDescription) {
    return this.#home.objects.put("attachment", "input", bytes).digest;
  }

  #forced(path: string): boolean {
    const { force = false } = this.#options;
    return force === true || (force !== false && force.includes(path));
  }

  /** undefined: when the file was changed last. */
  #performed(): number | undefined {
    const { performed } = this.#options;
    if (performed === undefined) return this.#now;
    return typeof performed === "string"
      ? Number(parseValue(performed, { name: "performed", type: "timestamp" }))
      : undefined;
  }

  #facts() {
    const { label, synopsis = this.#known.found.find(({ parsed }) => parsed.synopsis !== undefined)?.parsed.synopsis } =
      this.#options;
    const performer = this.#workspace.world.environment["USER"];
    return {
      created: this.#now,
      ...(performer ? { performer } : {}),
      ...(label === undefined ? {} : { label }),
      ...(synopsis === undefined ? {} : { synopsis }),
    };
  }
}

/** So many bytes of rows are held before the database is opened to write them. */
const heldAtMost = 16 * 1024 * 1024;

/**
 * Reading so many bytes takes longer than opening the database and asking it what it needs to tell before it is written
 * to; what is left of them is read while what was read before is written.
 */
const readWhileOpening = 4 * 1024 * 1024;

function weightOf(step: ImportStep): number {
  const cells = step.kind === "rows" || step.kind === "update" ? step.table.length * step.table.columns.length : 0;
  return 8 * cells + 256;
}

/** What was read is conformed to the experiment as it was when reading began. Fails with `experiment-changed`. */
async function refuseChanged(
  experiments: Experiments,
  { id, experiment, variableIds }: StoredExperiment,
): Promise<void> {
  const now = await experiments.find(experiment.name);
  const told = (each: Pick<StoredExperiment, "id" | "experiment" | "variableIds">): string =>
    JSON.stringify([each.id, each.variableIds, each.experiment.variables], (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
  if (told(now) !== told({ id, experiment, variableIds }))
    throw new Failure("experiment-changed", { experiment: experiment.name });
}

function writtenContents(values: Values, { experiment }: StoredExperiment): (readonly [string, string])[] {
  return experiment.variables.flatMap(({ name, type }) => {
    const value = values.get(name) ?? null;
    return value === null ? [] : [[name, formatValue(value, type)] as const];
  });
}
