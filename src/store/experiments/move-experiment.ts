import { isFailure, Failure } from "../../core/failures/failure.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import {
  purgeExperiment,
  experimentById,
  findExperiment,
  requireFreeName,
  type StoredExperiment,
} from "../catalogue/catalogue.ts";
import { copyExperiment, type CopiedExperiment, type ExperimentLocation } from "./copy-experiment.ts";
import { experimentDigest } from "../dump/dump-members.ts";
import { markExperimentDeleted } from "../catalogue/experiment-states.ts";
import { ledgerHead, appendChange, experimentState } from "../ledger/ledger.ts";
import { lockRights, requireCreation, requireRight } from "../catalogue/rights.ts";
import { recordsOf } from "../schema/result-rows.ts";

/** What is known of a move once everything was copied and compared, written before the copy can be seen. */
export interface MoveNote {
  /** `entry`: the last of its ledger, which changes with every change of the experiment. */
  readonly source: { readonly database: string; readonly experiment: number; readonly entry: string };
  /** `entry`: as above, where its history is known there. */
  readonly target: { readonly database: string; readonly experiment: number; readonly entry?: string };
  readonly contents: string;
  /** Who owned it. */
  readonly owner?: string;
  /** When the experiment is hidden in its old place. */
  readonly at: number;
}

/** Where such notes outlive a kill. */
export interface MoveNotes {
  /** Names of the experiments that notes are about. */
  namesBetween(source: string, target: string): readonly string[];
  find(source: string, target: string, experiment: string): MoveNote | undefined;
  put(note: MoveNote, experiment: string): void;
  remove(source: string, target: string, experiment: string): void;
}

/** What is done, in this order; tests kill the program at each. */
export type MoveStep = "begun" | "compared" | "copied" | "hidden" | "dropped";

export interface MoveOptions {
  /** The experiment stays here, too. */
  readonly keep: boolean;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly now: number;
  readonly notes: MoveNotes;
  readonly onStep: (step: MoveStep) => void;
  /** Rows that were written or compared so far, of all that are to be: each twice. */
  readonly progress: (done: number, total: number) => void;
}

/** How much there is of an experiment. */
export interface MovableExperiment {
  /** As its description spells it. */
  readonly experiment: string;
  /** Its number in the database. */
  readonly id: number;
  readonly runs: number;
  readonly dataSets: number;
}

/** What is there afterwards. */
export interface MovedExperiment extends MovableExperiment, Partial<CopiedExperiment> {
  readonly id: number;
  /** Who owned it before. */
  readonly former?: string;
  /** An earlier move had copied it and was killed; what that knew of the copy is not known any more. */
  readonly resumed: boolean;
}

/**
 * Moves an experiment to another database: all that makes it up is copied and compared in one transaction there, while
 * nobody can change it here; then it is hidden here, and dropped. A kill leaves it here, or in both places until the
 * move is begun again. Readers are not held up. Fails with `unknown-experiment`, `experiment-exists`,
 * `move-same-database`, `move-differs`, `move-overtaken`, `right-missing`.
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
  const found = await movable(from, to, name, keep);
  const copied = await from.engine.transaction(async () => {
    const stored = keep ? found : await lockExperiment(from.engine, found);
    const { copy, begun } = await copyAndNote(from, stored, to, { source, target }, options);
    options.onStep("copied");
    if (!keep) await deleteSource(from, begun);
    return { copy, begun };
  });
  if (!keep) {
    options.onStep("hidden");
    await purgeSource(from, copied.begun);
    options.onStep("dropped");
    notes.remove(source, target, name);
  }
  return { ...copied.copy, ...(await summaryOf(to.engine, copied.copy.id)), ...formerOwner(found.owner), resumed: false };
}

function formerOwner(former: string | undefined): Pick<MovedExperiment, "former"> {
  return former === undefined ? {} : { former };
}

/** Experiments whose moves were killed once they were stored there: those that are hidden here are in no list. */
export async function unfinishedMoves(
  from: ExperimentLocation,
  to: ExperimentLocation,
  notes: MoveNotes,
): Promise<readonly string[]> {
  return notes.namesBetween((await ledgerHead(from.engine)).database, (await ledgerHead(to.engine)).database);
}

/** To be asked before anything is done. `to` is absent where there is no database yet. Fails like `moveExperiment`. */
export async function movable(
  from: ExperimentLocation,
  to: ExperimentLocation | undefined,
  name: string,
  keep: boolean,
): Promise<StoredExperiment> {
  const found = await findExperiment(from.engine, name);
  await requireRight(from.engine, found, keep ? "read" : "admin");
  if (to === undefined) return found;
  await requireCreation(to.engine);
  try {
    await requireFreeName(to.engine, found.experiment.name);
  } catch (error) {
    throw isFailure(error, "experiment-exists")
      ? new Failure("experiment-exists", { ...error.data, location: to.name })
      : error;
  }
  return found;
}

export async function summaryOf(engine: Engine, id: number): Promise<MovableExperiment> {
  const { experiment } = await experimentById(engine, id);
  const sums = "count(*) as runs, cast(coalesce(sum(data_sets), 0) as bigint) as sets";
  const [row] = recordsOf(await engine.query(`select ${sums} from run where experiment = $1`, [id]));
  return { experiment: experiment.name, id, runs: Number(row?.get("runs")), dataSets: Number(row?.get("sets")) };
}

/**
 * Whether the copy was stored. Its number alone proves nothing: DuckDB gives those of transactions that failed once
 * more.
 */
async function isStored(engine: Engine, { target: { experiment: id, entry }, contents }: MoveNote): Promise<boolean> {
  if ((await engine.query("select id from experiment where id = $1 and deleted is null", [id])).length === 0)
    return false;
  if (entry === undefined) return (await engine.transaction(() => experimentDigest(engine, { id }))) === contents;
  return (
    (await engine.query("select number from ledger where experiment = $1 and object = $2", [id, entry])).length > 0
  );
}

/**
 * Whatever changes an experiment changes its row last, and waits here until the transaction ends. A file has one writer
 * anyway.
 */
async function lockExperiment(engine: Engine, { id, experiment }: StoredExperiment): Promise<StoredExperiment> {
  const lock = engine.dialect === "postgres" ? " for update" : "";
  const rows = await engine.query(`select id from experiment where id = $1 and deleted is null${lock}`, [id]);
  if (rows.length === 0) throw new Failure("unknown-experiment", { experiment: experiment.name });
  return experimentById(engine, id);
}

async function copyAndNote(
  from: ExperimentLocation,
  stored: StoredExperiment,
  to: ExperimentLocation,
  { source, target }: { readonly source: string; readonly target: string },
  options: MoveOptions,
): Promise<{ readonly copy: CopiedExperiment; readonly begun: MoveNote }> {
  const total = 2 * (await summaryOf(from.engine, stored.id)).dataSets;
  const [, entry = ""] = (await experimentState(from.engine, stored.id)) ?? [];
  let done = 0;
  return to.engine.transaction(async () => {
    options.onStep("begun");
    const copy = await copyExperiment(from, stored, to, (rows) => options.progress((done += rows), total));
    const known = copy.history ? { entry: (await experimentState(to.engine, copy.id))?.[1] ?? "" } : {};
    const begun: MoveNote = {
      source: { database: source, experiment: stored.id, entry },
      target: { database: target, experiment: copy.id, ...known },
      contents: copy.contents,
      ...(stored.owner === undefined ? {} : { owner: stored.owner }),
      at: options.now,
    };
    if (!options.keep) options.notes.put(begun, stored.experiment.name);
    options.onStep("compared");
    return { copy, begun };
  });
}

/** Instances that share what happened to the experiment are not to delete theirs. */
const onlyHere = { aside: true } as const;

/** In a transaction of the caller. Its name is free then, and nobody finds it. */
async function deleteSource({ engine, objects }: ExperimentLocation, { source: { experiment }, at }: MoveNote): Promise<void> {
  await markExperimentDeleted(engine, experiment, at);
  await appendChange(engine, objects, experiment, { kind: "delete-experiment" }, at, onlyHere);
}

/** So often the server may end it in favour of somebody else: who still reads what was hidden holds its tables. */
const maxAttempts = 5;

/** Drops what was hidden. What hides it is nobody's any more, so that it can be tried again. */
async function purgeSource({ engine, objects }: ExperimentLocation, { source: { experiment }, at }: MoveNote): Promise<void> {
  for (let left = maxAttempts; ; left--) {
    try {
      return await engine.transaction(async () => {
        await lockRights(engine);
        await appendChange(engine, objects, experiment, { kind: "purge-experiment" }, at, onlyHere);
        await purgeExperiment(engine, experiment);
      });
    } catch (error) {
      if (left === 1 || !isFailure(error, "database-conflict")) throw error;
    }
  }
}

/** Goes on where a move was killed behind its copy. What the user deleted or dropped since needs nothing more. */
async function resumeRemoval(from: ExperimentLocation, note: MoveNote, place: string, { onStep: reached }: MoveOptions): Promise<void> {
  const { experiment, entry } = note.source;
  const hidden = await deletionTime(from.engine, experiment);
  if (hidden === undefined || (hidden !== null && hidden !== note.at)) return;
  if (hidden === null) {
    await from.engine.transaction(async () => {
      const stored = await lockExperiment(from.engine, await experimentById(from.engine, experiment));
      const [, now] = (await experimentState(from.engine, experiment)) ?? [];
      if (now !== entry) throw new Failure("move-overtaken", { experiment: stored.experiment.name, location: place });
      await deleteSource(from, note);
    });
    reached("hidden");
  }
  await purgeSource(from, note);
  reached("dropped");
}

/** When the experiment was deleted; null: it was not; undefined: there is none. */
async function deletionTime(engine: Engine, id: number): Promise<number | null | undefined> {
  const [row] = recordsOf(await engine.query("select deleted from experiment where id = $1", [id]));
  const deleted = row?.get("deleted");
  return row === undefined ? undefined : deleted === null ? null : Number(deleted);
}
