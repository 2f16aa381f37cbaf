import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isVersionId, type VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { syncFolder, writeFully } from "./tagit-objects.ts";

/** All branches and tags of a repository at one point in time. */
export interface TagitState {
  /** Counts the changes; 0 before the first. */
  readonly number: number;
  /** The branch that the next version continues. */
  readonly branch: string;
  readonly branches: ReadonlyMap<string, VersionId>;
  readonly tags: ReadonlyMap<string, VersionId>;
}

/**
 * Number of states to keep. No writer takes this many changes between reading a state and writing the next.
 */
const maxStates = 1000;

/**
 * Reads the current state. States are immutable files `states/<number>.json`; the highest number is current. Writers
 * hard-link the next number, which is atomic and fails if it exists: no lock can be left over, no change is partial.
 */
export function readState(folder: string): TagitState {
  const number = Math.max(0, ...stateNumbers(folder));
  if (number === 0) throw damaged(folder, "it has no state");
  return parseState(folder, number, readFileSync(statePath(folder, number), "utf8"));
}

export function hasState(folder: string): boolean {
  return stateNumbers(folder).length > 0;
}

/** Writes the successor of the given state. Returns false if another writer was first. */
export function writeState(folder: string, { number, branch, branches, tags }: TagitState): boolean {
  const text = JSON.stringify({ branch, branches: Object.fromEntries(branches), tags: Object.fromEntries(tags) });
  const temporary = join(folder, "states", `new-${randomBytes(16).toString("hex")}`);
  const fd = openSync(temporary, "wx");
  try {
    writeFully(fd, Buffer.from(`${text}\n`));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return publish(folder, temporary, number + 1);
}

function publish(folder: string, temporary: string, number: number): boolean {
  try {
    linkSync(temporary, statePath(folder, number));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  syncFolder(join(folder, "states"));
  rmSync(statePath(folder, number - maxStates), { force: true });
  return true;
}

function parseState(folder: string, number: number, text: string): TagitState {
  try {
    const { branch, branches, tags } = JSON.parse(text) as Record<string, unknown>;
    if (typeof branch === "string") return { number, branch, branches: idsOf(branches), tags: idsOf(tags) };
  } catch {
    // Reported below.
  }
  throw damaged(folder, `state ${number} is corrupt`);
}

function idsOf(value: unknown): Map<string, VersionId> {
  const pairs = Object.entries(value as object) as [string, unknown][];
  if (!pairs.every(([, id]) => typeof id === "string" && isVersionId(id))) throw new TypeError("no ids");
  return new Map(pairs as [string, VersionId][]);
}

function stateNumbers(folder: string): number[] {
  return namesIn(join(folder, "states"))
    .filter((name) => /^[1-9]\d{0,14}[.]json$/.test(name))
    .map((name) => Number(name.slice(0, -".json".length)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function statePath(folder: string, number: number): string {
  return join(folder, "states", `${number}.json`);
}

function damaged(folder: string, reason: string): Failure {
  const remedy = "restore the .tagit folder from a backup; perfkeep changed nothing";
  return new Failure("vcs-failed", { program: "tagit", command: "read", path: folder, reason, remedy });
}
