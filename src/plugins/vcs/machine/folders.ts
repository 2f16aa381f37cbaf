import { chmodSync, existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../../core/failures/failure.ts";

/** Folders that do not exist yet on the way to `path`, innermost first. */
export function missingFolders(path: string): string[] {
  return existsSync(path) ? [] : [path, ...missingFolders(dirname(path))];
}

export function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It was never made, or it holds something by now.
  }
}

/** True unless nothing or an empty folder stands at `path`. */
export function isTaken(path: string): boolean {
  try {
    return !lstatSync(path).isDirectory() || readdirSync(path).length > 0;
  } catch {
    return false;
  }
}

/** Deletes a folder with all below it; links are deleted, not followed. Fails with `worktree-left`. */
export function removeTree(path: string): void {
  try {
    removeOrUnlock(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOTDIR") throw new Failure("worktree-left", { path, reason: code ?? message }, error);
  }
}

/** Builds may leave folders that even their owner may not write in. */
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
