import { Failure } from "../../core/failures/failure.ts";
import { isDigest, type Digest } from "../../core/versions/digest.ts";
import { decodeProfile, normaliseProfile } from "../../formats/profile/profile.ts";
import { encodeObject } from "../../formats/store/object.ts";
import type { FsckReport } from "../../store/fsck/fsck-report.ts";
import type { Swept } from "../../store/fsck/sweep.ts";
import type { TempFile } from "../../store/stats/temp.ts";
import { recoverRuns, runPaths, type RecoveredRun } from "../../workspace/processes/worktrees.ts";
import { collectShareGarbage, type ShareGarbage } from "../../workspace/share/share-maintenance.ts";
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

/** What was put in order. */
interface Collected {
  readonly share: ShareGarbage;
}

/**
 * Packs anew what travelled, and drops what no remote leads to any more. Profiles, indexes and experiments are never
 * touched.
 */
export async function gc(workspace: Workspace): Promise<Collected> {
  return { share: await collectShareGarbage(workspace) };
}

/** What killed commands had left, and what became of it. */
interface RecoverResult extends Swept {
  /**
   * Runs in worktrees; those whose outcome is not `removed` were left alone, and `reason` tells why removing failed.
   */
  readonly runs: readonly RecoveredRun[];
}

/**
 * Removes everything that killed commands left: worktrees with their journals and processes, temporary files, a dead
 * lock.
 */
export async function recover(workspace: Workspace): Promise<RecoverResult> {
  const places = runPaths(workspace.perun(), workspace.world.environment);
  // The runs first: their journals may still be unfinished, and what is unfinished is swept.
  const runs = await recoverRuns(places, await workspace.vcs());
  return { runs, ...workspace.store().sweep() };
}

/**
 * The content of a stored object in pieces; verified once it has been read to its end. A profile is checked first to be
 * readable as one.
 */
export async function catObject(
  workspace: Workspace,
  id: string,
): Promise<{ readonly kind: string; readonly body: AsyncIterable<Uint8Array> }> {
  if (!isDigest(id)) throw new Failure("bad-object-id", { id });
  const { objects } = workspace.store();
  const { header, body } = await objects.open(id);
  if (header.kind !== "profile") return { kind: header.kind, body };
  const profile = objects.get(id).body;
  decodeProfile(profile);
  return { kind: header.kind, body: once(profile) };
}

async function* once(piece: Uint8Array): AsyncIterable<Uint8Array> {
  yield piece;
}

/** The name a profile would get in the store, without storing it. */
export function hashObject(workspace: Workspace, path: string): Digest {
  const profile = normaliseProfile(workspace.files.read(path), path);
  return encodeObject("profile", profile.type, profile.body).digest;
}

/** Verifies all of the store, and what push and pull keep beside it. Changes nothing. */
export async function fsck(workspace: Workspace): Promise<FsckReport> {
  const report = await workspace.store().fsck();
  const { checkShare } = await import("../../workspace/share/share-maintenance.ts");
  const { problems, notes } = await checkShare(workspace);
  return { ...report, problems: [...report.problems, ...problems], notes: [...report.notes, ...notes] };
}
