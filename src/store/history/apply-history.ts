import type { Digest } from "../../core/versions/digest.ts";
import { exitStatus } from "../../core/failures/kind.ts";
import { Failure } from "../../core/failures/failure.ts";
import { numbersGiven, type LedgerChange } from "../../formats/store/experiments/ledger.ts";
import type { ImportChange } from "../../formats/store/experiments/ledger-import.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { alterExperiment } from "../catalogue/alter-experiment.ts";
import {
  purgeExperiment,
  experimentById,
  insertExperiment,
  nextId,
  withIds,
  type StoredExperiment,
} from "../catalogue/catalogue.ts";
import { touch } from "../catalogue/experiment-states.ts";
import { RunWriter } from "../catalogue/run-writer.ts";
import { appendChange, appendChanges } from "../ledger/ledger.ts";
import type { Objects } from "../objects/objects.ts";
import { applyChange, type ImportReplay } from "../ledger/rebuild.ts";
import { recordsOf } from "../schema/result-rows.ts";
import { restartRuns, runSequence } from "../schema/schema.ts";
import { commonPrefixLength, renumberedImports, newSharedName } from "./compare-histories.ts";
import type { HistoryStep } from "./history-step.ts";
import { stepBatches } from "./step-batches.ts";
import type { LocalHistory } from "./local-history.ts";
import { uniqueName } from "./unique-name.ts";
import { renumberRuns } from "./move-runs.ts";
import { IndependentImports } from "./independent-imports.ts";

export interface HistoryTools {
  readonly engine: Engine;
  readonly objects: Pick<Objects, "put" | "get">;
  /** How an import is done, by its origin. */
  replayOf(origin: Digest): ImportReplay;
  /** Who owns experiments that are made. */
  readonly owner?: string | undefined;
  /** Is told how many of the steps that it takes are done. */
  onProgress(steps: number, all: number): void;
}

/** What became of an experiment. */
export interface AppliedHistory {
  /** What it is called here; absent: it is not there. */
  readonly name?: string;
  /** How many steps were done. */
  readonly steps: number;
}

/** A step that cannot be done here; what came before it is done. */
export class StepRefused extends Error {
  readonly origin: Digest;

  constructor(origin: Digest, cause: Failure) {
    super(cause.message, { cause });
    this.origin = origin;
  }
}

/**
 * Makes an experiment what its joined history says: does the steps that were not done here, in transactions of one step
 * or some imports. Where others made something before what was done here already, runs get other numbers, or else the
 * experiment is made again beside the one that is there, whose place it takes in the end. Fails with StepRefused when
 * an import cannot be read again; nothing that was there is lost then.
 */
export async function applyHistory(
  tools: HistoryTools,
  uid: Digest,
  steps: readonly HistoryStep[],
  local: LocalHistory | undefined,
): Promise<AppliedHistory> {
  const [only] = steps;
  if (only?.change.kind === "purge-experiment") return purge(tools, only, local);
  if (only === undefined) return { steps: 0 };
  if (local === undefined) return new HistoryApplier(tools, uid).applyAll(steps);
  const separate = new IndependentImports(tools.objects);
  const done = separate.inRunOrder(local.steps);
  const common = commonPrefixLength(done, steps);
  if (common === done.length)
    return new HistoryApplier(tools, uid, local).applyMissing(steps, new Set(done.map(({ origin }) => origin)));
  const moved = renumberedImports(separate, done.slice(common), steps.slice(common));
  if (common === 0 || moved === null) return recreate(tools, uid, steps, local);
  const stored = await experimentById(tools.engine, local.id);
  await renumberRuns(tools.engine, tools.objects, stored, moved, done[common - 1]?.time ?? 0);
  const kept = [...done.slice(0, common), ...moved.flatMap(({ after: is }) => is ?? [])];
  return new HistoryApplier(tools, uid, local).applyMissing(steps, new Set(kept.map(({ origin }) => origin)));
}

async function purge(
  { engine, objects }: HistoryTools,
  { origin, time }: HistoryStep,
  local?: LocalHistory,
): Promise<AppliedHistory> {
  if (local === undefined || local.steps.at(-1)?.change.kind === "purge-experiment") return { steps: 0 };
  await engine.transaction(async () => {
    await appendChange(engine, objects, local.id, { kind: "purge-experiment" }, time, { origin });
    await purgeExperiment(engine, local.id);
  });
  return { steps: 1 };
}

/** What is there stays until the other is whole. */
async function recreate(
  tools: HistoryTools,
  uid: Digest,
  steps: readonly HistoryStep[],
  local: LocalHistory,
): Promise<AppliedHistory> {
  const { engine } = tools;
  const done = new Set(local.steps.map(({ origin }) => origin));
  const name = newSharedName(steps, done) ?? (await experimentById(engine, local.id)).experiment.name;
  const applying = new HistoryApplier(tools, uid);
  try {
    const applied = await applying.applyAll(steps);
    await engine.transaction(async () => {
      await purgeUnshared(tools, local.id, steps[0]!.time);
      await applying.rename(name, steps.at(-1)!.time);
    });
    return { ...applied, name: (await experimentById(engine, applying.id)).experiment.name };
  } catch (error) {
    const { id } = applying;
    if (id !== 0) await engine.transaction(() => purgeUnshared(tools, id, steps[0]!.time));
    throw error;
  }
}

/** Drops what does not belong to the shared history; in a transaction of the caller. */
async function purgeUnshared(
  { engine, objects }: Pick<HistoryTools, "engine" | "objects">,
  id: number,
  time: number,
): Promise<void> {
  await appendChange(engine, objects, id, { kind: "purge-experiment" }, time, { aside: true });
  await purgeExperiment(engine, id);
}

class HistoryApplier {
  readonly #tools: HistoryTools;
  readonly #uid: Digest;
  readonly #separate: IndependentImports;
  /** Ids of the variables that are there, by key. */
  #ids = new Map<string, number>();
  #id = 0;
  /** What it is called by all. */
  #told = "";
  /** The last number that was given to a run. */
  #last = 0;

  constructor(tools: HistoryTools, uid: Digest, local?: LocalHistory) {
    this.#tools = tools;
    this.#uid = uid;
    this.#separate = new IndependentImports(tools.objects);
    if (local === undefined) return;
    this.#id = local.id;
    this.#ids = new Map(local.keys.map((key, at) => [key, local.variableIds[at] as number]));
  }

  /** 0: it is not there yet. */
  get id(): number {
    return this.#id;
  }

  applyAll(steps: readonly HistoryStep[]): Promise<AppliedHistory> {
    return this.applyMissing(steps, new Set());
  }

  async applyMissing(steps: readonly HistoryStep[], done: ReadonlySet<Digest>): Promise<AppliedHistory> {
    const before = steps.filter(({ origin }) => done.has(origin));
    for (const step of before) this.#pass(step);
    const missing = steps.filter(({ origin }) => !done.has(origin));
    let at = 0;
    for (const together of stepBatches(missing, this.#separate)) {
      this.#tools.onProgress(at, missing.length);
      await this.#doAsFarAsCan(together);
      at += together.length;
    }
    await this.#date(steps.at(-1)?.time ?? 0);
    const { experiment } = await experimentById(this.#tools.engine, this.#id);
    return { name: experiment.name, steps: steps.length - before.length };
  }

  /** Imports may have been done in another order than theirs: when the experiment changed last is the same for all. */
  async #date(time: number): Promise<void> {
    const { engine, objects } = this.#tools;
    const [row] = recordsOf(await engine.query("select modified from experiment where id = $1", [this.#id]));
    if (Number(row?.get("modified")) === time) return;
    await engine.transaction(async () => {
      await touch(engine, this.#id, time);
      await appendChange(engine, objects, this.#id, { kind: "mend", findings: [] }, time, { aside: true });
    });
  }

  /** In a transaction of the caller. */
  async rename(wanted: string, time: number): Promise<void> {
    const { engine, objects } = this.#tools;
    const stored = await experimentById(engine, this.#id);
    const name = await uniqueName(engine, wanted, this.#uid, stored.experiment.name);
    const after = { ...stored, experiment: { ...stored.experiment, name } };
    await alterExperiment(engine, stored, after);
    await touch(engine, this.#id, time);
    const told: LedgerChange = {
      kind: "update-experiment",
      description: after.experiment,
      variables: after.variableIds,
    };
    await appendChange(engine, objects, this.#id, told, time, { aside: true });
  }

  /** A step that is done here. */
  #pass({ change }: HistoryStep): void {
    if (change.kind === "create-experiment" || change.kind === "update-experiment")
      this.#told = change.description.name;
    else if (change.kind === "undelete-experiment") this.#told = change.name;
    else if (change.kind === "import") this.#give(change);
  }

  /** Where a step is refused those before it are done. */
  async #doAsFarAsCan(steps: readonly HistoryStep[]): Promise<void> {
    try {
      await this.#do(steps);
    } catch (error) {
      const before = error instanceof StepRefused ? steps.findIndex(({ origin }) => origin === error.origin) : 0;
      if (before > 0) await this.#do(steps.slice(0, before));
      throw error;
    }
  }

  /** In one transaction: a step, or imports. */
  async #do(steps: readonly HistoryStep[]): Promise<void> {
    const { engine, objects } = this.#tools;
    await engine.transaction(async () => {
      const told = await this.#changes(steps);
      await touch(engine, this.#id, steps.at(-1)?.time ?? 0);
      const entries = steps.map(({ time, origin }, at) => ({ change: told[at] as LedgerChange, time, origin }));
      await appendChanges(engine, objects, this.#id, entries);
    });
    for (const step of steps) this.#pass(step);
  }

  /** As they are told here. */
  async #changes(steps: readonly HistoryStep[]): Promise<LedgerChange[]> {
    const [first] = steps;
    if (first?.change.kind === "create-experiment") return [await this.#create(first)];
    const { engine } = this.#tools;
    const stored = await experimentById(engine, this.#id);
    const changes: LedgerChange[] = [];
    for (const step of steps) {
      const told = await this.#translated(stored, step);
      await applyChange(engine, stored, told, step.time, (before, change) => this.#import(before, change, step.origin));
      changes.push(told);
    }
    if (first?.change.kind === "import")
      await restartRuns(engine, stored.id, Math.max(this.#last + 1, await nextId(engine, runSequence(stored.id))));
    return changes;
  }

  async #create({ change, time }: HistoryStep): Promise<LedgerChange> {
    if (change.kind !== "create-experiment") throw new TypeError("not a step that makes an experiment");
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

  async #translated(
    stored: StoredExperiment,
    { change }: HistoryStep,
  ): Promise<Exclude<LedgerChange, { kind: "create-experiment" | "spend-numbers" }>> {
    const { engine } = this.#tools;
    const { name } = stored.experiment;
    switch (change.kind) {
      case "create-experiment":
        throw new TypeError("an experiment is made once");
      case "update-experiment": {
        const { description, keys } = change;
        const variables = await this.#idsOf(keys);
        const called =
          description.name === this.#told ? name : await uniqueName(engine, description.name, this.#uid, name);
        return { kind: "update-experiment", description: { ...description, name: called }, variables, keys };
      }
      case "undelete-experiment":
        return { ...change, name: await uniqueName(engine, change.name === this.#told ? name : change.name, this.#uid) };
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
    const { engine, replayOf: imported } = this.#tools;
    try {
      await imported(origin)(stored, change, new RunWriter(engine, stored, numbersGiven(change)));
    } catch (error) {
      if (!(error instanceof Failure) || unrelatedExits.includes(error.exit)) throw error;
      throw new StepRefused(origin, error);
    }
    this.#give(change);
  }

  #give(change: ImportChange): void {
    this.#last = Math.max(this.#last, ...numbersGiven(change));
  }
}

/** Full disks and impatient users say nothing about what is imported. */
const unrelatedExits: readonly number[] = [exitStatus.host, exitStatus.interrupted, exitStatus.bug];
