import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Failure, valueOrFailure } from "../../core/failures/index.ts";
import { groupBy } from "../../core/values/index.ts";
import { errnoOf, wrapSyncErrors, wrapWriteErrors } from "./file-failure.ts";
import { sweepFolder, temporaryName } from "./temporary-files.ts";
import { isFolder } from "./regular-file.ts";

/**
 * A file that is written under a temporary name, synced, then renamed atomically to its final name, so that readers
 * never see a partial file, even after a crash. Every failure discards it. Temporary files of dead processes in the
 * same folder are removed.
 */
export class NewFile {
  readonly path: string;
  #fd: number | null;

  constructor(folder: string) {
    makeFolder(folder);
    sweepFolder(folder);
    const { path, fd } = wrapWriteErrors(folder, () => openTemporary(folder));
    this.path = path;
    this.#fd = fd;
  }

  write(chunk: Uint8Array): void {
    this.#discardOnFailure(this.path, () => {
      for (let written = 0; written < chunk.length;) written += writeSync(this.#fd ?? -1, chunk, written);
    });
  }

  /**
   * Renames it to `target`, replacing any file there. The folder must exist on the same file system. Durable once it
   * returns.
   */
  replace(target: string): void {
    this.#finish(target);
    this.#discardOnFailure(target, () => renameSync(this.path, target));
    syncFolder(dirname(target));
  }

  /** Links it to `target`. If `target` exists, discards the file and returns false. */
  create(target: string): boolean {
    this.#finish(target);
    const isNew = this.#discardOnFailure(target, () => tryLink(this.path, target));
    this.discard();
    if (isNew) syncFolder(dirname(target));
    return isNew;
  }

  discard(): void {
    this.#close();
    try {
      unlinkSync(this.path);
    } catch {
      // A remaining file has a temporary name: readers ignore it and the next write removes it.
    }
  }

  /**
   * Never retried: after a failed fsync the kernel may have dropped the pages, so a second fsync would succeed wrongly.
   */
  #finish(target: string): void {
    this.#discardOnFailure(target, () => {
      const fd = this.#fd ?? -1;
      fsyncSync(fd);
      this.#fd = null;
      closeSync(fd);
    });
  }

  #discardOnFailure<T>(path: string, action: () => T): T {
    try {
      return wrapWriteErrors(path, action);
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  #close(): void {
    const fd = this.#fd;
    this.#fd = null;
    if (fd === null) return;
    try {
      closeSync(fd);
    } catch {
      // The file is being discarded.
    }
  }
}

/** Writes `chunks` durably to `path`, atomically replacing any file there. */
export function writeDurably(path: string, chunks: Iterable<Uint8Array>): void {
  writeTemporary(dirname(path), chunks).replace(path);
}

/**
 * Like `writeDurably`, for a `path` in a shard of `folder`. The temporary file is created in `folder`, because the
 * search for leftovers is slow in large folders and shards grow with the store.
 */
export function writeIntoShard(folder: string, path: string, chunks: Iterable<Uint8Array>): void {
  makeFolder(dirname(path));
  writeTemporary(folder, chunks).replace(path);
}

/** Like `writeDurably`, but returns false if `path` exists. */
export function createDurably(path: string, chunks: Iterable<Uint8Array>): boolean {
  return writeTemporary(dirname(path), chunks).create(path);
}

/** Atomically makes `other`, in the same folder, a hard link to `path`, replacing any file there. */
export function linkDurably(path: string, other: string): void {
  const temporary = join(dirname(other), temporaryName());
  wrapWriteErrors(other, () => {
    linkSync(path, temporary);
    try {
      renameSync(temporary, other);
    } finally {
      // rename(2) of two names of one file does nothing and leaves both.
      unlinkQuietly(temporary);
    }
  });
}

/** Renames `path` to `target` on the same file system, atomically and durably, replacing any file there. */
export function moveDurably(path: string, target: string): void {
  wrapWriteErrors(target, () => renameSync(path, target));
  for (const folder of new Set([dirname(target), dirname(path)])) syncFolder(folder);
}

/** Durably makes `target` a hard link to `path`. Returns false if `target` exists. */
export function linkIfAbsent(path: string, target: string): boolean {
  const isNew = wrapWriteErrors(target, () => tryLink(path, target));
  if (isNew) syncFolder(dirname(target));
  return isNew;
}

/** Durably deletes the file at `path`. Returns false if there is none. */
export function removeDurably(path: string): boolean {
  const isRemoved = wrapWriteErrors(path, () => unlinkIfPresent(path));
  if (isRemoved) syncFolder(dirname(path));
  return isRemoved;
}

/** Like `removeDurably` for each path, with one sync per folder. Returns why files could not be removed, by path. */
export function removeEach(paths: readonly string[]): ReadonlyMap<string, Failure> {
  const failures = new Map<string, Failure>();
  const attempt = (affected: readonly string[], action: () => void): void => {
    const failure = valueOrFailure(action);
    if (failure instanceof Failure) for (const path of affected) failures.set(path, failure);
  };
  for (const path of paths) attempt([path], () => wrapWriteErrors(path, () => unlinkIfPresent(path)));
  const removed = paths.filter((path) => !failures.has(path));
  for (const [folder, own] of groupBy(removed, dirname)) attempt(own, () => syncFolder(folder));
  return failures;
}

/** Creates `path` and its missing parents durably. Refuses a symbolic link. */
export function makeFolder(path: string): void {
  makeFolders([path]);
}

/** Like `makeFolder` for each of the folders, with one sync per parent. */
export function makeFolders(paths: readonly string[]): void {
  const missing = paths.filter((path) => !isFolder(path));
  if (missing.length === 0) return;
  const parents = [...new Set(missing.map((path) => dirname(path)))];
  makeFolders(parents);
  for (const path of missing)
    wrapWriteErrors(path, () => {
      try {
        mkdirSync(path);
      } catch (error) {
        if (errnoOf(error) !== "EEXIST") throw error;
      }
    });
  parents.forEach(syncFolder);
}

/**
 * Makes the directory entries of `folder` durable. Fails with `cannot-sync`: they are in place, but may be lost in a
 * power cut.
 */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  wrapSyncErrors(folder, () => {
    const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(fd);
    } catch (error) {
      // Network file systems that cannot sync a folder report EINVAL or ENOTSUP; they order names themselves.
      if (errnoOf(error) !== "EINVAL" && errnoOf(error) !== "ENOTSUP") throw error;
    } finally {
      closeSync(fd);
    }
  });
}

/**
 * Writes `bytes` under a temporary name to `folder` and returns the path. Not durable: the caller syncs and renames it.
 */
export function writeUnsynced(folder: string, bytes: Uint8Array): string {
  return wrapWriteErrors(folder, () => {
    const { path, fd } = openTemporary(folder);
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    } catch (error) {
      unlinkQuietly(path);
      throw error;
    } finally {
      closeSync(fd);
    }
    return path;
  });
}

function writeTemporary(folder: string, chunks: Iterable<Uint8Array>): NewFile {
  const file = new NewFile(folder);
  try {
    for (const chunk of chunks) file.write(chunk);
    return file;
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Skips existing names: a machine or container with the same identity may use the same folder. */
function openTemporary(folder: string): { path: string; fd: number } {
  for (;;) {
    const path = join(folder, temporaryName());
    try {
      return { path, fd: openSync(path, "wx", 0o666) };
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
}

function tryLink(path: string, target: string): boolean {
  try {
    linkSync(path, target);
    return true;
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    // On a network file system the reply to a successful link may be lost and the retry fail; the link count decides.
    return statSync(path).nlink === 2;
  }
}

function unlinkIfPresent(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    return false;
  }
}

/** Removes a temporary file, if it is there. */
export function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Usually it was renamed.
  }
}
