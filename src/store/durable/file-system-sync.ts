import { spawn, spawnSync } from "node:child_process";
import { release } from "node:os";

/** From this number of files on, one sync of the file system is faster than one per file. */
export const fileSystemSyncThreshold = 256;

/** Syncs the file system of `folder`. Returns false if that is unsupported or would not report failures. */
export type SyncFileSystem = (folder: string) => Promise<boolean>;

/** Node has no syncfs(2); `sync -f` of GNU coreutils and BusyBox calls it. */
export const syncFileSystem: SyncFileSystem = (folder) =>
  new Promise((resolve) => {
    if (!isSupported()) return resolve(false);
    const child = spawn("sync", ["-f", folder], { stdio: "ignore" });
    child.on("error", () => resolve(false));
    child.on("close", (status) => resolve(status === 0));
  });

/** Like `syncFileSystem`, for work that must not be interrupted. */
export function syncFileSystemNow(folder: string): boolean {
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
