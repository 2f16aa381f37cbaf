import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { isVersionId, type VersionId } from "../../core/versions/index.ts";
import {
  makeFolder,
  removeDurably,
  writeDurably,
  wrapWriteErrors,
  listFolder,
  readRegularFile,
  identityOf,
  ownIdentity,
  parseIdentity,
  type ProcessIdentity,
} from "../../store/durable/index.ts";

/** The journal of a run: owner, measured version and worktree. */
export interface RunRecord {
  readonly owner: ProcessIdentity;
  readonly version: VersionId;
  /** Absolute path that ends in `perfkeep-<id of the run>`. */
  readonly worktree: string;
}

/** A journal on disk. */
export interface JournaledRun {
  readonly id: string;
  /** null: the journal is damaged, or names a path that perfkeep would not have chosen. */
  readonly record: RunRecord | null;
  /** Leaders of the process groups running in the worktree. */
  readonly children: readonly ProcessIdentity[];
}

/** 128 random bits: no other folder or worktree has such a name, so one that has may be deleted. */
const idPattern = /^[0-9a-f]{32}$/;

const maxJournalBytes = 65_536;

/** Folder name of the worktree of run `id`: letters, digits and hyphens, since git names its entry after it. */
export function treeName(id: string): string {
  return `perfkeep-${id}`;
}

/**
 * A run in its own worktree, recorded in `<folder>/<id>.json` before anything else exists, so that leftovers of a kill
 * can be found and removed.
 */
export class RunJournal {
  readonly worktree: string;
  readonly #folder: string;
  readonly #id = randomBytes(16).toString("hex");

  /** Writes the journal durably and creates the worktree's folder, empty and private. */
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
   * Records a process group of the worktree by its leader; returns how to remove the record. Not synced: a power cut
   * also ends the processes. A write error does not stop the program.
   */
  recordGroup(pid: number): () => void {
    const path = join(this.#folder, childName(this.#id, pid));
    try {
      writeFileSync(path, JSON.stringify(identityOf(pid)));
    } catch {
      return () => {};
    }
    return () => rmSync(path, { force: true });
  }

  /** Call after the worktree has been removed. */
  close(): void {
    removeJournal(this.#folder, this.#id);
  }
}

/** All journals in `folder`; none if it is missing. Refuses a link. */
export function findJournals(folder: string): JournaledRun[] {
  const names = listFolder(folder).map((entry) => entry.name);
  const ids = new Set(names.map((name) => /^([0-9a-f]{32})(?:\.json|-\d+\.child)$/.exec(name)?.[1] ?? ""));
  return [...ids].filter((id) => idPattern.test(id)).map((id) => readJournal(folder, names, id));
}

/** Deletes the journal of run `id` and its process groups, the journal last. */
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
 * A cloned `.perun` may contain a forged journal: a worktree without the run's id in its name is not ours to delete.
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
