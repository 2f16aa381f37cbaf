import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../core/failures/index.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "no space left on the device",
  EDQUOT: "disk quota exceeded",
  EIO: "input/output error of the device",
  EROFS: "the file system is read-only",
  EMFILE: "too many open files in this process",
  ENFILE: "too many open files on this machine",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "it is a folder",
  ENOENT: "it, or the folder it belongs to, does not exist",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "it is a symbolic link",
};

/** Runs `action`; converts errors of the operating system to the failure `cannot-write` for `path`. */
export function wrapWriteErrors<T>(path: string, action: () => T): T {
  return wrapErrors("cannot-write", path, action);
}

/** Runs `action`; converts errors of the operating system to the failure `cannot-read` for `path`. */
export function wrapReadErrors<T>(path: string, action: () => T): T {
  return wrapErrors("cannot-read", path, action);
}

/** Runs `action`, which syncs a change of `path` that is in place already; errors become the failure `cannot-sync`. */
export function wrapSyncErrors<T>(path: string, action: () => T): T {
  return wrapErrors("cannot-sync", path, action);
}

/** Codes that Node has no name for: a full quota, on Linux and on macOS. */
const unnamedCodes: Readonly<Record<string, string>> = {
  "Unknown system error -122": "EDQUOT",
  "Unknown system error -69": "EDQUOT",
};

/** The code of an operating system error such as ENOENT; null for other errors. */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && "errno" in error && "code" in error && typeof error.code === "string"
    ? (unnamedCodes[error.code] ?? error.code)
    : null;
}

function wrapErrors<T>(code: "cannot-write" | "cannot-read" | "cannot-sync", path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    throw new Failure(code, { path, errno, reason: reasons[errno] ?? errno, free: freeSpace(path, errno) }, error);
  }
}

function freeSpace(path: string, errno: string): string | undefined {
  // The free space of the disk says nothing about a quota.
  if (errno !== "ENOSPC") return undefined;
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return `${Math.floor((bavail * bsize) / 1024)} KiB`;
  } catch {
    return undefined;
  }
}
