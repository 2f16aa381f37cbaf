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
import { errnoOf, writing } from "./file-failure.ts";
import { sweepFolder, temporaryName } from "./temporary-files.ts";
import { isFolder } from "./regular-file.ts";

/**
 * A file on its way into a folder: written under a temporary name, synced, then given its final name in one step, so
 * that no reader and no crash ever meets half of it. Every failure discards it. Leftovers of dead processes in the same
 * folder are swept.
 */
export class NewFile {
  readonly path: string;
  #fd: number | null;

  constructor(folder: string) {
    makeFolder(folder);
    sweepFolder(folder);
    const { path, fd } = writing(folder, () => openTemporary(folder));
    this.path = path;
    this.#fd = fd;
  }

  write(chunk: Uint8Array): void {
    this.#guarded(this.path, () => {
      for (let written = 0; written < chunk.length;) written += writeSync(this.#fd ?? -1, chunk, written);
    });
  }

  /**
   * Takes the place of whatever stands at `target`, in an existing folder of the same file system. Durable once it
   * returns.
   */
  replace(target: string): void {
    this.#finish(target);
    this.#guarded(target, () => renameSync(this.path, target));
    syncFolder(dirname(target));
  }

  /** Appears at `target` unless something stands there already: then it is discarded and false returned. */
  appear(target: string): boolean {
    this.#finish(target);
    const isNew = this.#guarded(target, () => linkedAnew(this.path, target));
    this.discard();
    if (isNew) syncFolder(dirname(target));
    return isNew;
  }

  discard(): void {
    this.#close();
    try {
      unlinkSync(this.path);
    } catch {
      // Whatever remains carries a temporary name: no reader looks at it and the next write sweeps it.
    }
  }

  /**
   * Never retried: after a failed fsync the kernel may have dropped the pages, and a second one would report success.
   */
  #finish(target: string): void {
    this.#guarded(target, () => {
      const fd = this.#fd ?? -1;
      fsyncSync(fd);
      this.#fd = null;
      closeSync(fd);
    });
  }

  #guarded<T>(path: string, action: () => T): T {
    try {
      return writing(path, action);
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
      // The file is being thrown away.
    }
  }
}

/** Writes `chunks` to `path` and makes them durable, replacing what was there in one step. */
export function writeDurably(path: string, chunks: Iterable<Uint8Array>): void {
  written(dirname(path), chunks).replace(path);
}

/**
 * As `writeDurably`, into a shard of `folder`. The file is prepared in `folder`, for looking for leftovers takes the
 * longer the more a folder holds, and shards grow with the store.
 */
export function writeIntoShard(folder: string, path: string, chunks: Iterable<Uint8Array>): void {
  makeFolder(dirname(path));
  written(folder, chunks).replace(path);
}

/** As `writeDurably`, but never replaces: false when something stands at `path`. */
export function createDurably(path: string, chunks: Iterable<Uint8Array>): boolean {
  return written(dirname(path), chunks).appear(path);
}

/**
 * Gives the file at `path` the second name `other` (in the same folder), taking the place of whatever had that name.
 */
export function linkDurably(path: string, other: string): void {
  const temporary = join(dirname(other), temporaryName());
  writing(other, () => {
    linkSync(path, temporary);
    try {
      renameSync(temporary, other);
    } finally {
      // rename(2) of two names of one file does nothing and leaves both.
      unlinkQuietly(temporary);
    }
  });
}

/**
 * Gives the file at `path` the name `target` on the same file system, in one step and durably; what had that name is
 * gone.
 */
export function moveDurably(path: string, target: string): void {
  writing(target, () => renameSync(path, target));
  for (const folder of new Set([dirname(target), dirname(path)])) syncFolder(folder);
}

/** Gives the file at `path` the second name `target` unless something has it: false then. */
export function appearDurably(path: string, target: string): boolean {
  const isNew = writing(target, () => linkedAnew(path, target));
  if (isNew) syncFolder(dirname(target));
  return isNew;
}

/** Deletes the file at `path` and makes that durable; false when there was none. */
export function removeDurably(path: string): boolean {
  const isGone = writing(path, () => unlinkedOrMissing(path));
  if (isGone) syncFolder(dirname(path));
  return isGone;
}

/** Makes `path` and its missing parents, each synced into its parent. A link in its place is refused. */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  makeFolder(dirname(path));
  writing(path, () => {
    try {
      mkdirSync(path);
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  });
  syncFolder(dirname(path));
}

/** Makes the names in `folder` survive a power cut. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  writing(folder, () => {
    const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(fd);
    } catch (error) {
      // Some network file systems cannot sync a folder and say so by EINVAL or ENOTSUP; they order names by themselves.
      if (errnoOf(error) !== "EINVAL" && errnoOf(error) !== "ENOTSUP") throw error;
    } finally {
      closeSync(fd);
    }
  });
}

function written(folder: string, chunks: Iterable<Uint8Array>): NewFile {
  const file = new NewFile(folder);
  try {
    for (const chunk of chunks) file.write(chunk);
    return file;
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** A machine or container with the same identity may use the same folder: its names are stepped over, never opened. */
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

function linkedAnew(path: string, target: string): boolean {
  try {
    linkSync(path, target);
    return true;
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    // Over a network the answer to a link that was made may get lost and the repeated request fail: the link count
    // knows.
    return statSync(path).nlink === 2;
  }
}

function unlinkedOrMissing(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    return false;
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Usually it was renamed away.
  }
}
