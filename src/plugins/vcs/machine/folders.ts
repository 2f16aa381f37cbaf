import { chmodSync, existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../../core/failures/index.ts";

/** `path` and its parents that do not exist yet, innermost first. */
export function missingFolders(path: string): string[] {
  return existsSync(path) ? [] : [path, ...missingFolders(dirname(path))];
}

export function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It does not exist or is not empty.
  }
}

/** False when `path` does not exist or is an empty folder. */
export function isOccupied(path: string): boolean {
  try {
    return !lstatSync(path).isDirectory() || readdirSync(path).length > 0;
  } catch {
    return false;
  }
}

/** Deletes a folder recursively without following links. Fails with `worktree-left`. */
export function removeTree(path: string): void {
  try {
    removeOrUnlock(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOTDIR") throw new Failure("worktree-left", { path, reason: code ?? message }, error);
  }
}

/** Makes folders writable if needed; builds may leave read-only ones. */
function removeOrUnlock(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    makeWritable(path);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

function makeWritable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(`${folder}/${entry.name}`);
  }
}
