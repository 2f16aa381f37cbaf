import { Failure, isFailure } from "../../core/failures/index.ts";
import { isObject, type Json } from "../../core/values/index.ts";
import { packJson, unpackJson } from "../../formats/store/index.ts";
import { compareByCodePoint } from "../../formats/text/index.ts";
import {
  removeDurably,
  writeDurably,
  isTemporaryName,
  type StoreLock,
  listFolder,
  isFolder,
  lstatOrNull,
  readRegularFile,
} from "../durable/index.ts";
import { rmdirSync } from "node:fs";
import { join, normalize, relative, resolve, sep } from "node:path";

/** The format of a temporary file, and whether it is protected from deletion. */
interface TempMarks {
  readonly json: boolean;
  readonly protected: boolean;
  readonly compressed: boolean;
}

const noMarks: TempMarks = { json: false, protected: false, compressed: false };

/**
 * Reads `tmp/.index`: the marks of files by path below `folder`. Perun stores absolute paths; for a moved or copied
 * store, the part after the last `/.perun/tmp/` counts. Files without marks are omitted. A damaged index counts as
 * empty.
 */
function readTempIndex(folder: string): Map<string, TempMarks> {
  const path = join(folder, ".index");
  const bytes = readRegularFile(path);
  try {
    const json = bytes === null ? null : unpackJson(bytes, path);
    const entries = isObject(json ?? undefined) ? [...(json as ReadonlyMap<string, Json>)] : [];
    return new Map(entries.map(([key, value]) => [relativeTo(folder, key), marksOf(value)]));
  } catch (error) {
    if (isFailure(error, "packed-json-damaged")) return new Map();
    throw error;
  }
}

function writeTempIndex(folder: string, marks: ReadonlyMap<string, TempMarks>): void {
  const entries = [...marks].map(([path, each]) => [join(folder, path), new Map(Object.entries(each))] as const);
  writeDurably(join(folder, ".index"), [packJson(new Map(entries))]);
}

function relativeTo(folder: string, path: string): string {
  if (path.startsWith(`${folder}/`)) return path.slice(folder.length + 1);
  const mark = "/.perun/tmp/";
  const at = path.lastIndexOf(mark);
  return at < 0 ? path : path.slice(at + mark.length);
}

function marksOf(json: Json): TempMarks {
  const is = (name: string): boolean => isObject(json) && json.get(name) === true;
  return { json: is("json"), protected: is("protected"), compressed: is("compressed") };
}

/** A file below `tmp/`. */
export interface TempFile extends TempMarks {
  /** Relative to `tmp/`, with `/`. */
  readonly path: string;
  /** Bytes on disk. */
  readonly size: number;
}

/**
 * Temporary files of the store, in Perun's layout `tmp/**`. Never follows links, and refuses paths out of the folder.
 */
export class Temp {
  readonly folder: string;
  readonly #lock: StoreLock;

  constructor(folder: string, lock: StoreLock) {
    this.folder = folder;
    this.#lock = lock;
  }

  /**
   * The files at or below `root` (relative to `tmp/` or absolute), sorted by path. Fails with `outside-of-temp`,
   * `no-temp`.
   */
  list(root: string): TempFile[] {
    const relativePath = this.#relativePath(root);
    const marks = readTempIndex(this.folder);
    const paths = this.#isFile(relativePath)
      ? [relativePath]
      : this.#filesIn(relativePath, relativePath === "" && !isFolder(this.folder));
    return paths.map((path) => ({
      path,
      size: lstatOrNull(join(this.folder, path))?.size ?? 0,
      ...(marks.get(path) ?? noMarks),
    }));
  }

  /** Deletes `paths` and, unless `keepFolders`, folders at and below `root` that become empty. */
  delete(root: string, paths: readonly string[], keepFolders: boolean): void {
    const relativePath = this.#relativePath(root);
    this.#lock.hold(() => {
      for (const path of paths) removeDurably(this.#absolutePath(path));
      if (!keepFolders && !this.#isFile(relativePath)) this.#removeEmptyFolders(relativePath);
      this.#dropStaleMarks();
    });
  }

  /** Sets or clears the protection of files. */
  protect(paths: readonly string[], isProtected: boolean): void {
    this.#lock.hold(() => {
      const marks = readTempIndex(this.folder);
      for (const path of paths) marks.set(path, { ...(marks.get(path) ?? noMarks), protected: isProtected });
      this.#write(marks);
    });
  }

  /** Removes marks of missing files. Returns their paths. */
  sync(): string[] {
    return this.#lock.hold(() => this.#dropStaleMarks());
  }

  #dropStaleMarks(): string[] {
    const marks = readTempIndex(this.folder);
    const missing = [...marks.keys()].filter((path) => !this.#exists(path));
    for (const path of missing) marks.delete(path);
    if (missing.length > 0) this.#write(marks);
    return missing;
  }

  #exists(path: string): boolean {
    return (
      !path.startsWith(sep) &&
      !normalize(path).startsWith("..") &&
      lstatOrNull(join(this.folder, path))?.isFile() === true
    );
  }

  #write(marks: ReadonlyMap<string, TempMarks>): void {
    writeTempIndex(
      this.folder,
      new Map([...marks].filter(([, each]) => each.json || each.protected || each.compressed)),
    );
  }

  /** Resolves a path given by the user to one relative to `tmp/`; "" is `tmp/` itself. */
  #relativePath(path: string): string {
    const relativePath = relative(this.folder, resolve(this.folder, path));
    if (relativePath === ".." || relativePath.startsWith(`..${sep}`) || path.includes("\0"))
      throw new Failure("outside-of-temp", { path, folder: this.folder });
    if (
      relativePath !== "" &&
      (this.#isUnlisted(relativePath) || lstatOrNull(this.#absolutePath(relativePath)) === null)
    )
      throw new Failure("no-temp", { path });
    return relativePath.split(sep).join("/");
  }

  #isUnlisted(relativePath: string): boolean {
    return relativePath === ".index" || isTemporaryName(relativePath);
  }

  /** The absolute path. Fails with `not-a-plain-file` if a parent is a symbolic link. */
  #absolutePath(relativePath: string): string {
    const segments = relativePath.split(/[\\/]/);
    for (let count = 0; count < segments.length; count++)
      if (!isFolder(join(this.folder, ...segments.slice(0, count)))) break;
    return join(this.folder, relativePath);
  }

  #isFile(relativePath: string): boolean {
    return relativePath !== "" && !isFolderAt(join(this.folder, relativePath));
  }

  #filesIn(relativePath: string, isMissing: boolean): string[] {
    if (isMissing) return [];
    const entries = listFolder(join(this.folder, relativePath)).toSorted((a, b) => compareByCodePoint(a.name, b.name));
    return entries.flatMap((entry) => {
      const path = relativePath === "" ? entry.name : `${relativePath}/${entry.name}`;
      if (entry.isDirectory()) return this.#filesIn(path, false);
      return entry.isFile() && !this.#isUnlisted(path) ? [path] : [];
    });
  }

  #removeEmptyFolders(relativePath: string): void {
    for (const entry of listFolder(join(this.folder, relativePath)))
      if (entry.isDirectory())
        this.#removeEmptyFolders(relativePath === "" ? entry.name : `${relativePath}/${entry.name}`);
    const folder = join(this.folder, relativePath);
    if (relativePath !== "" && listFolder(folder).length === 0) rmdirSync(folder);
  }
}

function isFolderAt(path: string): boolean {
  return lstatOrNull(path)?.isDirectory() === true;
}
