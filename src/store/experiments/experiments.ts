import type { ExperimentUpdate } from "../../core/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import {
  planUpdate,
  findAttachment,
  listAttachments,
  type Attachment,
  experimentById,
  findDeleted,
  findExperiment,
  type StoredExperiment,
  ExperimentAccess,
  type ExperimentRights,
  listExperiments,
  listRuns,
  type ExperimentSummary,
  type RunSummary,
  markExperimentDeleted,
  undeleteExperiment,
  listParameterSets,
  parameterSet,
  requireRight,
  unknownRoles,
  runsFrom,
  refuseDuplicate,
  equalRows,
  valueCounts,
  type EqualRows,
} from "../catalogue/index.ts";
import {
  experimentDigest,
  type Dumped,
  type DumpOptions,
  type RestoredExperiment,
  type RestoreOptions,
} from "../dump/index.ts";
import { checkExperiments, repairableCodes, repair, type ExperimentFinding } from "./check-experiments.ts";
import type { ExperimentLocation } from "./copy-experiment.ts";
import { ExperimentChanges, type ExperimentObjects } from "./experiment-changes.ts";
import type { MovableExperiment, MovedExperiment, MoveOptions } from "./move-experiment.ts";
import type { KnownChanges, MergedExperiments, MergeOptions } from "../history/index.ts";
import { appendChange } from "../ledger/index.ts";
import type { ShardingResult, ShardingOptions } from "../sharding/index.ts";

/** User-facing names of the databases of a move. */
export interface MoveLocations {
  readonly from: string;
  readonly to: string;
}

/** The new owner, and names whose rights wait for a user of that name. */
export type MovedRights = Pick<ExperimentRights, "owner" | "unknownRoles">;

/**
 * The experiments of a database. Loads rarely used modules lazily, to keep imports fast. Names are case-insensitive;
 * unknown ones fail with `unknown-experiment`. Each change is one transaction and a ledger entry, which is stored as an
 * object. `now`: microseconds since 1970-01-01T00:00:00Z.
 */
export class Experiments extends ExperimentChanges {
  readonly access: ExperimentAccess;
  readonly #cache = new Map<string, StoredExperiment>();

  constructor(engine: Engine, objects: ExperimentObjects) {
    super(engine, objects);
    this.access = new ExperimentAccess(engine);
  }

  /** Looks up an experiment by name. Caches it if the database is constant. */
  async find(name: string): Promise<StoredExperiment> {
    const cached = this.#cache.get(name);
    if (cached !== undefined) return cached;
    const stored = await findExperiment(this.engine, name);
    if (this.engine.isConstant) this.#cache.set(name, stored);
    return stored;
  }

  /** All experiments, sorted by name. */
  list(): Promise<ExperimentSummary[]> {
    return listExperiments(this.engine);
  }

  /** Runs sorted by number; `deleted` includes deleted ones. */
  runs(stored: StoredExperiment, deleted: boolean): Promise<RunSummary[]> {
    return listRuns(this.engine, stored.id, deleted);
  }

  /** The experiment after an update; writes nothing. Fails like `update`. */
  planUpdate(stored: StoredExperiment, update: ExperimentUpdate): Promise<StoredExperiment> {
    return planUpdate(this.engine, stored, update);
  }

  /** Number of values of these variables by name, also in deleted runs; omits variables without values. */
  valueCounts(stored: StoredExperiment, names: readonly string[]): Promise<Map<string, number>> {
    return valueCounts(this.engine, stored, names);
  }

  /** Marks the experiment deleted, which hides it and frees its name. */
  async remove(stored: StoredExperiment, now: number): Promise<void> {
    await this.change(stored, { kind: "delete-experiment" }, now, () =>
      markExperimentDeleted(this.engine, stored.id, now),
    );
  }

  /** The most recently deleted experiment called `name`. Fails with `unknown-experiment`. */
  findDeleted(name: string): Promise<StoredExperiment> {
    return findDeleted(this.engine, name);
  }

  /** Restores a deleted experiment, optionally with a new name. Fails with `experiment-exists`. */
  async restore(deleted: StoredExperiment, now: number, name: string = deleted.experiment.name): Promise<void> {
    await this.change(deleted, { kind: "undelete-experiment", name }, now, () =>
      undeleteExperiment(this.engine, deleted.id, name),
    );
  }

  /** Permanently removes the experiment with all its runs. Raw files and descriptions stay in the object store. */
  async purge(stored: StoredExperiment, now: number): Promise<void> {
    await this.engine.transaction(async () => {
      await this.engine.rights.lock();
      await requireRight(this.engine, stored, "admin");
      // Rights end with the experiment, so the ledger entry comes first.
      await appendChange(this.engine, this.objects, stored.id, { kind: "purge-experiment" }, now);
      await this.engine.catalogue.dropExperiment(stored.id);
    });
  }

  /**
   * The active runs imported from the file with this `sha256`; if there are none, those from `path`. Fails with
   * `no-such-source`.
   */
  async runsFrom(stored: StoredExperiment, path: string, sha256?: string): Promise<number[]> {
    const same = sha256 === undefined ? [] : await runsFrom(this.engine, stored.id, "sha256", sha256);
    const runs = same.length > 0 ? same : await runsFrom(this.engine, stored.id, "path", path);
    if (runs.length === 0) throw new Failure("no-such-source", { path, experiment: stored.experiment.name });
    return runs;
  }

  /** Fails with `already-imported` if an active run came from a file with this SHA-256. */
  refuseDuplicate(stored: StoredExperiment, path: string, sha256: string): Promise<void> {
    return refuseDuplicate(this.engine, stored, path, sha256);
  }

  /** Rows of `runs` that earlier runs have; see `equalRows`. Within `import`, runs just written count. */
  equalRows(stored: StoredExperiment, runs: readonly number[]): Promise<EqualRows[] | undefined> {
    return equalRows(this.engine, stored, runs);
  }

  attachments(stored: StoredExperiment): Promise<Attachment[]> {
    return listAttachments(this.engine, stored);
  }

  /** The attachment called `name`, of `kind` if given. Fails with `unknown-attachment`. */
  attachment(stored: StoredExperiment, name: string, kind?: Attachment["kind"]): Promise<Attachment> {
    return findAttachment(this.engine, stored, name, kind);
  }

  /** Fails with `unknown-parameter-set`. */
  parameterSet(stored: StoredExperiment, set: string): Promise<Values> {
    return parameterSet(this.engine, stored, set);
  }

  parameterSets(stored: StoredExperiment): Promise<string[]> {
    return listParameterSets(this.engine, stored);
  }

  /** Compares data with the catalogue and objects, for one or all experiments; writes nothing. */
  check(stored?: StoredExperiment): Promise<ExperimentFinding[]> {
    return checkExperiments(this.engine, this.objects, stored);
  }

  /** Repairs findings that can be repaired without data loss, and returns them. Fails with `right-missing`. */
  repair(findings: readonly ExperimentFinding[], now: number): Promise<ExperimentFinding[]> {
    const codes = repairableCodes(findings);
    return this.engine.transaction(async () => {
      for (const name of codes.keys()) await requireRight(this.engine, await this.find(name), "admin");
      const repaired = await repair(this.engine, findings);
      for (const [name, repairedCodes] of codes)
        await this.finish(await this.find(name), { kind: "mend", findings: repairedCodes }, now);
      return repaired;
    });
  }

  /** Shards the rows of an experiment over servers, or moves them back; see `shardExperiment`. */
  async shard(stored: StoredExperiment, options: ShardingOptions): Promise<ShardingResult> {
    const { shardExperiment } = await import("../sharding/sharding.ts");
    return shardExperiment(this.engine, stored, options);
  }

  /**
   * Writes an experiment and the objects it was created from to one file. Fails with `dump-lacks-objects`,
   * `cannot-write`, leaving no file.
   */
  async dump(stored: StoredExperiment, options: DumpOptions): Promise<Dumped> {
    const { dump } = await import("../dump/dump.ts");
    return this.engine.transaction(() => dump(this.engine, this.objects, stored, options));
  }

  /** Restores the experiment of a dump atomically. Fails with `dump-damaged`, `dump-newer`, `experiment-exists`. */
  async restoreDump(options: RestoreOptions): Promise<RestoredExperiment> {
    const [{ verifyDump }, { restore }] = await Promise.all([
      import("../dump/verify-dump.ts"),
      import("../dump/dump.ts"),
    ]);
    const manifest = await verifyDump(options.from);
    return this.engine.transaction(() => restore(this.engine, this.objects, manifest, options));
  }

  /**
   * SHA-256 of an experiment: equal for experiments, also of different databases, that differ only in name and owner.
   */
  experimentDigest(stored: StoredExperiment): Promise<string> {
    return this.engine.transaction(() => experimentDigest(this.engine, stored));
  }

  /** Adds unshared local changes to `known`. */
  async addLocalChanges(known: KnownChanges, now: number): Promise<void> {
    const { LedgerReader, addLocalChanges } = await import("../history/merge-experiments.ts");
    return addLocalChanges(new LedgerReader(this.engine, this.objects), known, now);
  }

  /** Adds local changes to `known`, then merges all known changes into every experiment, as far as possible. */
  async mergeChanges(known: KnownChanges, now: number, options: MergeOptions): Promise<MergedExperiments> {
    const { mergeExperiments, LedgerReader, addLocalChanges } = await import("../history/merge-experiments.ts");
    const ledger = new LedgerReader(this.engine, this.objects);
    await addLocalChanges(ledger, known, now);
    return mergeExperiments({ ...options, engine: this.engine, objects: this.objects }, known, ledger);
  }

  /** The bytes of an attached description. Fails with `object-missing`, `object-damaged`. */
  attachmentBytes(attachment: Attachment): Uint8Array {
    return this.objects.get(attachment.object).body;
  }

  /** Moves an experiment to another database; see `moveExperiment`. `locations`: user-facing names of the databases. */
  async moveTo(
    target: Experiments,
    name: string,
    locations: MoveLocations,
    options: MoveOptions,
  ): Promise<MovedExperiment & MovedRights> {
    const { moveExperiment } = await import("./move-experiment.ts");
    const moved = await moveExperiment(this.#location(locations.from), target.#location(locations.to), name, options);
    return { ...moved, ...(await target.#settleRights(moved.id, moved.former, options.now)) };
  }

  /** Names of experiments with unfinished moves; see `unfinishedMoves`. */
  async unfinishedMoves(target: Experiments, notes: MoveOptions["notes"]): Promise<readonly string[]> {
    const { unfinishedMoves } = await import("./move-experiment.ts");
    return unfinishedMoves(this.#location(""), target.#location(""), notes);
  }

  /**
   * The size of an experiment to move; checks the move without writing. `target` is absent if the database does not
   * exist. Fails like `moveTo`.
   */
  async movable(
    target: Experiments | undefined,
    name: string,
    locations: MoveLocations,
    keep: boolean,
  ): Promise<MovableExperiment> {
    const { movable, summaryOf } = await import("./move-experiment.ts");
    const { id } = await movable(this.#location(locations.from), target && target.#location(locations.to), name, keep);
    return summaryOf(this.engine, id);
  }

  #location(name: string): ExperimentLocation {
    return { engine: this.engine, objects: this.objects, name };
  }

  /**
   * On a server, the user who moves an experiment becomes its owner; the former owner gets the admin right if the
   * server has that user.
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
    const { owner, unknownRoles: waiting } = await this.access.rightsOf(after);
    return { ...(owner === undefined ? {} : { owner }), unknownRoles: waiting };
  }

  /** Cancels the running statement. */
  cancel(): Promise<void> {
    return this.engine.cancel();
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}
