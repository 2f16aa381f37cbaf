import { randomBytes } from "node:crypto";
import { renameSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../../core/profiles/run.ts";
import { decodeProfile, encodeProfile } from "../../formats/profile/profile.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { makeFolder, removeDurably, writeDurably } from "../../store/durable/durable-file.ts";
import { wrapWriteErrors } from "../../store/durable/file-failure.ts";
import { listFolder, readRegularFile } from "../../store/durable/regular-file.ts";
import { livenessOf, ownIdentity, parseIdentity } from "../../store/durable/process-identity.ts";

/** Nobody goes on with a run after so long: it is forgotten. */
const maxAgeMs = 14 * 86_400_000;

/** Long enough to write the name of an owner. */
const maxCreationMs = 3_600_000;

const ownerFile = "owner.json";

const maxRecordBytes = 1 << 20;

/**
 * How far a run with many jobs has come, so that it can go on after a kill: a folder below `.perun/run/batches` with a
 * record for each profile that was kept and with measurements of profiles that are not whole yet. Files appear in one
 * step. Made at the first thing to write, removed when all is done.
 */
export class Batch {
  readonly #path: string;
  readonly #key: string;
  #isMade: boolean;

  constructor(path: string, key: string, isMade: boolean) {
    this.#path = path;
    this.#key = key;
    this.#isMade = isMade;
  }

  /** Where generated files belong; they go with the batch. */
  get files(): string {
    this.#make();
    return join(this.#path, "files");
  }

  /** Notes the profiles of a job before they are written: what was noted but is not there has yet to be made. */
  record(job: string, profiles: readonly string[]): void {
    this.#make();
    writeDurably(join(this.#path, `${job}.json`), [new TextEncoder().encode(JSON.stringify(profiles))]);
  }

  /** The profiles noted for a job; null: none was. */
  recorded(job: string): readonly string[] | null {
    const names = this.#isMade ? readJson(join(this.#path, `${job}.json`)) : null;
    return Array.isArray(names) && names.every((name) => typeof name === "string") ? names : null;
  }

  /** The job has yet to be done, whatever was noted. */
  forget(job: string): void {
    if (this.#isMade) removeDurably(join(this.#path, `${job}.json`));
  }

  storePart(part: string, run: Run): void {
    this.#make();
    writeDurably(join(this.#path, `${part}.part`), [encodeProfile(run, "pending")]);
  }

  /** A measurement that was kept, or null. One that cannot be read is measured again. */
  storedPart(part: string): Run | null {
    if (!this.#isMade) return null;
    try {
      const bytes = readRegularFile(join(this.#path, `${part}.part`));
      return bytes === null ? null : decodeProfile(bytes, `${part}.part`);
    } catch (error) {
      if (isFailure(error)) return null;
      throw error;
    }
  }

  removePart(part: string): void {
    if (this.#isMade) removeDurably(join(this.#path, `${part}.part`));
  }

  /** `isComplete`: nothing is left to go on with. Otherwise the next run may take it over. */
  end(isComplete: boolean): void {
    if (!this.#isMade) return;
    if (isComplete) removeBatch(this.#path);
    else {
      rmSync(join(this.#path, "files"), { recursive: true, force: true });
      writeOwner(this.#path, this.#key, null);
    }
  }

  #make(): void {
    if (this.#isMade) return;
    this.#isMade = true;
    makeFolder(this.#path);
    writeOwner(this.#path, this.#key, ownIdentity());
  }
}

/**
 * Begins a batch, or goes on with the one of the same key that its owner has left. Without `resumes` that one is
 * forgotten. `now`: milliseconds since 1970.
 */
export function openBatch(
  folder: string,
  key: string,
  { resumes, now }: { readonly resumes: boolean; readonly now: number },
): Batch {
  const path = join(folder, randomBytes(16).toString("hex"));
  let isMade = false;
  for (const found of abandonedBatches(folder, now)) {
    if (found.key === key && resumes && !isMade) isMade = takeOver(found.path, path, key);
    else if (found.key === key || found.isOld) removeBatch(found.path);
  }
  return new Batch(path, key, isMade);
}

interface AbandonedBatch {
  readonly path: string;
  readonly key: string | null;
  readonly isOld: boolean;
}

/** Batches whose owner is known to have ended, or that are very old; the newest first. */
function abandonedBatches(folder: string, now: number): AbandonedBatch[] {
  return listFolder(folder)
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{32}$/.test(entry.name))
    .map(({ name }) => ({ path: join(folder, name), time: modifiedMs(join(folder, name)) }))
    .toSorted((a, b) => b.time - a.time)
    .flatMap(({ path, time }) => {
      const { key, isLeft } = readOwner(path);
      const isOld = now - time > (key === null ? maxCreationMs : maxAgeMs);
      return isLeft || isOld ? [{ path, key, isOld }] : [];
    });
}

/** By rename, so that of two who want it only one gets it. */
function takeOver(from: string, to: string, key: string): boolean {
  try {
    renameSync(from, to);
  } catch {
    return false;
  }
  rmSync(join(to, "files"), { recursive: true, force: true });
  writeOwner(to, key, ownIdentity());
  return true;
}

/** First the folder loses its name, so that a kill leaves nothing that looks whole. */
function removeBatch(path: string): void {
  rmSync(join(path, ownerFile), { force: true });
  rmSync(path, { recursive: true, force: true });
  try {
    rmdirSync(join(path, ".."));
  } catch {
    // Others have batches there.
  }
}

function writeOwner(path: string, key: string, owner: unknown): void {
  wrapWriteErrors(path, () =>
    writeDurably(join(path, ownerFile), [new TextEncoder().encode(`${JSON.stringify({ key, owner })}\n`)]),
  );
}

/** A batch without a readable owner was being removed or made when its process was killed. */
function readOwner(path: string): { readonly key: string | null; readonly isLeft: boolean } {
  const content = readJson(join(path, ownerFile));
  if (typeof content !== "object" || content === null) return { key: null, isLeft: false };
  const { key, owner } = content as Record<string, unknown>;
  const identity = parseIdentity(owner);
  const isLeft = owner === null || (identity !== null && livenessOf(identity) === "dead");
  return { key: typeof key === "string" ? key : null, isLeft };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(readRegularFile(path, maxRecordBytes) ?? new Uint8Array()));
  } catch {
    return null;
  }
}

function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
