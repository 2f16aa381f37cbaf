import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Environment, Vcs, Worktree } from "../../plugins/vcs/vcs.ts";
import { wrapReadErrors } from "../../store/durable/file-failure.ts";
import { sweepFolder } from "../../store/durable/temporary-files.ts";
import { livenessOf } from "../../store/durable/process-identity.ts";
import { findJournals, removeJournal, RunJournal, treeName, type JournaledRun } from "./worktree-journal.ts";
import { processInterrupts, type Interrupts } from "./process-group.ts";
import { killOrphans, orphanMarker } from "./procfs.ts";

/** Where runs are journalled and where their trees are made. */
export interface RunPaths {
  /** `.perun/run`. */
  readonly journals: string;
  /**
   * Outside of the user's tree: below it, compilers and package managers would find the user's own configuration and
   * libraries in the folders above, and his watchers and searches would find the tree.
   */
  readonly trees: string;
}

export interface RunContext extends RunPaths {
  readonly interrupts?: Interrupts;
  /** How long an interrupted action may take to end by itself; longer than the shell takes to stop a program. */
  readonly graceMilliseconds?: number;
}

/** What became of a journal that was found. */
export interface RecoveredRun {
  readonly id: string;
  readonly version?: VersionId;
  readonly worktree?: string;
  /** running: its owner lives. elsewhere: its owner is on another machine or in another container. */
  readonly outcome: "removed" | "running" | "elsewhere" | "failed";
  readonly reason?: string;
}

const graceMilliseconds = 6000;

const openJournals = new Set<RunJournal>();

export function runPaths(perun: string, environment: Environment): RunPaths {
  const trees = environment["TMPDIR"] || tmpdir();
  return { journals: join(perun, "run"), trees: wrapReadErrors(trees, () => realpathSync(trees)) };
}

/**
 * Calls `action` with a tree of `version` that nobody else uses, and removes the tree when it ends, fails or is
 * interrupted; what a kill leaves is removed by the next call. The user's tree, index, stash and head are never
 * touched. Fails with `interrupted` after SIGINT, SIGTERM or SIGHUP: at once after a second one, else when `action` has
 * ended or the grace is over.
 */
export async function withVersion<T>(
  world: RunContext,
  vcs: Vcs,
  version: VersionId,
  action: (tree: Worktree) => Promise<T>,
): Promise<T> {
  await recoverRuns(world, vcs);
  const interruption = new Interruption(world);
  try {
    return await inWorktree(new RunJournal(world.journals, world.trees, version), interruption, vcs, version, action);
  } finally {
    interruption.end();
  }
}

/** Which versions are to have trees at the same time, and who hears of one that cannot have any. */
export interface ConcurrentVersions {
  readonly versions: readonly VersionId[];
  refuse(version: VersionId, error: unknown): void;
}

/**
 * As `withVersion`, with a tree of each version at the same time; those whose tree could not be made are left out after
 * `refuse` was told.
 */
export async function withVersions<T>(
  world: RunContext,
  vcs: Vcs,
  { versions, refuse }: ConcurrentVersions,
  action: (trees: ReadonlyMap<VersionId, Worktree>) => Promise<T>,
): Promise<T> {
  await recoverRuns(world, vcs);
  const interruption = new Interruption(world);
  const journals: RunJournal[] = [];
  try {
    const result = await interruption.ending(async () => {
      const trees = new Map<VersionId, Worktree>();
      for (const version of versions) {
        try {
          const journal = new RunJournal(world.journals, world.trees, version);
          journals.push(journal);
          openJournals.add(journal);
          trees.set(version, await vcs.addWorktree(journal.worktree, version));
        } catch (error) {
          refuse(version, error);
        }
        interruption.check();
      }
      return action(trees);
    });
    for (const journal of journals) await removeTree(vcs, journal);
    return result;
  } catch (error) {
    for (const journal of journals) await removeAfterFailure(vcs, journal);
    throw error;
  } finally {
    for (const journal of journals) openJournals.delete(journal);
    interruption.end();
  }
}

/**
 * Removes what can be removed: what went wrong first is what the user must hear, and while the journal stands, the next
 * run tries again.
 */
async function removeAfterFailure(vcs: Vcs, journal: RunJournal): Promise<void> {
  // An interrupted git may still be filling the tree.
  killOrphans(journal.worktree, []);
  await removeTree(vcs, journal).catch(() => {});
}

async function inWorktree<T>(
  journal: RunJournal,
  interruption: Interruption,
  vcs: Vcs,
  version: VersionId,
  action: (tree: Worktree) => Promise<T>,
): Promise<T> {
  openJournals.add(journal);
  try {
    const result = await interruption.ending(async () => {
      const tree = await vcs.addWorktree(journal.worktree, version);
      interruption.check();
      return action(tree);
    });
    await removeTree(vcs, journal);
    return result;
  } catch (error) {
    await removeAfterFailure(vcs, journal);
    throw error;
  } finally {
    openJournals.delete(journal);
  }
}

/**
 * True when a run that left its journal is known to have ended. Sweeps journals that were never finished: nothing was
 * begun yet.
 */
export function hasDeadRun(journals: string): boolean {
  sweepFolder(journals);
  return findJournals(journals).some(({ record }) => record === null || livenessOf(record.owner) === "dead");
}

/** Removes what killed runs left. A journal that cannot be dealt with is told of and stays. */
export async function recoverRuns(places: RunPaths, vcs: Vcs): Promise<RecoveredRun[]> {
  const recovered: RecoveredRun[] = [];
  sweepFolder(places.journals);
  for (const run of findJournals(places.journals)) recovered.push(await recoverRun(places, vcs, run));
  return recovered;
}

/**
 * Notes a process group that was started in `directory`, if that lies in the tree of an open run; answers how to take
 * that back.
 */
export function recordProcessGroup(leader: number | undefined, directory: string): () => void {
  const journal = journalAt(directory);
  return journal && leader !== undefined ? journal.note(leader) : () => {};
}

/**
 * What a program that is started in `directory` is to have in its environment, so that it can be found without its
 * group's note.
 */
export function environmentMarker(directory: string): Record<string, string> {
  const journal = journalAt(directory);
  return journal ? orphanMarker(journal.worktree) : {};
}

function journalAt(directory: string): RunJournal | undefined {
  return [...openJournals].find(({ worktree }) => directory === worktree || directory.startsWith(worktree + sep));
}

async function recoverRun(places: RunPaths, vcs: Vcs, { id, record, children }: JournaledRun): Promise<RecoveredRun> {
  // A journal is written in one step, so one without content was damaged later; its tree can only be where trees are
  // made now.
  const worktree = record?.worktree ?? join(places.trees, treeName(id));
  const facts = { id, worktree, ...(record ? { version: record.version } : {}) };
  const fate = record ? livenessOf(record.owner) : "dead";
  if (fate === "alive") return { ...facts, outcome: "running" };
  if (fate === "unknown") return { ...facts, outcome: "elsewhere" };
  try {
    killOrphans(worktree, children);
    await vcs.removeWorktree(worktree);
    removeJournal(places.journals, id);
    return { ...facts, outcome: "removed" };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...facts, outcome: "failed", reason: error.message };
  }
}

async function removeTree(vcs: Vcs, journal: RunJournal): Promise<void> {
  await vcs.removeWorktree(journal.worktree);
  journal.close();
}

/** The wish of the user or system that a run should end. */
class Interruption {
  readonly #unlisten: () => void;
  readonly #ended: Promise<never>;
  #requests = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ interrupts = processInterrupts, graceMilliseconds: grace = graceMilliseconds }: RunContext) {
    let end!: () => void;
    this.#ended = new Promise((_, reject) => (end = () => reject(new Failure("interrupted"))));
    this.#ended.catch(() => {});
    this.#unlisten = interrupts(() => {
      if (++this.#requests > 1) end();
      else this.#timer = setTimeout(end, grace);
    });
  }

  /** Fails with `interrupted` once that was asked for. */
  check(): void {
    if (this.#requests > 0) throw new Failure("interrupted");
  }

  /** The result of `action`, unless it was interrupted: whatever came of it then, the caller must not go on. */
  async ending<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await Promise.race([action(), this.#ended]);
    } finally {
      this.check();
    }
  }

  /** Until now further requests were only counted, so that none could cut the tidying short. */
  end(): void {
    clearTimeout(this.#timer);
    this.#unlisten();
  }
}
