import { Failure } from "../../core/failures/failure.ts";
import type { TempFile } from "../../store/stats/temp.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A temporary file of the store as it is listed. */
export type ListedTemp = TempFile;

/** Temporary files at or below `root`, by path. Reads only. Fails with `outside-of-temp`, `no-temp`. */
export function listTemp(workspace: Workspace, root: string): ListedTemp[] {
  return workspace.store().temp.list(root);
}

export interface TempRemoval {
  /** A file or a folder below `tmp/`. */
  readonly path: string;
  /** Delete nothing when anything is protected. */
  readonly warn: boolean;
  /** Delete what is protected, too. */
  readonly force: boolean;
  readonly keepFolders: boolean;
}

export interface RemovedTemp {
  readonly removed: readonly string[];
  /** What was left because it is protected. */
  readonly kept: readonly string[];
}

/** Deletes temporary files. Fails with `temp-protected`, `outside-of-temp`, `no-temp`. */
export function deleteTemp(workspace: Workspace, { path, warn, force, keepFolders }: TempRemoval): RemovedTemp {
  const { temp } = workspace.store();
  const files = temp.list(path);
  const kept = files.filter((file) => file.protected && !force).map((file) => file.path);
  if (warn && kept.length > 0) throw new Failure("temp-protected", { paths: kept });
  const removed = files.map((file) => file.path).filter((each) => !kept.includes(each));
  temp.delete(path, removed, keepFolders);
  return { removed, kept };
}

/** Protects a file, or all of a folder, from being deleted, or no longer; answers which. */
export function protectTemp(workspace: Workspace, path: string, isProtected: boolean): string[] {
  const { temp } = workspace.store();
  const paths = temp.list(path).map((file) => file.path);
  temp.protect(paths, isProtected);
  return paths;
}

/** Forgets marks of files that are gone; answers which. */
export function syncTemp(workspace: Workspace): string[] {
  return workspace.store().temp.sync();
}
