import { spawn, spawnSync } from "node:child_process";
import { closeSync, fsync, fsyncSync, openSync, renameSync } from "node:fs";
import { release } from "node:os";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { Failure, valueOrFailure } from "../../core/failures/index.ts";
import { makeFolder, makeFolders, syncFolder, unlinkQuietly, writeUnsynced } from "./durable-file.ts";
import { wrapWriteErrors } from "./file-failure.ts";
import { sweepFolder } from "./temporary-files.ts";

export interface NewContents {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A written file that has its temporary name. */
interface Written {
  readonly path: string;
  readonly temporary: string;
}

/** From this number of files on, one sync of the file system is faster than one per file. */
const fileSystemSyncThreshold = 256;

/** Files synced in parallel; concurrent syncs share disk flushes. */
const concurrency = 16;

/**
 * Like `writeIntoShard` for each of the files, with one sync of the file system or few syncs of folders instead of two
 * syncs per file. Each file is replaced atomically; a failure or a kill leaves some of them as they were.
 */
export async function replaceTogether(folder: string, files: readonly NewContents[]): Promise<void> {
  const written = writeAll(folder, files);
  try {
    await syncFiles(folder, written.map(temporaryOf));
    renameAll(written);
  } catch (error) {
    discard(written);
    throw error;
  }
  await syncFolders(folder, foldersOf(written));
}

/** Like `replaceTogether`, for work that must not be interrupted. */
function replaceTogetherNow(folder: string, files: readonly NewContents[]): void {
  const written = writeAll(folder, files);
  try {
    syncFilesNow(folder, written.map(temporaryOf));
    renameAll(written);
  } catch (error) {
    discard(written);
    throw error;
  }
  const folders = foldersOf(written);
  if (areFew(folders) || !syncFileSystemNow(folder)) folders.forEach(syncFolder);
}

/** Like `replaceTogetherNow`, but a failure affects its file only. Returns why files could not be replaced, by path. */
export function replaceEachNow(folder: string, files: readonly NewContents[]): ReadonlyMap<string, Failure> {
  const failure = valueOrFailure(() => replaceTogetherNow(folder, files));
  if (!(failure instanceof Failure)) return new Map();
  const [first, ...others] = files;
  if (first !== undefined && others.length === 0) return new Map([[first.path, failure]]);
  // Those in place are written again, since they may not be durable.
  return new Map(files.flatMap((file) => [...replaceEachNow(folder, [file])]));
}

function writeAll(folder: string, files: readonly NewContents[]): Written[] {
  if (files.length === 0) return [];
  makeFolder(folder);
  sweepFolder(folder);
  const written: Written[] = [];
  try {
    for (const { path, bytes } of files) written.push({ path, temporary: writeUnsynced(folder, bytes) });
    return written;
  } catch (error) {
    discard(written);
    throw error;
  }
}

function temporaryOf({ temporary }: Written): string {
  return temporary;
}

function foldersOf(written: readonly Written[]): string[] {
  return [...new Set(written.map(({ path }) => dirname(path)))];
}

function renameAll(written: readonly Written[]): void {
  makeFolders(foldersOf(written));
  for (const { path, temporary } of written) wrapWriteErrors(path, () => renameSync(temporary, path));
}

function discard(written: readonly Written[]): void {
  for (const { temporary } of written) unlinkQuietly(temporary);
}

/** Makes the data of these files below `folder` durable. Fails with `cannot-write`. */
export async function syncFiles(
  folder: string,
  paths: readonly string[],
  syncAll: SyncFileSystem = syncFileSystem,
): Promise<void> {
  if (paths.length >= fileSystemSyncThreshold && (await syncAll(folder))) return;
  for (let i = 0; i < paths.length; i += concurrency) await Promise.all(paths.slice(i, i + concurrency).map(syncFile));
}

function syncFilesNow(folder: string, paths: readonly string[]): void {
  if (paths.length >= fileSystemSyncThreshold && syncFileSystemNow(folder)) return;
  for (const path of paths)
    wrapWriteErrors(path, () => {
      const fd = openSync(path, "r");
      try {
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    });
}

async function syncFile(path: string): Promise<void> {
  const fd = wrapWriteErrors(path, () => openSync(path, "r"));
  try {
    await promisify(fsync)(fd).catch((error: unknown) =>
      wrapWriteErrors(path, () => {
        throw error;
      }),
    );
  } finally {
    closeSync(fd);
  }
}

/** Makes the entries of these folders below `folder` durable. Fails with `cannot-sync`. */
export async function syncFolders(folder: string, folders: readonly string[]): Promise<void> {
  if (areFew(folders) || !(await syncFileSystem(folder))) folders.forEach(syncFolder);
}

function areFew(folders: readonly string[]): boolean {
  return folders.length < fileSystemSyncThreshold / 4;
}

/** Syncs the file system of `folder`. Returns false if that is unsupported or would not report failures. */
type SyncFileSystem = (folder: string) => Promise<boolean>;

/** Node has no syncfs(2); `sync -f` of GNU coreutils and BusyBox calls it. */
const syncFileSystem: SyncFileSystem = (folder) =>
  new Promise((resolve) => {
    if (!isSupported()) return resolve(false);
    const child = spawn("sync", ["-f", folder], { stdio: "ignore" });
    child.on("error", () => resolve(false));
    child.on("close", (status) => resolve(status === 0));
  });

/** Like `syncFileSystem`, for work that must not be interrupted. */
function syncFileSystemNow(folder: string): boolean {
  return isSupported() && spawnSync("sync", ["-f", folder], { stdio: "ignore" }).status === 0;
}

function isSupported(): boolean {
  return process.platform === "linux" && reportsSyncErrors(release());
}

/** Before Linux 5.8, syncfs(2) did not report write errors; before 5.17, not those of the file system itself. */
export function reportsSyncErrors(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 17);
}
