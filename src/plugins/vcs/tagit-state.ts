import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isVersionId, type VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import { syncFolder, writeWhole } from "./tagit-objects.ts";

/** Every name of a repository, as it was at one moment. */
export interface TagitState {
  /** Counts the changes; 0 before the first. */
  readonly number: number;
  /** The branch that the next version continues. */
  readonly branch: string;
  readonly branches: ReadonlyMap<string, VersionId>;
  readonly tags: ReadonlyMap<string, VersionId>;
}

/**
 * Older states are removed when so many newer ones exist: nobody sleeps that long between reading a state and writing
 * the next.
 */
const keptStates = 1000;

/**
 * States are files `states/<number>.json` that are never rewritten; the highest number is the present. A new state
 * appears under the next number in one step and only if nobody was faster, so there is no lock that a kill could leave,
 * and no half of a change.
 */
export function readState(folder: string): TagitState {
  const number = Math.max(0, ...numbers(folder));
  if (number === 0) throw damaged(folder, "it has no state");
  return parsed(folder, number, readFileSync(statePath(folder, number), "utf8"));
}

export function hasState(folder: string): boolean {
  return numbers(folder).length > 0;
}

/** Writes what follows `state`. False when somebody else did first. */
export function writeState(folder: string, { number, branch, branches, tags }: TagitState): boolean {
  const text = JSON.stringify({ branch, branches: Object.fromEntries(branches), tags: Object.fromEntries(tags) });
  const temporary = join(folder, "states", `new-${randomBytes(16).toString("hex")}`);
  const fd = openSync(temporary, "wx");
  try {
    writeWhole(fd, Buffer.from(`${text}\n`));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return appeared(folder, temporary, number + 1);
}

function appeared(folder: string, temporary: string, number: number): boolean {
  try {
    linkSync(temporary, statePath(folder, number));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  syncFolder(join(folder, "states"));
  rmSync(statePath(folder, number - keptStates), { force: true });
  return true;
}

function parsed(folder: string, number: number, text: string): TagitState {
  try {
    const { branch, branches, tags } = JSON.parse(text) as Record<string, unknown>;
    if (typeof branch === "string") return { number, branch, branches: idsOf(branches), tags: idsOf(tags) };
  } catch {
    // Told below.
  }
  throw damaged(folder, `state ${number} is garbled`);
}

function idsOf(value: unknown): Map<string, VersionId> {
  const pairs = Object.entries(value as object) as [string, unknown][];
  if (!pairs.every(([, id]) => typeof id === "string" && isVersionId(id))) throw new TypeError("no ids");
  return new Map(pairs as [string, VersionId][]);
}

function numbers(folder: string): number[] {
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
  const remedy = "bring the .tagit folder back from a copy; perfkeep changed nothing";
  return new Failure("vcs-failed", { program: "tagit", command: "read", path: folder, reason, remedy });
}
