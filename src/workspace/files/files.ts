import { Failure } from "../../core/failures/index.ts";
import { removeEach } from "../../store/durable/index.ts";
import {
  createReadStream,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  closeSync,
  fstatSync,
  openSync,
  readSync,
} from "node:fs";
import { basename, isAbsolute, join, resolve, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { entriesOf, walk, type FileSelection, type FoundFiles } from "./walk.ts";

/** Small enough to overlap compression and parsing, large enough to keep the number of calls low. */
export const chunkSize = 1 << 16;

/** Chunks of the end of a file: it may grow, or have no size, as in /proc. */
const minChunkSize = 1 << 12;

/** Other work gets a turn after this many chunks. */
const chunksPerTurn = 8;

/**
 * Reads a regular file in chunks of at most `chunkSize` bytes, synchronously: the kernel reads ahead, and a thread hop
 * costs more than the read.
 */
export async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    let left = fstatSync(file).size;
    for (let count = 1; ; count++) {
      // One byte more than a small file has, so that its end is seen without a large chunk.
      const chunk = Buffer.allocUnsafeSlow(Math.min(chunkSize, Math.max(left, minChunkSize) + 1));
      const size = readSync(file, chunk, 0, chunk.length, null);
      if (size === 0) return;
      left = Math.max(0, left - size);
      yield chunk.subarray(0, size);
      if (count % chunksPerTurn === 0) await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}

/** File access of commands outside of the store; relative paths start at the working directory. */
export interface Files {
  /** The absolute path. */
  resolve(path: string): string;
  name(path: string): string;
  isAbsolute(path: string): boolean;
  /**
   * Size in bytes and modification time in unix seconds (rounded), or null when there is no such regular file. Fails
   * with `unreadable-file`.
   */
  inspect(path: string): FileInfo | null;
  /** Reads the file. Fails with `unreadable-file`. */
  read(path: string): Uint8Array;
  /** A regular file of at most 512 MiB; null if there is none, or it cannot be read. */
  readLocal(path: string): { readonly bytes: Uint8Array; readonly inode: number } | null;
  /** Streams the file; `-` is standard input. Fails with `unreadable-file`. */
  stream(path: string): AsyncIterable<Uint8Array>;
  /** Durable once it returns why files could not be removed, by path. */
  removeEach(paths: readonly string[]): ReadonlyMap<string, Failure>;
  /** True when `path`, with links resolved, is inside `directory`. */
  isInside(path: string, directory: string): boolean;
  /** Files below `directory` whose name matches, in order of path. Skips hidden folders, node_modules and links. */
  find(directory: string, matches: (name: string) => boolean): Iterable<string>;
  isFolder(path: string): boolean;
  /** The selected regular files below a folder. Fails with `unreadable-file`. */
  walk(folder: string, selection: FileSelection): FoundFiles;
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
    inspect: (path) => readOrFail(path, () => inspect(absolute(path))),
    read: (path) => readOrFail(path, () => readFileSync(absolute(path))),
    readLocal: (path) => readLocal(absolute(path)),
    stream: (path) => stream(path, absolute(path)),
    removeEach: (paths) => {
      const failures = removeEach(paths.map(absolute));
      return new Map(
        paths.flatMap((path) => {
          const failure = failures.get(absolute(path));
          return failure === undefined ? [] : [[path, failure] as const];
        }),
      );
    },
    isInside: (path, folder) => isInside(absolute(path), folder),
    find: (folder, matches) => find(folder, matches),
    isFolder: (path) =>
      readOrFail(path, () => statSync(absolute(path), { throwIfNoEntry: false })?.isDirectory() === true),
    walk: (folder, selection) => walkFolder(folder, absolute(folder), selection),
  };
}

function walkFolder(folder: string, path: string, selection: FileSelection): FoundFiles {
  return walk((below) => readOrFail(join(folder, below), () => entriesOf(join(path, below))), selection);
}

function inspect(path: string): FileInfo | null {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() ? { size: facts.size, modified: Math.round(facts.mtimeMs / 1000) } : null;
}

/** Largest program or library that is read for its symbols. */
const mostLocalBytes = 512 << 20;

function readLocal(path: string): ReturnType<Files["readLocal"]> {
  try {
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > mostLocalBytes) return null;
    return { bytes: readFileSync(path), inode: facts.ino };
  } catch {
    return null;
  }
}

/** The text of a file that the system provides, such as those of /proc; empty if it cannot be read. */
export function systemText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
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
    ELOOP: "too many symbolic links",
    ENAMETOOLONG: "the path is too long",
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

/** Pipes are not read ahead: the writer may be waiting for us. */
function openSource(path: string, absolute: string): AsyncIterable<Uint8Array> {
  if (path === "-") return process.stdin;
  if (inspect(absolute) !== null) return fileChunks(absolute);
  return createReadStream(absolute, { highWaterMark: chunkSize });
}

/** Devices such as /dev/zero are endless: storing their output would fill the disk. */
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

function* find(folder: string, matches: (name: string) => boolean): Iterable<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules" && readable(path))
      yield* find(path, matches);
    else if (entry.isFile() && matches(entry.name)) yield path;
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
