import { diffExperiments, type ExperimentUpdate, type Experiment, type RunName } from "../../core/experiments/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { DescribedChange, ImportHow, LedgerChange, StoredAttachment } from "../../formats/store/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import {
  alterExperiment,
  convertsUnits,
  planUpdate,
  withNewIds,
  deleteAttachment,
  insertAttachment,
  experimentById,
  findExperiment,
  insertExperiment,
  nextId,
  replaceRights,
  withIds,
  type StoredExperiment,
  touch,
  deleteParameterSet,
  onceParameterValues,
  storeParameterSet,
  granteesOf,
  requireRight,
  rightFor,
  requireRoles,
  sameRights,
  purgeRuns,
  deletedRuns,
  markRunsDeleted,
  undeleteRuns,
  requireFreeLabels,
  RunLabels,
  type MatchedRun,
  matchedRuns,
  RunWriter,
  type RunWriterOptions,
  runNumbers,
} from "../catalogue/index.ts";
import { ExperimentQueries } from "./experiment-queries.ts";
import { appendChange } from "../ledger/index.ts";
import type { Objects } from "../objects/index.ts";
import { runSequence } from "../schema/index.ts";

/** The methods of an object store that experiments need. */
export type ExperimentObjects = Pick<Objects, "put" | "get" | "open" | "folder">;

/** An import into an experiment that may not exist yet. */
export interface PlannedImport<T> {
  readonly name: string;
  /** The experiment that the import needs; `current` is absent if none has the name. */
  plan(current?: Experiment): Experiment;
  /** The owner if the experiment is created. */
  readonly owner?: string | undefined;
  readonly now: number;
  readonly how: ImportHow;
  work(writer: RunWriter, stored: StoredExperiment): Promise<T>;
}

/** `names`: give each run a unique label (default: true). */
export type WritingOptions = Pick<RunWriterOptions, "updates"> & { readonly names?: boolean };

type Writing<T> = (writer: RunWriter) => Promise<T>;

/** Changes experiments of a database. Each change is one transaction and a ledger entry, stored as an object. */
export class ExperimentChanges extends ExperimentQueries {
  protected readonly objects: ExperimentObjects;

  constructor(engine: Engine, objects: ExperimentObjects) {
    super(engine);
    this.objects = objects;
  }

  /** Fails with `experiment-exists`. */
  create(experiment: Experiment, now: number, owner?: string): Promise<StoredExperiment> {
    return this.engine.transaction(() => this.#insert(experiment, now, owner));
  }

  async #insert(experiment: Experiment, now: number, owner?: string): Promise<StoredExperiment> {
    await requireRoles(this.engine, granteesOf(experiment));
    const stored = await withIds(this.engine, experiment, owner);
    await insertExperiment(this.engine, stored, now);
    await appendChange(this.engine, this.objects, stored.id, descriptionChange("create-experiment", stored), now);
    return stored;
  }

  /**
   * Updates the current state of an experiment, atomically. Fails with `unknown-variable`, `update-refused`,
   * `role-unknown`, `right-missing`.
   */
  update(stored: StoredExperiment, update: ExperimentUpdate, now: number): Promise<StoredExperiment> {
    return this.engine.transaction(() => this.#alter(stored, update, now));
  }

  async #alter({ id }: StoredExperiment, update: ExperimentUpdate, now: number): Promise<StoredExperiment> {
    await this.engine.rights.lock();
    const stored = await experimentById(this.engine, id);
    await requireRight(this.engine, stored, "admin");
    const after = await withNewIds(this.engine, await planUpdate(this.engine, stored, update));
    const before = granteesOf(stored.experiment);
    await requireRoles(
      this.engine,
      granteesOf(after.experiment).filter((who) => !before.includes(who)),
    );
    const converts = update.relabel !== true && convertsUnits(stored, after);
    await alterExperiment(this.engine, stored, after, converts);
    const change = { ...descriptionChange("update-experiment", after), ...(converts ? { converts } : {}) };
    await this.finish(stored, change, now);
    if (!sameRights(stored.experiment, after.experiment)) await replaceRights(this.engine, after);
    return after;
  }

  async #extend(stored: StoredExperiment, required: Experiment, now: number): Promise<StoredExperiment> {
    const update = diffExperiments(stored.experiment, required);
    return update.changes.length === 0 ? stored : this.#alter(stored, update, now);
  }

  /** Imports runs atomically. `how`: options needed to replay the import. */
  import<T>(
    stored: StoredExperiment,
    now: number,
    how: ImportHow,
    work: Writing<T>,
    options?: WritingOptions,
  ): Promise<T> {
    return this.engine.transaction(() => this.#write(stored, now, how, work, options));
  }

  async #write<T>(
    stored: StoredExperiment,
    now: number,
    how: ImportHow,
    work: Writing<T>,
    { names = true, updates = false }: WritingOptions = {},
  ): Promise<T> {
    await requireRight(this.engine, stored, "write");
    const labels = names ? await RunLabels.load(this.engine, stored) : undefined;
    const writer = new RunWriter(this.engine, stored, { labels, updates });
    const result = await work(writer);
    await writer.finish();
    labels?.check();
    await touch(this.engine, stored.id, now);
    await labels?.settle(this.engine, stored, writer);
    await this.#append(stored, writer.change(how), now);
    return result;
  }

  /**
   * Like `import`, but creates or extends the experiment in the same transaction to match the result of `plan`, which
   * receives its current description. Fails like `create`, `update` and `import`.
   */
  async importPlanned<T>(options: PlannedImport<T>): Promise<T> {
    const { name, plan: planned, owner, now, how, work } = options;
    return this.engine.transaction(async () => {
      const before = await findExperiment(this.engine, name).catch(unlessUnknown);
      const required = planned(before?.experiment);
      const stored =
        before === undefined ? await this.#insert(required, now, owner) : await this.#extend(before, required, now);
      return this.#write(stored, now, how, (writer) => work(writer, stored));
    });
  }

  /**
   * The active runs with rows of the runs that `write` writes, which are not kept: the transaction is rolled back.
   * Fails with `not-comparable` if the rows are on other servers.
   */
  async matchingRuns(stored: StoredExperiment, write: Writing<void>): Promise<MatchedRun[]> {
    if (stored.shards !== undefined) throw new Failure("not-comparable", { experiment: stored.experiment.name });
    const undo = new Error("rolled back");
    let found: MatchedRun[] = [];
    const work = async (): Promise<void> => {
      await requireRight(this.engine, stored, "write");
      const writer = new RunWriter(this.engine, stored, { numbers: trialNumbers, updates: true });
      await write(writer);
      await writer.finish();
      if (writer.numbers.length > 0) found = await matchedRuns(this.engine, stored, writer.numbers);
      throw undo;
    };
    await this.engine.transaction(work).catch((error: unknown) => {
      if (error !== undo) throw error;
    });
    return found;
  }

  /** The numbers of runs given by number or label; see `runNumbers`. */
  runNumbers(stored: StoredExperiment, names: readonly RunName[], deleted = false): Promise<number[]> {
    return runNumbers(this.engine, stored, names, deleted);
  }

  /**
   * Skips the next `count` run numbers. `failed` is the writer of a failed transaction, whose numbers a server
   * does not reuse. Does not change the modification time.
   */
  async spendRunNumbers(stored: StoredExperiment, count: number, now: number, failed?: RunWriter): Promise<void> {
    const runs = this.engine.catalogue.losesNumbers ? [...(failed?.numbers ?? [])] : [];
    await this.engine.transaction(async () => {
      await requireRight(this.engine, stored, "write");
      while (runs.length < count) runs.push(await nextId(this.engine, runSequence(stored.id)));
      await appendChange(this.engine, this.objects, stored.id, { kind: "spend-numbers", runs }, now);
    });
  }

  /** Marks runs deleted, which hides them and allows importing their files again. Fails with `unknown-run`. */
  async removeRuns(stored: StoredExperiment, runs: readonly number[], now: number): Promise<void> {
    await this.change(stored, { kind: "delete-runs", runs }, now, () => markRunsDeleted(this.engine, stored, runs));
  }

  /**
   * Restores deleted runs. Fails with `unknown-deleted-run`, and unless forced with `already-imported` and
   * `label-taken`.
   */
  async restoreRuns(stored: StoredExperiment, runs: readonly number[], force: boolean, now: number): Promise<void> {
    const change: LedgerChange = { kind: "undelete-runs", runs, ...(force ? { force } : {}) };
    await this.change(stored, change, now, async () => {
      await undeleteRuns(this.engine, stored, runs, force);
      if (!force) await requireFreeLabels(this.engine, stored, runs);
    });
  }

  /** Permanently removes these or all deleted runs; returns their numbers. Fails with `unknown-deleted-run`. */
  async purgeRuns(stored: StoredExperiment, now: number, only?: readonly number[]): Promise<readonly number[]> {
    const runs = only ?? (await deletedRuns(this.engine, stored.id));
    if (runs.length > 0)
      await this.change(stored, { kind: "purge-runs", runs }, now, () => purgeRuns(this.engine, stored, runs));
    return runs;
  }

  /** Attaches a description. Fails with `attachment-exists`. */
  async attach(stored: StoredExperiment, attachment: StoredAttachment, now: number): Promise<void> {
    await this.change(stored, { kind: "attach", attachment }, now, () =>
      insertAttachment(this.engine, stored, attachment, now),
    );
  }

  async detach(stored: StoredExperiment, name: string, now: number): Promise<void> {
    await this.change(stored, { kind: "detach", name }, now, () => deleteAttachment(this.engine, stored, name));
  }

  /** Stores the once parameters among `values` as a set; replaces a set of that name. */
  async storeParameterSet(stored: StoredExperiment, set: string, values: Values, now: number): Promise<void> {
    const encoded = onceParameterValues(stored, values);
    const change: LedgerChange = { kind: "store-parameters", set, contents: encoded };
    await this.change(stored, change, now, () => storeParameterSet(this.engine, stored.id, set, encoded));
  }

  async deleteParameterSet(stored: StoredExperiment, set: string, now: number): Promise<void> {
    await this.change(stored, { kind: "delete-parameters", set }, now, () =>
      deleteParameterSet(this.engine, stored, set),
    );
  }

  protected async change(
    stored: StoredExperiment,
    change: LedgerChange,
    now: number,
    work: () => Promise<void>,
  ): Promise<void> {
    await this.engine.transaction(async () => {
      await requireRight(this.engine, stored, await rightFor(this.engine, stored, change));
      await work();
      await this.finish(stored, change, now);
    });
  }

  protected async finish(stored: StoredExperiment, change: LedgerChange, now: number): Promise<void> {
    await touch(this.engine, stored.id, now);
    await this.#append(stored, change, now);
  }

  async #append({ id, experiment }: StoredExperiment, change: LedgerChange, now: number): Promise<void> {
    // `touch` has waited for a concurrent deletion or move, after which the change would be lost.
    if (!deletionKinds.includes(change.kind) && (await isDeleted(this.engine, id)))
      throw new Failure("unknown-experiment", { experiment: experiment.name });
    await appendChange(this.engine, this.objects, id, change, now);
  }
}

/** Numbers that no run has: PostgreSQL does not take back numbers of its sequence. */
const trialNumbers = Array.from({ length: 10_000 }, (_, at) => 2 ** 40 + at);
/** Changes that delete or restore an experiment. */
const deletionKinds: readonly LedgerChange["kind"][] = ["delete-experiment", "undelete-experiment"];

async function isDeleted(engine: Engine, id: number): Promise<boolean> {
  if (!engine.catalogue.isShared) return false;
  return (await engine.query("select id from experiment where id = $1 and deleted is not null", [id])).length > 0;
}

function unlessUnknown(error: unknown): undefined {
  if (!isFailure(error, "unknown-experiment")) throw error;
}

function descriptionChange(kind: "create-experiment" | "update-experiment", stored: StoredExperiment): DescribedChange {
  const { experiment, variableIds, owner } = stored;
  return { kind, description: experiment, variables: variableIds, ...(owner === undefined ? {} : { owner }) };
}
