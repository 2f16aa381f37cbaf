import { chmodSync } from "node:fs";
import { join } from "node:path";
import { isFailure } from "../../core/failures/failure.ts";
import { makeFolder } from "../../store/durable/durable-file.ts";
import { SectionFile, trimFolder, writeSections } from "../../store/cache/section-file.ts";
import type { Workspace } from "../workspace.ts";

/** Bytes that all files may take, but for the newest, which may be larger by itself. */
const maxCacheBytes = 1 << 30;

/** A file of parts in the user's cache; undefined: there is none. */
export function openCachedPage(workspace: Workspace, key: string): SectionFile | undefined {
  return SectionFile.open(cachePath(workspace, key));
}

/** Keeps parts in the user's cache; false: there they cannot be kept. Fails with what making the parts fails with. */
export function writeCachedPage(
  workspace: Workspace,
  key: string,
  parts: Iterable<readonly [name: string, bytes: Uint8Array]>,
): boolean {
  const path = cachePath(workspace, key);
  try {
    makeFolder(join(path, ".."));
    // Others of this machine may have no right to what pages tell.
    chmodSync(join(path, ".."), 0o700);
    writeSections(path, parts);
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
