import { Failure } from "../../core/failures/failure.ts";
import { removeDurably } from "../../store/durable/durable-file.ts";
import {
  createReadStream,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  closeSync,
  openSync,
  readSync,
} from "node:fs";
import { basename, isAbsolute, join, resolve, sep } from "node:path";
import { setImmediate } from "node:timers/promises";

/** Small enough that packing and parsing never wait for each other, large enough that there are few turns. */
export const chunkSize = 1 << 16;

/** After so many pieces other work of the program gets its turn. */
const chunksPerTurn = 8;

/**
 * A regular file from its beginning to its end in pieces of at most `pieceSize` bytes. They are read on our own thread:
 * the system has read them ahead, and asking another thread takes longer than they do.
 */
export async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    for (let pieces = 1; ; pieces++) {
      const piece = Buffer.allocUnsafeSlow(chunkSize);
      const size = readSync(file, piece, 0, chunkSize, null);
      if (size === 0) return;
      yield piece.subarray(0, size);
      if (pieces % chunksPerTurn === 0) await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}

/** What commands may do with files outside the store; paths are taken relative to the directory the user stands in. */
export interface Files {
  /** Absolute form of a path of the user. */
  resolve(path: string): string;
  name(path: string): string;
  isAbsolute(path: string): boolean;
  /** Size in bytes and modification time in unix seconds (rounded), or null when there is no such regular file. */
  inspect(path: string): FileInfo | null;
  /** The whole file; fails with `unreadable-file`. */
  read(path: string): Uint8Array;
  /** The file in pieces; `-` is standard input. Fails with `unreadable-file`. */
  stream(path: string): AsyncIterable<Uint8Array>;
  /** Durable once it returns. Fails with `cannot-write`. */
  remove(path: string): void;
  /** True when `path` lies in `directory` after links are followed. */
  isInside(path: string, directory: string): boolean;
  /**
   * Files below `directory` whose name passes, in order of path; hidden folders, node_modules and links are passed
   * over.
   */
  find(directory: string, wanted: (name: string) => boolean): Iterable<string>;
}

export interface FileInfo {
  readonly size: number;
  readonly modified: number;
}

export function openFiles(directory: string): Files {
  const absolute = (path: string): string => resolve(directory, path);
  return {
    resolve: absolute,
    name: (path) => basename(path),
    isAbsolute,
    inspect: (path) => inspect(absolute(path)),
    read: (path) => readOrFail(path, () => readFileSync(absolute(path))),
    stream: (path) => stream(path, absolute(path)),
    remove: (path) => void removeDurably(absolute(path)),
    isInside: (path, folder) => isInside(absolute(path), folder),
    find: (folder, wanted) => find(folder, wanted),
  };
}

function inspect(path: string): FileInfo | null {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() ? { size: facts.size, modified: Math.round(facts.mtimeMs / 1000) } : null;
}

function readOrFail<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Failure {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "no such file",
    EISDIR: "is a directory",
    EACCES: "permission denied",
  };
  return new Failure("unreadable-file", { path, reason: reasons[code] ?? code }, error);
}

async function* stream(path: string, absolute: string): AsyncIterable<Uint8Array> {
  if (path !== "-" && isDevice(absolute)) throw new Failure("unreadable-file", { path, reason: "it is a device" });
  try {
    yield* openSource(path, absolute);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Pipes are not read ahead of: who writes into them may wait for us. */
function openSource(path: string, absolute: string): AsyncIterable<Uint8Array> {
  if (path === "-") return process.stdin;
  if (inspect(absolute) !== null) return fileChunks(absolute);
  return createReadStream(absolute, { highWaterMark: chunkSize });
}

/** Devices such as /dev/zero have no end: keeping what they say would fill the disk. */
function isDevice(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts !== undefined && (facts.isCharacterDevice() || facts.isBlockDevice());
}

function isInside(path: string, folder: string): boolean {
  try {
    return realpathSync(path).startsWith(realpathSync(folder) + sep);
  } catch {
    return false;
  }
}

function* find(folder: string, wanted: (name: string) => boolean): Iterable<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules" && readable(path))
      yield* find(path, wanted);
    else if (entry.isFile() && wanted(entry.name)) yield path;
  }
}

function readable(path: string): boolean {
  try {
    readdirSync(path);
    return !lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
