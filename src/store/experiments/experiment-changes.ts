import type { Experiment } from "../../core/experiments/experiment.ts";
import type { ExperimentUpdate } from "../../core/experiments/experiment-update.ts";
import { diffExperiments } from "../../core/experiments/experiment-diff.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { LedgerChange } from "../../formats/store/experiments/ledger.ts";
import type { ImportHow } from "../../formats/store/experiments/ledger-import.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { alterExperiment, planUpdate, withNewIds } from "../catalogue/alter-experiment.ts";
import {
  experimentById,
  findExperiment,
  insertExperiment,
  nextId,
  replaceRights,
  withIds,
  type StoredExperiment,
} from "../catalogue/catalogue.ts";
import { touch } from "../catalogue/experiment-states.ts";
import { RunWriter } from "../catalogue/run-writer.ts";
import { appendChange } from "../ledger/ledger.ts";
import type { Objects } from "../objects/objects.ts";
import { lockRights, granteesOf, requireRight, requireRoles, sameRights, type Right } from "../catalogue/rights.ts";
import { runSequence } from "../schema/schema.ts";
import { ExperimentQueries } from "./experiment-queries.ts";

/** The part of an object store that experiments need. */
export type ExperimentObjects = Pick<Objects, "put" | "get" | "open" | "folder">;

/** An import into an experiment that may not be there yet. */
export interface PlannedImport<T> {
  readonly name: string;
  /** The experiment as the import needs it; `current` is absent where there is none of the name. */
  plan(current?: Experiment): Experiment;
  /** Of an experiment that is made. */
  readonly owner?: string | undefined;
  readonly now: number;
  readonly how: ImportHow;
  work(writer: RunWriter, stored: StoredExperiment): Promise<T>;
}

/**
 * Changes of the experiments of one database: each is one transaction, whose entry in the ledger is kept as an object.
 */
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
   * Changes the experiment as it is by now. Fails with `unknown-variable`, `update-refused`, `role-unknown`,
   * `right-missing`: nothing of the update happens then.
   */
  update(found: StoredExperiment, update: ExperimentUpdate, now: number): Promise<StoredExperiment> {
    return this.engine.transaction(() => this.#alter(found, update, now));
  }

  async #alter(found: StoredExperiment, update: ExperimentUpdate, now: number): Promise<StoredExperiment> {
    await lockRights(this.engine);
    const stored = await experimentById(this.engine, found.id);
    await requireRight(this.engine, stored, "admin");
    const after = await withNewIds(this.engine, await planUpdate(this.engine, stored, update));
    const known = granteesOf(stored.experiment);
    await requireRoles(
      this.engine,
      granteesOf(after.experiment).filter((who) => !known.includes(who)),
    );
    await alterExperiment(this.engine, stored, after);
    await this.finish(stored, descriptionChange("update-experiment", after), now);
    if (!sameRights(stored.experiment, after.experiment)) await replaceRights(this.engine, after);
    return after;
  }

  async #extended(stored: StoredExperiment, wanted: Experiment, now: number): Promise<StoredExperiment> {
    const update = diffExperiments(stored.experiment, wanted);
    return update.changes.length === 0 ? stored : this.#alter(stored, update, now);
  }

  /** One import: everything that `work` writes is stored, or nothing of it. `how`: what it takes to do it again. */
  async import<T>(
    stored: StoredExperiment,
    now: number,
    how: ImportHow,
    work: (writer: RunWriter) => Promise<T>,
  ): Promise<T> {
    return this.engine.transaction(async () => {
      await requireRight(this.engine, stored, "write");
      const writer = new RunWriter(this.engine, stored);
      const answer = await work(writer);
      await this.finish(stored, writer.change(how), now);
      return answer;
    });
  }

  /**
   * The same into the experiment of a name as `planned` wants it: one that is not there is made, one that lacks
   * something is extended, within the same transaction. What it is by now is handed to `planned`. Fails like `create`,
   * `update` and `import`.
   */
  async importPlanned<T>(options: PlannedImport<T>): Promise<T> {
    const { name, plan: planned, owner, now, how, work } = options;
    return this.engine.transaction(async () => {
      const before = await findExperiment(this.engine, name).catch(unlessUnknown);
      const wanted = planned(before?.experiment);
      const stored =
        before === undefined ? await this.#insert(wanted, now, owner) : await this.#extended(before, wanted, now);
      await requireRight(this.engine, stored, "write");
      const writer = new RunWriter(this.engine, stored);
      const answer = await work(writer, stored);
      await this.finish(stored, writer.change(how), now);
      return answer;
    });
  }

  /**
   * Lets no run ever have the next `count` numbers. `failed` is the writer of a transaction that failed before the
   * database was opened again: PostgreSQL does not take its numbers back. The experiment does not count as changed.
   */
  async spendRunNumbers(stored: StoredExperiment, count: number, now: number, failed?: RunWriter): Promise<void> {
    const runs = this.engine.dialect === "postgres" ? [...(failed?.numbers ?? [])] : [];
    await this.engine.transaction(async () => {
      await requireRight(this.engine, stored, "write");
      while (runs.length < count) runs.push(await nextId(this.engine, runSequence(stored.id)));
      await appendChange(this.engine, this.objects, stored.id, { kind: "spend-numbers", runs }, now);
    });
  }

  protected async change(
    stored: StoredExperiment,
    change: LedgerChange,
    now: number,
    work: () => Promise<void>,
  ): Promise<void> {
    await this.engine.transaction(async () => {
      await requireRight(this.engine, stored, rightFor(change));
      await work();
      await this.finish(stored, change, now);
    });
  }

  protected async finish({ id, experiment }: StoredExperiment, change: LedgerChange, now: number): Promise<void> {
    await touch(this.engine, id, now);
    // Who deleted or moved it meanwhile was waited for just now; nobody would find what is stored here.
    if (!deletionKinds.includes(change.kind) && (await isDeleted(this.engine, id)))
      throw new Failure("unknown-experiment", { experiment: experiment.name });
    await appendChange(this.engine, this.objects, id, change, now);
  }
}

/** Changes of experiments that are hidden, before or afterwards. */
const deletionKinds: readonly LedgerChange["kind"][] = ["delete-experiment", "undelete-experiment"];

/** A file has one writer, who looked it up. */
async function isDeleted(engine: Engine, id: number): Promise<boolean> {
  if (engine.dialect !== "postgres") return false;
  return (await engine.query("select id from experiment where id = $1 and deleted is not null", [id])).length > 0;
}

function unlessUnknown(error: unknown): undefined {
  if (!isFailure(error, "unknown-experiment")) throw error;
}

/** What keeps to what is there and adds to it is for writers. */
function rightFor({ kind }: LedgerChange): Right {
  return kind === "attach" || kind === "store-parameters" ? "write" : "admin";
}

function descriptionChange(kind: "create-experiment" | "update-experiment", stored: StoredExperiment): LedgerChange {
  const { experiment, variableIds, owner } = stored;
  return { kind, description: experiment, variables: variableIds, ...(owner === undefined ? {} : { owner }) };
}
