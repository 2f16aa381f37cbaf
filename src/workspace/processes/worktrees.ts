import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import type { VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Environment, Vcs, Worktree } from "../../plugins/vcs/vcs.ts";
import { wrapReadErrors, sweepFolder, livenessOf } from "../../store/durable/index.ts";
import { findJournals, removeJournal, RunJournal, treeName, type JournaledRun } from "./worktree-journal.ts";
import { processInterrupts, type Interrupts } from "./process-group.ts";
import { killOrphans, orphanMarker } from "./procfs.ts";

/** Folders of journals and worktrees. */
export interface RunPaths {
  /** `.perun/run`. */
  readonly journals: string;
  /**
   * Outside of the user's tree: otherwise compilers and package managers would find configuration and libraries of the
   * user's project in parent folders, and file watchers would find the worktree.
   */
  readonly trees: string;
}

export interface RunContext extends RunPaths {
  readonly interrupts?: Interrupts;
  /** How long an interrupted action may take to end; longer than the shell takes to stop a program. */
  readonly graceMilliseconds?: number;
}

/** Result of recovering a journal. */
export interface RecoveredRun {
  readonly id: string;
  readonly version?: VersionId;
  readonly worktree?: string;
  /** running: its owner is alive. elsewhere: its owner is on another machine or in another container. */
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
 * Calls `action` with a private worktree of `version`, and removes it on return, failure and interrupt; the next call
 * removes leftovers of a kill. Never touches the user's tree, index, stash or head. Fails with `interrupted` after
 * SIGINT, SIGTERM or SIGHUP: immediately after a second one, else when `action` has ended or the grace period is over.
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

/** Versions to check out at the same time; `refuse` is called for those that fail. */
export interface ConcurrentVersions {
  readonly versions: readonly VersionId[];
  refuse(version: VersionId, error: unknown): void;
}

/** Like `withVersion` for several versions at once; skips versions whose worktree fails, after calling `refuse`. */
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
 * Removes what can be removed; the first error is what the user must see, and while the journal exists the next run
 * tries again.
 */
async function removeAfterFailure(vcs: Vcs, journal: RunJournal): Promise<void> {
  // An interrupted git may still be writing to the tree.
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

/** True if the owner of some journal is dead. Sweeps unfinished journal files: their runs have not started. */
export function hasDeadRun(journals: string): boolean {
  sweepFolder(journals);
  return findJournals(journals).some(({ record }) => record === null || livenessOf(record.owner) === "dead");
}

/** Removes leftovers of killed runs. Journals that cannot be handled are returned and stay. */
export async function recoverRuns(paths: RunPaths, vcs: Vcs): Promise<RecoveredRun[]> {
  const recovered: RecoveredRun[] = [];
  sweepFolder(paths.journals);
  for (const run of findJournals(paths.journals)) recovered.push(await recoverRun(paths, vcs, run));
  return recovered;
}

/**
 * Records a process group started in `directory` if that is inside of an open run's worktree; returns how to remove the
 * record.
 */
export function recordProcessGroup(leader: number | undefined, directory: string): () => void {
  const journal = journalAt(directory);
  return journal && leader !== undefined ? journal.recordGroup(leader) : () => {};
}

/**
 * Environment variables that mark a program started in `directory`, so that it is found even if its group was not
 * recorded.
 */
export function environmentMarker(directory: string): Record<string, string> {
  const journal = journalAt(directory);
  return journal ? orphanMarker(journal.worktree) : {};
}

function journalAt(directory: string): RunJournal | undefined {
  return [...openJournals].find(({ worktree }) => directory === worktree || directory.startsWith(worktree + sep));
}

async function recoverRun(paths: RunPaths, vcs: Vcs, { id, record, children }: JournaledRun): Promise<RecoveredRun> {
  // Journals are written atomically, so an empty one was damaged later; its tree can only be in the current folder of
  // trees.
  const worktree = record?.worktree ?? join(paths.trees, treeName(id));
  const facts = { id, worktree, ...(record ? { version: record.version } : {}) };
  const ownerState = record ? livenessOf(record.owner) : "dead";
  if (ownerState === "alive") return { ...facts, outcome: "running" };
  if (ownerState === "unknown") return { ...facts, outcome: "elsewhere" };
  try {
    killOrphans(worktree, children);
    await vcs.removeWorktree(worktree);
    removeJournal(paths.journals, id);
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

/** A request of the user or system to stop a run. */
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

  /** Fails with `interrupted` after a request. */
  check(): void {
    if (this.#requests > 0) throw new Failure("interrupted");
  }

  /** The result of `action`; after an interrupt fails, whatever the result. */
  async ending<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await Promise.race([action(), this.#ended]);
    } finally {
      this.check();
    }
  }

  /** Further requests are only counted until now, so that they do not interrupt the cleanup. */
  end(): void {
    clearTimeout(this.#timer);
    this.#unlisten();
  }
}
