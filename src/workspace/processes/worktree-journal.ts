import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { isVersionId, type VersionId } from "../../core/versions/digest.ts";
import { makeFolder, removeDurably, writeDurably } from "../../store/durable/durable-file.ts";
import { wrapWriteErrors } from "../../store/durable/file-failure.ts";
import { listFolder, readRegularFile } from "../../store/durable/regular-file.ts";
import { identityOf, ownIdentity, parseIdentity, type ProcessIdentity } from "../../store/durable/process-identity.ts";

/** What a journal tells of a run: whose it is, what it measures, and where. */
export interface RunRecord {
  readonly owner: ProcessIdentity;
  readonly version: VersionId;
  /** Absolute; ends in `perfkeep-<id of the run>`. */
  readonly worktree: string;
}

/** A journal found on disk. */
export interface JournaledRun {
  readonly id: string;
  /** null: the journal is damaged, or names a place that perfkeep would never have chosen. */
  readonly record: RunRecord | null;
  /** Leaders of the process groups that were running in the worktree. */
  readonly children: readonly ProcessIdentity[];
}

/** 128 random bits: nobody else's folder or worktree has this in its name, so what has it may be deleted. */
const idPattern = /^[0-9a-f]{32}$/;

const maxJournalBytes = 65_536;

/** The last segment of the worktree of run `id`. Letters, digits and hyphens only: git names its entry after it. */
export function treeName(id: string): string {
  return `perfkeep-${id}`;
}

/**
 * A run in a worktree of its own, announced in `<folder>/<id>.json` before anything else of it exists, so that whatever
 * a kill leaves can be found and removed.
 */
export class RunJournal {
  readonly worktree: string;
  readonly #folder: string;
  readonly #id = randomBytes(16).toString("hex");

  /** Writes the journal durably and makes the folder of the worktree, empty and for no other user to read. */
  constructor(folder: string, trees: string, version: VersionId) {
    this.#folder = folder;
    this.worktree = join(trees, treeName(this.#id));
    makeFolder(folder);
    writeDurably(join(folder, `${this.#id}.json`), [
      encodeRecord({ owner: ownIdentity(), version, worktree: this.worktree }),
    ]);
    try {
      wrapWriteErrors(this.worktree, () => mkdirSync(this.worktree, { mode: 0o700 }));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Notes a process group that works in the worktree, by its leader; answers how to take that back. Not synced: what a
   * power cut takes along it takes with the processes. That it cannot be written is no reason to stop the program.
   */
  note(pid: number): () => void {
    const path = join(this.#folder, childName(this.#id, pid));
    try {
      writeFileSync(path, JSON.stringify(identityOf(pid)));
    } catch {
      return () => {};
    }
    return () => rmSync(path, { force: true });
  }

  /** Only once the worktree is gone. */
  close(): void {
    removeJournal(this.#folder, this.#id);
  }
}

/** All journals in `folder`; none when there is no such folder. A link in its place is refused. */
export function findJournals(folder: string): JournaledRun[] {
  const names = listFolder(folder).map((entry) => entry.name);
  const ids = new Set(names.map((name) => /^([0-9a-f]{32})(?:\.json|-\d+\.child)$/.exec(name)?.[1] ?? ""));
  return [...ids].filter((id) => idPattern.test(id)).map((id) => readJournal(folder, names, id));
}

/** Deletes the journal of run `id` and its notes, the journal last. */
export function removeJournal(folder: string, id: string): void {
  for (const { name } of listFolder(folder)) if (isChildOf(name, id)) removeDurably(join(folder, name));
  removeDurably(join(folder, `${id}.json`));
}

function readJournal(folder: string, names: readonly string[], id: string): JournaledRun {
  const children = names
    .filter((name) => isChildOf(name, id))
    .map((name) => parseIdentity(readJson(join(folder, name))));
  return {
    id,
    record: parseRecord(readJson(join(folder, `${id}.json`)), id),
    children: children.filter((child) => child !== null),
  };
}

/**
 * A cloned `.perun` may hold a forged journal: a worktree that does not carry the run's own id is none of ours to
 * delete.
 */
function parseRecord(value: unknown, id: string): RunRecord | null {
  if (typeof value !== "object" || value === null) return null;
  const { owner, version, worktree } = value as Record<string, unknown>;
  const identity = parseIdentity(owner);
  if (identity === null || typeof version !== "string" || !isVersionId(version) || typeof worktree !== "string")
    return null;
  if (!isAbsolute(worktree) || worktree.includes("\0") || basename(worktree) !== treeName(id)) return null;
  return { owner: identity, version, worktree };
}

function childName(id: string, pid: number): string {
  return `${id}-${pid}.child`;
}

function isChildOf(name: string, id: string): boolean {
  return name.startsWith(`${id}-`) && /^\d+\.child$/.test(name.slice(id.length + 1));
}

function encodeRecord(record: RunRecord): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(record)}\n`);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(readRegularFile(path, maxJournalBytes) ?? new Uint8Array()));
  } catch {
    return null;
  }
}
