import { randomBytes } from "node:crypto";
import { renameSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../../core/profiles/index.ts";
import { decodeProfile, encodeProfile } from "../../formats/profile/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import {
  makeFolder,
  removeDurably,
  writeDurably,
  wrapWriteErrors,
  listFolder,
  readRegularFile,
  livenessOf,
  ownIdentity,
  parseIdentity,
} from "../../store/durable/index.ts";

/** Batches older than this are removed. */
const maxAgeMs = 14 * 86_400_000;

/** Maximum time to create a batch, up to its owner file. */
const maxCreationMs = 3_600_000;

const ownerFile = "owner.json";

const maxRecordBytes = 1 << 20;

/**
 * Progress of a run with many jobs, so that it can resume after a kill: a folder below `.perun/run/batches` with a
 * record per stored profile and the measurements of incomplete profiles. Files appear atomically. Created on the first
 * write, removed on completion.
 */
export class Batch {
  readonly #path: string;
  readonly #key: string;
  #exists: boolean;

  constructor(path: string, key: string, exists: boolean) {
    this.#path = path;
    this.#key = key;
    this.#exists = exists;
  }

  /** Folder of generated files; removed with the batch. */
  get files(): string {
    this.#create();
    return join(this.#path, "files");
  }

  /**
   * Records the profiles of a job before they are written; a recorded profile that does not exist must be made again.
   */
  record(job: string, profiles: readonly string[]): void {
    this.#create();
    writeDurably(join(this.#path, `${job}.json`), [new TextEncoder().encode(JSON.stringify(profiles))]);
  }

  /** Profiles recorded for a job; null: none. */
  recorded(job: string): readonly string[] | null {
    const names = this.#exists ? readJson(join(this.#path, `${job}.json`)) : null;
    return Array.isArray(names) && names.every((name) => typeof name === "string") ? names : null;
  }

  /** Removes the record: the job must be run again. */
  forget(job: string): void {
    if (this.#exists) removeDurably(join(this.#path, `${job}.json`));
  }

  storePart(part: string, run: Run): void {
    this.#create();
    writeDurably(join(this.#path, `${part}.part`), [encodeProfile(run, "pending")]);
  }

  /** A stored measurement; null if missing or unreadable. */
  storedPart(part: string): Run | null {
    if (!this.#exists) return null;
    try {
      const bytes = readRegularFile(join(this.#path, `${part}.part`));
      return bytes === null ? null : decodeProfile(bytes, `${part}.part`);
    } catch (error) {
      if (isFailure(error)) return null;
      throw error;
    }
  }

  removePart(part: string): void {
    if (this.#exists) removeDurably(join(this.#path, `${part}.part`));
  }

  /** Removes a complete batch; otherwise releases it for the next run to resume. */
  end(isComplete: boolean): void {
    if (!this.#exists) return;
    if (isComplete) removeBatch(this.#path);
    else {
      rmSync(join(this.#path, "files"), { recursive: true, force: true });
      writeOwner(this.#path, this.#key, null);
    }
  }

  #create(): void {
    if (this.#exists) return;
    this.#exists = true;
    makeFolder(this.#path);
    writeOwner(this.#path, this.#key, ownIdentity());
  }
}

/**
 * Starts a batch, or resumes an abandoned one with the same key; without `resumes` that one is removed. `now`:
 * milliseconds since 1970.
 */
export function openBatch(
  folder: string,
  key: string,
  { resumes, now }: { readonly resumes: boolean; readonly now: number },
): Batch {
  const path = join(folder, randomBytes(16).toString("hex"));
  let exists = false;
  for (const batch of abandonedBatches(folder, now)) {
    if (batch.key === key && resumes && !exists) exists = takeOver(batch.path, path, key);
    else if (batch.key === key || batch.isOld) removeBatch(batch.path);
  }
  return new Batch(path, key, exists);
}

interface AbandonedBatch {
  readonly path: string;
  readonly key: string | null;
  readonly isOld: boolean;
}

/** Batches whose owner has ended, or that are too old; newest first. */
function abandonedBatches(folder: string, now: number): AbandonedBatch[] {
  return listFolder(folder)
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{32}$/.test(entry.name))
    .map(({ name }) => ({ path: join(folder, name), time: modifiedMs(join(folder, name)) }))
    .toSorted((a, b) => b.time - a.time)
    .flatMap(({ path, time }) => {
      const { key, isAbandoned } = readOwner(path);
      const isOld = now - time > (key === null ? maxCreationMs : maxAgeMs);
      return isAbandoned || isOld ? [{ path, key, isOld }] : [];
    });
}

/** Takes over by rename, so that only one process succeeds. */
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

/** Removes the owner file first, so that a kill does not leave a folder that looks complete. */
function removeBatch(path: string): void {
  rmSync(join(path, ownerFile), { force: true });
  rmSync(path, { recursive: true, force: true });
  try {
    rmdirSync(join(path, ".."));
  } catch {
    // There are other batches.
  }
}

function writeOwner(path: string, key: string, owner: unknown): void {
  wrapWriteErrors(path, () =>
    writeDurably(join(path, ownerFile), [new TextEncoder().encode(`${JSON.stringify({ key, owner })}\n`)]),
  );
}

/** A batch without a readable owner was being removed or created when its process was killed. */
function readOwner(path: string): { readonly key: string | null; readonly isAbandoned: boolean } {
  const value = readJson(join(path, ownerFile));
  if (typeof value !== "object" || value === null) return { key: null, isAbandoned: false };
  const { key, owner } = value as Record<string, unknown>;
  const identity = parseIdentity(owner);
  const isAbandoned = owner === null || (identity !== null && livenessOf(identity) === "dead");
  return { key: typeof key === "string" ? key : null, isAbandoned };
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
