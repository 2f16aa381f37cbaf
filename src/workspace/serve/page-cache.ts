import { chmodSync } from "node:fs";
import { join } from "node:path";
import { isFailure } from "../../core/failures/index.ts";
import { makeFolder } from "../../store/durable/index.ts";
import { SectionFile, trimFolder, writeSections } from "../../store/cache/index.ts";
import type { Workspace } from "../workspace.ts";

/** Maximum size of the cache in bytes; the newest file may exceed it. */
const maxCacheBytes = 1 << 30;

/** Opens a cached page; undefined if there is none. */
export function openCachedPage(workspace: Workspace, key: string): SectionFile | undefined {
  return SectionFile.open(cachePath(workspace, key));
}

/** Caches the sections of a page; false if the cache cannot be written. Errors of the iterable propagate. */
export function writeCachedPage(
  workspace: Workspace,
  key: string,
  sections: Iterable<readonly [name: string, bytes: Uint8Array]>,
): boolean {
  const path = cachePath(workspace, key);
  try {
    makeFolder(join(path, ".."));
    // Other users of this machine may not be allowed to see the pages.
    chmodSync(join(path, ".."), 0o700);
    writeSections(path, sections);
    trimFolder(path, maxCacheBytes);
    return true;
  } catch (error) {
    if (isFailure(error) || isSystemError(error)) return false;
    throw error;
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function cachePath(workspace: Workspace, key: string): string {
  return join(workspace.cacheFolder(), "pages", key);
}
