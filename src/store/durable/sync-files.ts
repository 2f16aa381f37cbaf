import { spawn } from "node:child_process";
import { closeSync, fsync, openSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writing } from "./file-failure.ts";

/** So many files are synced at a time: syncs that run together share what the disk does. */
const together = 16;

/** From so many files on it is quicker to sync all of their file system once, whatever others have written there. */
const manyFiles = 256;

/** Makes the file system of `folder` durable; false where that cannot be done, or would not be told of a failure. */
export type SyncFileSystem = (folder: string) => Promise<boolean>;

/** Makes the contents of these files of `folder` durable. Fails with `cannot-write`. */
export async function syncFiles(
  folder: string,
  names: readonly string[],
  whole: SyncFileSystem = syncFileSystem,
): Promise<void> {
  if (names.length >= manyFiles && (await whole(folder))) return;
  for (let i = 0; i < names.length; i += together)
    await Promise.all(names.slice(i, i + together).map((name) => syncFile(join(folder, name))));
}

async function syncFile(path: string): Promise<void> {
  const fd = writing(path, () => openSync(path, "r"));
  try {
    await promisify(fsync)(fd).catch((error: unknown) =>
      writing(path, () => {
        throw error;
      }),
    );
  } finally {
    closeSync(fd);
  }
}

/** Node cannot call syncfs(2) itself; `sync -f` of the GNU coreutils and of BusyBox does. */
const syncFileSystem: SyncFileSystem = (folder) =>
  new Promise((resolve) => {
    if (process.platform !== "linux" || !tellsFailures(release())) return resolve(false);
    const child = spawn("sync", ["-f", folder], { stdio: "ignore" });
    child.on("error", () => resolve(false));
    child.on("close", (status) => resolve(status === 0));
  });

/**
 * Before Linux 5.8 syncfs(2) was silent about what could not be written, and before 5.17 about what the file system
 * itself could not do.
 */
export function tellsFailures(release: string): boolean {
  const [major = 0, minor = 0] = release.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 17);
}
