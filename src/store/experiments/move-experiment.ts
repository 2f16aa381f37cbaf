import { isFailure, Failure } from "../../core/failures/index.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import {
  experimentById,
  findExperiment,
  requireFreeName,
  type StoredExperiment,
  markExperimentDeleted,
  requireCreation,
  requireRight,
} from "../catalogue/index.ts";
import { copyExperiment, type CopiedExperiment, type ExperimentLocation } from "./copy-experiment.ts";
import { experimentDigest } from "../dump/index.ts";
import { ledgerHead, appendChange, experimentState } from "../ledger/index.ts";
import { recordsOf } from "../schema/index.ts";

/** The state of a move after copying and comparing, written before the copy is committed. */
export interface MoveNote {
  /** `entry`: its last ledger entry, which differs after every change of the experiment. */
  readonly source: { readonly database: string; readonly experiment: number; readonly entry: string };
  /** `entry`: likewise, if its history is known there. */
  readonly target: { readonly database: string; readonly experiment: number; readonly entry?: string };
  readonly contents: string;
  /** The former owner. */
  readonly owner?: string;
  /** The deletion time of the experiment in the source database. */
  readonly at: number;
}

/** Persistent storage of notes. */
export interface MoveNotes {
  /** Names of the experiments with notes. */
  namesBetween(source: string, target: string): readonly string[];
  find(source: string, target: string, experiment: string): MoveNote | undefined;
  put(note: MoveNote, experiment: string): void;
  remove(source: string, target: string, experiment: string): void;
}

/** The steps of a move, in order; tests kill the program after each. */
export type MoveStep = "started" | "compared" | "copied" | "hidden" | "dropped";

export interface MoveOptions {
  /** Copies instead of moving. */
  readonly keep: boolean;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly now: number;
  readonly notes: MoveNotes;
  readonly onStep: (step: MoveStep) => void;
  /** Rows written or compared so far; `total` counts each row twice. */
  readonly progress: (done: number, total: number) => void;
}

/** The size of an experiment. */
export interface MovableExperiment {
  /** Its name, spelled as in the description. */
  readonly experiment: string;
  /** Its id in the database. */
  readonly id: number;
  readonly runs: number;
  readonly rows: number;
}

/** The experiment in the target database. */
export interface MovedExperiment extends MovableExperiment, Partial<CopiedExperiment> {
  readonly id: number;
  /** Its former owner. */
  readonly former?: string;
  /** Whether an earlier, killed move had copied it; details of the copy are then unknown. */
  readonly resumed: boolean;
}

/**
 * Moves an experiment to another database. Copies and compares it in one transaction there while writers are blocked
 * here, then deletes and purges it here. After a kill it is here, or in both databases until the move is repeated.
 * Readers are not blocked. Fails with `unknown-experiment`, `experiment-exists`, `move-same-database`, `move-differs`,
 * `move-overtaken`, `right-missing`.
 */
export async function moveExperiment(
  from: ExperimentLocation,
  to: ExperimentLocation,
  name: string,
  options: MoveOptions,
): Promise<MovedExperiment> {
  const { keep, notes } = options;
  const [source, target] = [(await ledgerHead(from.engine)).database, (await ledgerHead(to.engine)).database];
  if (source === target) throw new Failure("move-same-database", { location: to.name });
  const note = notes.find(source, target, name);
  if (note !== undefined && (await isStored(to.engine, note))) {
    if (!keep) await resumeRemoval(from, note, to.name, options);
    notes.remove(source, target, name);
    return { ...(await summaryOf(to.engine, note.target.experiment)), ...formerOwner(note.owner), resumed: true };
  }
  const current = await movable(from, to, name, keep);
  const copied = await from.engine.transaction(async () => {
    const stored = keep ? current : await lockExperiment(from.engine, current);
    const { copy, started } = await copyAndNote(from, stored, to, { source, target }, options);
    options.onStep("copied");
    if (!keep) await deleteSource(from, started);
    return { copy, started };
  });
  if (!keep) {
    options.onStep("hidden");
    await purgeSource(from, copied.started);
    options.onStep("dropped");
    notes.remove(source, target, name);
  }
  return {
    ...copied.copy,
    ...(await summaryOf(to.engine, copied.copy.id)),
    ...formerOwner(current.owner),
    resumed: false,
  };
}

function formerOwner(former: string | undefined): Pick<MovedExperiment, "former"> {
  return former === undefined ? {} : { former };
}

/** Names of experiments whose moves were killed after the copy was committed. */
export async function unfinishedMoves(
  from: ExperimentLocation,
  to: ExperimentLocation,
  notes: MoveNotes,
): Promise<readonly string[]> {
  return notes.namesBetween((await ledgerHead(from.engine)).database, (await ledgerHead(to.engine)).database);
}

/** Checks a move without writing. `to` is absent if the database does not exist. Fails like `moveExperiment`. */
export async function movable(
  from: ExperimentLocation,
  to: ExperimentLocation | undefined,
  name: string,
  keep: boolean,
): Promise<StoredExperiment> {
  const stored = await findExperiment(from.engine, name);
  await requireRight(from.engine, stored, keep ? "read" : "admin");
  if (to === undefined) return stored;
  await requireCreation(to.engine);
  try {
    await requireFreeName(to.engine, stored.experiment.name);
  } catch (error) {
    throw isFailure(error, "experiment-exists")
      ? new Failure("experiment-exists", { ...error.data, location: to.name })
      : error;
  }
  return stored;
}

export async function summaryOf(engine: Engine, id: number): Promise<MovableExperiment> {
  const { experiment } = await experimentById(engine, id);
  const sums = "count(*) as runs, cast(coalesce(sum(data_sets), 0) as bigint) as sets";
  const [row] = recordsOf(await engine.query(`select ${sums} from run where experiment = $1`, [id]));
  return { experiment: experiment.name, id, runs: Number(row?.get("runs")), rows: Number(row?.get("sets")) };
}

/** Whether the copy was committed. Its id is no proof, because DuckDB reuses ids of failed transactions. */
async function isStored(engine: Engine, { target: { experiment: id, entry }, contents }: MoveNote): Promise<boolean> {
  if ((await engine.query("select id from experiment where id = $1 and deleted is null", [id])).length === 0)
    return false;
  if (entry === undefined) return (await engine.transaction(() => experimentDigest(engine, { id }))) === contents;
  return (
    (await engine.query("select number from ledger where experiment = $1 and object = $2", [id, entry])).length > 0
  );
}

/**
 * Locks the row of the experiment, which every change updates last, until the transaction ends. A file has one writer.
 */
async function lockExperiment(engine: Engine, { id, experiment }: StoredExperiment): Promise<StoredExperiment> {
  const rows = await engine.query(
    `select id from experiment where id = $1 and deleted is null${engine.dialect.rowLock}`,
    [id],
  );
  if (rows.length === 0) throw new Failure("unknown-experiment", { experiment: experiment.name });
  return experimentById(engine, id);
}

async function copyAndNote(
  from: ExperimentLocation,
  stored: StoredExperiment,
  to: ExperimentLocation,
  { source, target }: { readonly source: string; readonly target: string },
  options: MoveOptions,
): Promise<{ readonly copy: CopiedExperiment; readonly started: MoveNote }> {
  const total = 2 * (await summaryOf(from.engine, stored.id)).rows;
  const [, entry = ""] = (await experimentState(from.engine, stored.id)) ?? [];
  let done = 0;
  return to.engine.transaction(async () => {
    options.onStep("started");
    const copy = await copyExperiment(from, stored, to, (rows) => options.progress((done += rows), total));
    const known = copy.history ? { entry: (await experimentState(to.engine, copy.id))?.[1] ?? "" } : {};
    const started: MoveNote = {
      source: { database: source, experiment: stored.id, entry },
      target: { database: target, experiment: copy.id, ...known },
      contents: copy.digest,
      ...(stored.owner === undefined ? {} : { owner: stored.owner }),
      at: options.now,
    };
    if (!options.keep) options.notes.put(started, stored.experiment.name);
    options.onStep("compared");
    return { copy, started };
  });
}

/** Keeps the deletion from being shared with other instances. */
const onlyHere = { aside: true } as const;

/** Marks the source deleted, which frees its name; within a transaction of the caller. */
async function deleteSource(
  { engine, objects }: ExperimentLocation,
  { source: { experiment }, at }: MoveNote,
): Promise<void> {
  await markExperimentDeleted(engine, experiment, at);
  await appendChange(engine, objects, experiment, { kind: "delete-experiment" }, at, onlyHere);
}

/** Attempts to purge; readers of the deleted experiment may still lock its tables. */
const maxAttempts = 5;

/** Purges the deleted source. Safe to retry. */
async function purgeSource(
  { engine, objects }: ExperimentLocation,
  { source: { experiment }, at }: MoveNote,
): Promise<void> {
  for (let left = maxAttempts; ; left--) {
    try {
      return await engine.transaction(async () => {
        await engine.rights.lock();
        await appendChange(engine, objects, experiment, { kind: "purge-experiment" }, at, onlyHere);
        await engine.catalogue.dropExperiment(experiment);
      });
    } catch (error) {
      if (left === 1 || !isFailure(error, "database-conflict")) throw error;
    }
  }
}

/** Resumes a move that was killed after the copy, unless the user has deleted or purged the source since. */
async function resumeRemoval(
  from: ExperimentLocation,
  note: MoveNote,
  location: string,
  { onStep }: MoveOptions,
): Promise<void> {
  const { experiment, entry } = note.source;
  const deleted = await deletionTime(from.engine, experiment);
  if (deleted === undefined || (deleted !== null && deleted !== note.at)) return;
  if (deleted === null) {
    await from.engine.transaction(async () => {
      const stored = await lockExperiment(from.engine, await experimentById(from.engine, experiment));
      const [, now] = (await experimentState(from.engine, experiment)) ?? [];
      if (now !== entry) throw new Failure("move-overtaken", { experiment: stored.experiment.name, location });
      await deleteSource(from, note);
    });
    onStep("hidden");
  }
  await purgeSource(from, note);
  onStep("dropped");
}

/** When the experiment was deleted; null if it was not, undefined if it does not exist. */
async function deletionTime(engine: Engine, id: number): Promise<number | null | undefined> {
  const [row] = recordsOf(await engine.query("select deleted from experiment where id = $1", [id]));
  const deleted = row?.get("deleted");
  return row === undefined ? undefined : deleted === null ? null : Number(deleted);
}
