import { Failure, exitStatus } from "../../core/failures/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import { type ImportChange, numbersGiven, type LedgerChange } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import {
  alterExperiment,
  experimentById,
  insertExperiment,
  nextId,
  withIds,
  type StoredExperiment,
  uniqueName,
  touch,
  RunWriter,
} from "../catalogue/index.ts";
import type { HistoryStep } from "./history-step.ts";
import { stepBatches, IndependentImports } from "./independent-imports.ts";
import type { LocalHistory } from "./local-history.ts";
import { appendChange, appendChanges, applyChange, type ImportReplay } from "../ledger/index.ts";
import type { Objects } from "../objects/index.ts";
import { recordsOf, runSequence } from "../schema/index.ts";

export interface HistoryTools {
  readonly engine: Engine;
  readonly objects: Pick<Objects, "put" | "get">;
  /** How to replay the import with this origin. */
  replayOf(origin: Digest): ImportReplay;
  /** The owner of created experiments. */
  readonly owner?: string | undefined;
  /** Called with the number of applied steps. */
  onProgress(steps: number, all: number): void;
}

/** The result of applying a history. */
export interface AppliedHistory {
  /** The local name; absent if the experiment does not exist. */
  readonly name?: string;
  /** Number of applied steps. */
  readonly steps: number;
}

/** A step that cannot be applied here; the previous steps are applied. */
export class StepRefused extends Error {
  readonly origin: Digest;

  constructor(origin: Digest, cause: Failure) {
    super(cause.message, { cause });
    this.origin = origin;
  }
}

/** Applies shared steps to an experiment, translating keys and names to local ids and names. */
export class HistoryApplier {
  readonly #tools: HistoryTools;
  readonly #uid: Digest;
  readonly #independent: IndependentImports;
  /** Ids of the existing variables by key. */
  #ids = new Map<string, number>();
  #id = 0;
  /** The shared name. */
  #sharedName = "";
  /** The highest run number so far. */
  #lastRun = 0;

  constructor(tools: HistoryTools, uid: Digest, local?: LocalHistory) {
    this.#tools = tools;
    this.#uid = uid;
    this.#independent = new IndependentImports(tools.objects);
    if (local === undefined) return;
    this.#id = local.id;
    this.#ids = new Map(local.keys.map((key, at) => [key, local.variableIds[at] as number]));
  }

  /** 0 until the experiment exists. */
  get id(): number {
    return this.#id;
  }

  applyAll(steps: readonly HistoryStep[]): Promise<AppliedHistory> {
    return this.applyMissing(steps, new Set());
  }

  async applyMissing(steps: readonly HistoryStep[], done: ReadonlySet<Digest>): Promise<AppliedHistory> {
    const before = steps.filter(({ origin }) => done.has(origin));
    for (const step of before) this.#noteApplied(step);
    const missing = steps.filter(({ origin }) => !done.has(origin));
    let at = 0;
    for (const batch of stepBatches(missing, this.#independent)) {
      this.#tools.onProgress(at, missing.length);
      await this.#applyBatch(batch);
      at += batch.length;
    }
    await this.#setModified(steps.at(-1)?.time ?? 0);
    const { experiment } = await experimentById(this.#tools.engine, this.#id);
    return { name: experiment.name, steps: steps.length - before.length };
  }

  /** Sets the same modification time on all instances, which may have applied imports in different orders. */
  async #setModified(time: number): Promise<void> {
    const { engine, objects } = this.#tools;
    const [row] = recordsOf(await engine.query("select modified from experiment where id = $1", [this.#id]));
    if (Number(row?.get("modified")) === time) return;
    await engine.transaction(async () => {
      await touch(engine, this.#id, time);
      await appendChange(engine, objects, this.#id, { kind: "mend", findings: [] }, time, { aside: true });
    });
  }

  /** Within a transaction of the caller. */
  async rename(sharedName: string, time: number): Promise<void> {
    const { engine, objects } = this.#tools;
    const stored = await experimentById(engine, this.#id);
    const name = await uniqueName(engine, sharedName, this.#uid, stored.experiment.name);
    const after = { ...stored, experiment: { ...stored.experiment, name } };
    await alterExperiment(engine, stored, after, false);
    await touch(engine, this.#id, time);
    const change: LedgerChange = {
      kind: "update-experiment",
      description: after.experiment,
      variables: after.variableIds,
    };
    await appendChange(engine, objects, this.#id, change, time, { aside: true });
  }

  /** Updates the state for a step that is applied here. */
  #noteApplied({ change }: HistoryStep): void {
    if (change.kind === "create-experiment" || change.kind === "update-experiment")
      this.#sharedName = change.description.name;
    else if (change.kind === "undelete-experiment") this.#sharedName = change.name;
    else if (change.kind === "import") this.#noteRunNumbers(change);
  }

  /** Applies steps; if one is refused, applies those before it and rethrows. */
  async #applyBatch(steps: readonly HistoryStep[]): Promise<void> {
    try {
      await this.#apply(steps);
    } catch (error) {
      const before = error instanceof StepRefused ? steps.findIndex(({ origin }) => origin === error.origin) : 0;
      if (before > 0) await this.#apply(steps.slice(0, before));
      throw error;
    }
  }

  /** Applies one step or several imports in one transaction. */
  async #apply(steps: readonly HistoryStep[]): Promise<void> {
    const { engine, objects } = this.#tools;
    await engine.transaction(async () => {
      const changes = await this.#ledgerChanges(steps);
      await touch(engine, this.#id, steps.at(-1)?.time ?? 0);
      const entries = steps.map(({ time, origin }, at) => ({ change: changes[at] as LedgerChange, time, origin }));
      await appendChanges(engine, objects, this.#id, entries);
    });
    for (const step of steps) this.#noteApplied(step);
  }

  /** Applies steps and returns them as changes of the local ledger. */
  async #ledgerChanges(steps: readonly HistoryStep[]): Promise<LedgerChange[]> {
    const [first] = steps;
    if (first?.change.kind === "create-experiment") return [await this.#create(first)];
    const { engine } = this.#tools;
    const stored = await experimentById(engine, this.#id);
    const changes: LedgerChange[] = [];
    for (const step of steps) {
      const localized = await this.#localize(stored, step);
      await applyChange(engine, stored, localized, step.time, (before, change) =>
        this.#import(before, change, step.origin),
      );
      changes.push(localized);
    }
    if (first?.change.kind === "import")
      await engine.catalogue.restartRuns(
        stored.id,
        Math.max(this.#lastRun + 1, await nextId(engine, runSequence(stored.id))),
      );
    return changes;
  }

  async #create({ change, time }: HistoryStep): Promise<LedgerChange> {
    if (change.kind !== "create-experiment") throw new TypeError("not a step that creates an experiment");
    const { engine, owner } = this.#tools;
    const { kind, keys, description } = change;
    const name = await uniqueName(engine, description.name, this.#uid);
    const stored = await withIds(engine, { ...description, name }, owner);
    await insertExperiment(engine, stored, time);
    this.#id = stored.id;
    this.#ids = new Map(keys.map((key, at) => [key, stored.variableIds[at] as number]));
    const owned = stored.owner === undefined ? {} : { owner: stored.owner };
    return { kind, description: stored.experiment, variables: stored.variableIds, ...owned, uid: this.#uid, keys };
  }

  async #localize(
    stored: StoredExperiment,
    { change }: HistoryStep,
  ): Promise<Exclude<LedgerChange, { kind: "create-experiment" | "spend-numbers" }>> {
    const { engine } = this.#tools;
    const { name } = stored.experiment;
    switch (change.kind) {
      case "create-experiment":
        throw new TypeError("an experiment is created once");
      case "update-experiment": {
        const { kind, description, keys, converts } = change;
        const variables = await this.#idsOf(keys);
        const localName =
          description.name === this.#sharedName ? name : await uniqueName(engine, description.name, this.#uid, name);
        const converted = converts === undefined ? {} : { converts };
        return { kind, description: { ...description, name: localName }, variables, keys, ...converted };
      }
      case "undelete-experiment":
        return {
          ...change,
          name: await uniqueName(engine, change.name === this.#sharedName ? name : change.name, this.#uid),
        };
      case "store-parameters":
        return {
          ...change,
          contents: change.contents.map(({ key, content }) => ({ variable: this.#ids.get(key) ?? 0, content })),
        };
      default:
        return change;
    }
  }

  async #idsOf(keys: readonly string[]): Promise<number[]> {
    const ids: number[] = [];
    for (const key of keys) ids.push(this.#ids.get(key) ?? (await nextId(this.#tools.engine, "variable_ids")));
    this.#ids = new Map(keys.map((key, at) => [key, ids[at] as number]));
    return ids;
  }

  async #import(stored: StoredExperiment, change: ImportChange, origin: Digest): Promise<void> {
    const { engine, replayOf } = this.#tools;
    try {
      const writer = new RunWriter(engine, stored, { numbers: numbersGiven(change), updates: true });
      await replayOf(origin)(stored, change, writer);
      await writer.finish();
    } catch (error) {
      if (!(error instanceof Failure) || unrelatedExits.includes(error.exit) || isOfSystem(error.cause)) throw error;
      throw new StepRefused(origin, error);
    }
    this.#noteRunNumbers(change);
  }

  #noteRunNumbers(change: ImportChange): void {
    this.#lastRun = Math.max(this.#lastRun, ...numbersGiven(change));
  }
}

/** Whether a call of the operating system failed, such as the opening of a stored file. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && ("syscall" in error || isOfSystem(error.cause));
}

/** Exit statuses of failures that the imported files do not cause. */
const unrelatedExits: readonly number[] = [exitStatus.host, exitStatus.interrupted, exitStatus.bug];
