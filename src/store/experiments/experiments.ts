import type { ExperimentUpdate } from "../../core/experiments/experiment-update.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Values } from "../../core/values/value.ts";
import type { KeptAttachment, LedgerChange } from "../../formats/store/experiments/ledger.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import type { KnownChanges } from "../history/known-changes.ts";
import type { MergedExperiments, MergeOptions } from "../history/merge-experiments.ts";
import { planUpdate } from "../catalogue/alter-experiment.ts";
import {
  deleteAttachment,
  findAttachment,
  insertAttachment,
  listAttachments,
  type Attachment,
} from "../catalogue/attachments.ts";
import {
  purgeExperiment,
  experimentById,
  findDeleted,
  findExperiment,
  type StoredExperiment,
} from "../catalogue/catalogue.ts";
import { markExperimentDeleted, undeleteExperiment } from "../catalogue/experiment-states.ts";
import { ExperimentAccess, type ExperimentRights } from "../catalogue/experiment-access.ts";
import type { ExperimentLocation } from "./copy-experiment.ts";
import type { MovableExperiment, MovedExperiment, MoveOptions } from "./move-experiment.ts";
import { checkExperiments, repairableCodes, repair, type ExperimentFinding } from "./check-experiments.ts";
import { refuseDuplicate } from "../catalogue/run-writer.ts";
import { appendChange } from "../ledger/ledger.ts";
import {
  deleteParameterSet,
  onceParameterValues,
  listParameterSets,
  parameterSet,
  storeParameterSet,
} from "../catalogue/parameter-sets.ts";
import type { Dumped, DumpOptions } from "../dump/dump.ts";
import { experimentDigest } from "../dump/dump-members.ts";
import { purgeRuns, deletedRuns, markRunsDeleted, runsFrom, undeleteRuns } from "../catalogue/run-states.ts";
import { listExperiments, listRuns, type ExperimentSummary, type RunSummary } from "../catalogue/experiment-lists.ts";
import { lockRights, requireRight, unknownRoles } from "../catalogue/rights.ts";
import type { RestoredExperiment, RestoreOptions } from "../dump/restore-dump.ts";
import type { ShardingResult, ShardingOptions } from "../sharding/sharding.ts";
import { ExperimentChanges, type ExperimentObjects } from "./experiment-changes.ts";

/** What people call the databases between which an experiment moves. */
export interface MoveLocations {
  readonly from: string;
  readonly to: string;
}

/** Who has it now, and names whose rights wait there for a user of that name. */
export type MovedRights = Pick<ExperimentRights, "owner" | "waiting">;

/**
 * The experiments of one database. What is done seldom is loaded when it is done, since every import starts with this.
 * Names are found without regard to case; what is not there fails with `unknown-experiment`. Each change is one
 * transaction, whose entry in the ledger is kept as an object. `now`: microseconds since 1970-01-01T00:00:00Z.
 */
export class Experiments extends ExperimentChanges {
  readonly access: ExperimentAccess;
  readonly #found = new Map<string, StoredExperiment>();

  constructor(engine: Engine, objects: ExperimentObjects) {
    super(engine, objects);
    this.access = new ExperimentAccess(engine);
  }

  /** Where nobody changes anything, each is looked up once. */
  async find(name: string): Promise<StoredExperiment> {
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const stored = await findExperiment(this.engine, name);
    if (this.engine.isConstant) this.#found.set(name, stored);
    return stored;
  }

  /** All experiments in order of name. */
  list(): Promise<ExperimentSummary[]> {
    return listExperiments(this.engine);
  }

  /** Runs in order of number, deleted ones only when asked for. */
  runs(stored: StoredExperiment, deleted: boolean): Promise<RunSummary[]> {
    return listRuns(this.engine, stored.id, deleted);
  }

  /** The experiment as it would be after the update; writes nothing. Fails like `update`. */
  planUpdate(stored: StoredExperiment, update: ExperimentUpdate): Promise<StoredExperiment> {
    return planUpdate(this.engine, stored, update);
  }

  /** Hides the experiment from every list and question; its name is free then. */
  async remove(stored: StoredExperiment, now: number): Promise<void> {
    await this.change(stored, { kind: "delete-experiment" }, now, () => markExperimentDeleted(this.engine, stored.id, now));
  }

  /** The experiment that was deleted last under `name`. Fails with `unknown-experiment`. */
  findDeleted(name: string): Promise<StoredExperiment> {
    return findDeleted(this.engine, name);
  }

  /** Brings a deleted experiment back, under another name where that is given. Fails with `experiment-exists`. */
  async restore(deleted: StoredExperiment, now: number, name: string = deleted.experiment.name): Promise<void> {
    await this.change(deleted, { kind: "undelete-experiment", name }, now, () =>
      undeleteExperiment(this.engine, deleted.id, name),
    );
  }

  /** Drops the experiment with all its runs, for good. The raw files and descriptions stay in the object store. */
  async purge(stored: StoredExperiment, now: number): Promise<void> {
    await this.engine.transaction(async () => {
      await lockRights(this.engine);
      await requireRight(this.engine, stored, "admin");
      // Nobody has a right to an experiment that is not there.
      await appendChange(this.engine, this.objects, stored.id, { kind: "purge-experiment" }, now);
      await purgeExperiment(this.engine, stored.id);
    });
  }

  /** Hides runs from every question; their files may be imported again. Fails with `unknown-run`. */
  async removeRuns(stored: StoredExperiment, runs: readonly number[], now: number): Promise<void> {
    await this.change(stored, { kind: "delete-runs", runs }, now, () => markRunsDeleted(this.engine, stored, runs));
  }

  /**
   * Brings deleted runs back. Fails with `unknown-deleted-run`, and unless forced with `already-imported` as `showRuns`
   * does.
   */
  async restoreRuns(stored: StoredExperiment, runs: readonly number[], force: boolean, now: number): Promise<void> {
    const change: LedgerChange = { kind: "undelete-runs", runs, ...(force ? { force } : {}) };
    await this.change(stored, change, now, () => undeleteRuns(this.engine, stored, runs, force));
  }

  /** Drops these deleted runs, or all of them, for good; answers their numbers. Fails with `unknown-deleted-run`. */
  async purgeRuns(stored: StoredExperiment, now: number, only?: readonly number[]): Promise<readonly number[]> {
    const runs = only ?? (await deletedRuns(this.engine, stored.id));
    if (runs.length > 0)
      await this.change(stored, { kind: "purge-runs", runs }, now, () => purgeRuns(this.engine, stored, runs));
    return runs;
  }

  /**
   * Active runs that came from these bytes; where there are none, or there is no such file now, from files recorded
   * under `path`.
   */
  async runsFrom(stored: StoredExperiment, path: string, sha256?: string): Promise<number[]> {
    const same = sha256 === undefined ? [] : await runsFrom(this.engine, stored.id, "sha256", sha256);
    const runs = same.length > 0 ? same : await runsFrom(this.engine, stored.id, "path", path);
    if (runs.length === 0) throw new Failure("no-such-source", { path, experiment: stored.experiment.name });
    return runs;
  }

  /** Fails with `already-imported` when an active run came from a file of this SHA-256. */
  refuseDuplicate(stored: StoredExperiment, path: string, sha256: string): Promise<void> {
    return refuseDuplicate(this.engine, stored, path, sha256);
  }

  /** Keeps a description under a name. Fails with `attachment-exists`. */
  async attach(stored: StoredExperiment, attachment: KeptAttachment, now: number): Promise<void> {
    await this.change(stored, { kind: "attach", attachment }, now, () =>
      insertAttachment(this.engine, stored, attachment, now),
    );
  }

  attachments(stored: StoredExperiment): Promise<Attachment[]> {
    return listAttachments(this.engine, stored);
  }

  /** Of that kind, where one is given. Fails with `unknown-attachment`. */
  attachment(stored: StoredExperiment, name: string, kind?: Attachment["kind"]): Promise<Attachment> {
    return findAttachment(this.engine, stored, name, kind);
  }

  async detach(stored: StoredExperiment, name: string, now: number): Promise<void> {
    await this.change(stored, { kind: "detach", name }, now, () => deleteAttachment(this.engine, stored, name));
  }

  /** Keeps the contents of once parameters among `values` under a name, in place of what was kept under it. */
  async storeParameterSet(stored: StoredExperiment, set: string, values: Values, now: number): Promise<void> {
    const contents = onceParameterValues(stored, values);
    const change: LedgerChange = { kind: "store-parameters", set, contents };
    await this.change(stored, change, now, () => storeParameterSet(this.engine, stored.id, set, contents));
  }

  /** Fails with `unknown-parameter-set`. */
  parameterSet(stored: StoredExperiment, set: string): Promise<Values> {
    return parameterSet(this.engine, stored, set);
  }

  parameterSets(stored: StoredExperiment): Promise<string[]> {
    return listParameterSets(this.engine, stored);
  }

  async deleteParameterSet(stored: StoredExperiment, set: string, now: number): Promise<void> {
    await this.change(stored, { kind: "delete-parameters", set }, now, () =>
      deleteParameterSet(this.engine, stored, set),
    );
  }

  /** Compares the data with the catalogue and the objects; changes nothing. One experiment, or all. */
  check(stored?: StoredExperiment): Promise<ExperimentFinding[]> {
    return checkExperiments(this.engine, this.objects, stored);
  }

  /** Mends what can be mended without losing contents. Answers what was mended. Fails with `right-missing`. */
  repair(findings: readonly ExperimentFinding[], now: number): Promise<ExperimentFinding[]> {
    const codes = repairableCodes(findings);
    return this.engine.transaction(async () => {
      for (const name of codes.keys()) await requireRight(this.engine, await this.find(name), "admin");
      const mended = await repair(this.engine, findings);
      for (const [name, found] of codes)
        await this.finish(await this.find(name), { kind: "mend", findings: found }, now);
      return mended;
    });
  }

  /** Spreads the rows of an experiment over servers, or brings them back; see `spread`. */
  async shard(stored: StoredExperiment, options: ShardingOptions): Promise<ShardingResult> {
    const { shardExperiment: spread } = await import("../sharding/sharding.ts");
    return spread(this.engine, stored, options);
  }

  /**
   * Everything of an experiment, with what it was made from, as one file. Fails with `dump-lacks-objects`,
   * `cannot-write`: no file then.
   */
  async dump(stored: StoredExperiment, options: DumpOptions): Promise<Dumped> {
    const { dump } = await import("../dump/dump.ts");
    return this.engine.transaction(() => dump(this.engine, this.objects, stored, options));
  }

  /**
   * Makes the experiment of a dump again, all of it or nothing. Fails with `dump-damaged`, `dump-newer`,
   * `experiment-exists`.
   */
  async restoreDump(options: RestoreOptions): Promise<RestoredExperiment> {
    const [{ verifyDump }, { restore }] = await Promise.all([
      import("../dump/verify-dump.ts"),
      import("../dump/restore-dump.ts"),
    ]);
    const manifest = await verifyDump(options.from);
    return this.engine.transaction(() => restore(this.engine, this.objects, manifest, options));
  }

  /**
   * SHA-256 over all contents: two experiments, of whatever databases, have the same one when they differ in name and
   * owner at most.
   */
  experimentDigest(stored: StoredExperiment): Promise<string> {
    return this.engine.transaction(() => experimentDigest(this.engine, stored));
  }

  /** Notes in `known` what was done here and was not told yet. */
  async addLocalChanges(known: KnownChanges, now: number): Promise<void> {
    const { LedgerReader, addLocalChanges: tellChanges } = await import("../history/merge-experiments.ts");
    return tellChanges(new LedgerReader(this.engine, this.objects), known, now);
  }

  /**
   * Makes every experiment what all that is known of it says; each as far as it can be. What was done here is told
   * first.
   */
  async mergeChanges(known: KnownChanges, now: number, how: MergeOptions): Promise<MergedExperiments> {
    const { mergeExperiments: joinExperiments, LedgerReader, addLocalChanges: tellChanges } = await import("../history/merge-experiments.ts");
    const ledger = new LedgerReader(this.engine, this.objects);
    await tellChanges(ledger, known, now);
    return joinExperiments({ ...how, engine: this.engine, objects: this.objects }, known, ledger);
  }

  /** The bytes of an attached description. Fails with `object-missing`, `object-damaged`. */
  attachmentBytes(attachment: Attachment): Uint8Array {
    return this.objects.get(attachment.object).body;
  }

  /** Moves an experiment into another database; see `moveExperiment`. `places`: what people call the two. */
  async moveTo(
    target: Experiments,
    name: string,
    places: MoveLocations,
    options: MoveOptions,
  ): Promise<MovedExperiment & MovedRights> {
    const { moveExperiment } = await import("./move-experiment.ts");
    const moved = await moveExperiment(this.#place(places.from), target.#place(places.to), name, options);
    return { ...moved, ...(await target.#settleRights(moved.id, moved.former, options.now)) };
  }

  /** Names of experiments whose moves are to be ended; see `unfinishedMoves`. */
  async unfinishedMoves(target: Experiments, notes: MoveOptions["notes"]): Promise<readonly string[]> {
    const { unfinishedMoves } = await import("./move-experiment.ts");
    return unfinishedMoves(this.#place(""), target.#place(""), notes);
  }

  /**
   * What moving it would move; to be asked before. `target` is absent where there is no database yet. Fails like
   * `moveTo`.
   */
  async movable(
    target: Experiments | undefined,
    name: string,
    places: MoveLocations,
    keep: boolean,
  ): Promise<MovableExperiment> {
    const { movable, summaryOf } = await import("./move-experiment.ts");
    const { id } = await movable(this.#place(places.from), target && target.#place(places.to), name, keep);
    return summaryOf(this.engine, id);
  }

  #place(name: string): ExperimentLocation {
    return { engine: this.engine, objects: this.objects, name };
  }

  /**
   * On a server it belongs to whoever brought it; who owned it before administers it on, where the server knows that
   * user.
   */
  async #settleRights(id: number, former: string | undefined, now: number): Promise<MovedRights> {
    const stored = await experimentById(this.engine, id);
    const { name, admins = [] } = stored.experiment;
    const lost = former !== undefined && former !== stored.owner && !admins.includes(former);
    const grants = lost && (await unknownRoles(this.engine, [former])).length === 0;
    const access = grants ? [{ action: "grant", level: "admin", who: former } as const] : [];
    const after = grants
      ? await this.update(stored, { experiment: name, about: {}, changes: [], access }, now)
      : stored;
    const { owner, waiting } = await this.access.rightsOf(after);
    return { ...(owner === undefined ? {} : { owner }), waiting };
  }

  /** Ends the statement that runs now, as an engine does. */
  cancel(): Promise<void> {
    return this.engine.cancel();
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}
