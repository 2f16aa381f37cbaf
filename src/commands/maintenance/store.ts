import { Failure, isFailure } from "../../core/failures/index.ts";
import { isDigest, type Digest } from "../../core/versions/index.ts";
import { inOnePiece } from "../../formats/bytes/index.ts";
import { decodeProfile, normaliseProfile } from "../../formats/profile/index.ts";
import { encodeObject } from "../../formats/store/index.ts";
import type { FsckReport, Swept } from "../../store/fsck/index.ts";
import type { PackedProfiles, PackProgress, UnpackedProfiles } from "../../store/packs/index.ts";
import type { TempFile } from "../../store/stats/index.ts";
import { recoverRuns, runPaths, type RecoveredRun } from "../../workspace/processes/index.ts";
import {
  damageOf,
  embeddedDatabase,
  experimentHome,
  identityOf,
  recoverDatabase,
  withExperiments,
} from "../../workspace/experiments/index.ts";
import type { ShareGarbage } from "../../workspace/share/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A temporary file of the store. */
export type ListedTemp = TempFile;

/** Temporary files at or below `root`, by path. Read-only. Fails with `outside-of-temp`, `no-temp`. */
export function listTemp(workspace: Workspace, root: string): ListedTemp[] {
  return workspace.store().temp.list(root);
}

export interface TempRemoval {
  /** A file or a folder below `tmp/`. */
  readonly path: string;
  /** Fail without deleting if anything is protected. */
  readonly warn: boolean;
  /** Delete protected files too. */
  readonly force: boolean;
  readonly keepFolders: boolean;
}

export interface RemovedTemp {
  readonly removed: readonly string[];
  /** Protected files that were not deleted. */
  readonly kept: readonly string[];
}

/** Deletes temporary files. Fails with `temp-protected`, `outside-of-temp`, `no-temp`. */
export function deleteTemp(workspace: Workspace, { path, warn, force, keepFolders }: TempRemoval): RemovedTemp {
  const { temp } = workspace.store();
  const files = temp.list(path);
  const protectedPaths = files.filter((file) => file.protected && !force).map((file) => file.path);
  if (warn && protectedPaths.length > 0) throw new Failure("temp-protected", { paths: protectedPaths });
  const removed = files.map((file) => file.path).filter((each) => !protectedPaths.includes(each));
  temp.delete(path, removed, keepFolders);
  return { removed, kept: protectedPaths };
}

/** Protects or unprotects a file or all files of a folder; returns their paths. */
export function protectTemp(workspace: Workspace, path: string, isProtected: boolean): string[] {
  const { temp } = workspace.store();
  const paths = temp.list(path).map((file) => file.path);
  temp.protect(paths, isProtected);
  return paths;
}

/** Removes the protection marks of missing files; returns their paths. */
export function syncTemp(workspace: Workspace): string[] {
  return workspace.store().temp.sync();
}

/** What to do with stored profiles in addition to repacking shared data. */
export type PackAction = "pack" | "unpack";

export interface GcOptions {
  readonly action?: PackAction;
  /** Also pack the profiles of the current commit. */
  readonly all: boolean;
  /** Pack in a store that Perun created. */
  readonly force: boolean;
  readonly progress?: PackProgress;
}

/** Result of a garbage collection. */
interface GcResult {
  readonly share: ShareGarbage;
  readonly packed?: PackedProfiles;
  readonly unpacked?: UnpackedProfiles;
}

/**
 * Repacks shared data and prunes what no remote refers to; on request packs or unpacks the registered profiles. Fails
 * with `perun-cannot-read-packs`, `lock-held`.
 */
export async function gc(workspace: Workspace, options: GcOptions): Promise<GcResult> {
  const store = workspace.store();
  const { action, all, force, progress } = options;
  if (action === "pack" && !force && !store.createdByPerfkeep())
    throw new Failure("perun-cannot-read-packs", { path: store.path });
  const { collectShareGarbage } = await import("../../workspace/share/share-maintenance.ts");
  const share = await collectShareGarbage(workspace);
  const report = progress === undefined ? {} : { progress };
  if (action === "unpack") return { share, unpacked: await store.unpack(progress) };
  if (action === undefined) return { share };
  const keep = new Set(all ? [] : [await (await workspace.vcs()).head()]);
  return { share, packed: await store.pack({ keep, ...report }) };
}

/** Leftovers of killed commands and what was done with them. */
interface RecoverResult extends Swept {
  /** Runs in worktrees; runs with an outcome other than `removed` were left alone, and `reason` explains why. */
  readonly runs: readonly RecoveredRun[];
}

/**
 * Removes leftovers of killed commands: worktrees with their journals and processes, temporary files, a stale lock.
 * Rebuilds a damaged experiment database, which warns.
 */
export async function recover(workspace: Workspace): Promise<RecoverResult> {
  const folders = runPaths(workspace.perun(), workspace.world.environment);
  // Runs first: the sweep would remove unfinished journals.
  const runs = await recoverRuns(folders, await workspace.vcs());
  const swept = workspace.store().sweep();
  const path = embeddedDatabase(workspace);
  const file = identityOf(path);
  await recoverDatabase(workspace, path, await databaseDamage(workspace), file);
  if (file !== undefined) await openDatabase(workspace, path);
  return { runs, ...swept };
}

/** Opens the embedded database, which rebuilds one that lacks changes; one without tables has none. */
async function openDatabase(workspace: Workspace, path: string): Promise<void> {
  try {
    await withExperiments(workspace, experimentHome(workspace, path), "read", async () => {});
  } catch (error) {
    if (!isFailure(error, "no-database")) throw error;
  }
}

/** Streams the body of a stored object, verified at the end. A profile is decoded first to check it. */
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
  return { kind: header.kind, body: inOnePiece(profile) };
}

/** Object name of a profile, without storing it. */
export function hashObject(workspace: Workspace, path: string): Digest {
  const profile = normaliseProfile(workspace.files.read(path), path);
  return encodeObject("profile", profile.type, profile.body).digest;
}

/**
 * Verifies the store, its experiment database, and the data of push and pull. Read-only. The database is compared with
 * a replay of its ledger.
 */
export async function fsck(workspace: Workspace): Promise<FsckReport> {
  const files = await workspace.store().fsck();
  const { checkDatabase } = await import("./check-database.ts");
  const report = { ...files, problems: [...files.problems, ...(await checkDatabase(workspace))] };
  const { checkShare } = await import("../../workspace/share/share-maintenance.ts");
  return { ...report, notes: [...report.notes, ...(await checkShare(workspace))] };
}

/** Reads all blocks of the embedded database; null if it is in order or absent. */
async function databaseDamage(workspace: Workspace): Promise<Failure | null> {
  const path = embeddedDatabase(workspace);
  if (workspace.files.inspect(path) === null) return null;
  return damageOf(path, await workspace.registry.get("engine", "duckdb"));
}
