import { Failure, isFailure } from "../../core/failures/failure.ts";
import { isObject, type Json } from "../../core/values/json.ts";
import { packJson, unpackJson } from "../../formats/store/compressed-json.ts";
import { compareByCodePoint } from "../../formats/text/code-points.ts";
import { removeDurably, writeDurably } from "../durable/durable-file.ts";
import { isTemporaryName } from "../durable/temporary-files.ts";
import type { StoreLock } from "../durable/lock.ts";
import { entriesOf, isFolder, statOf, readPlainFile } from "../durable/regular-file.ts";
import { rmdirSync } from "node:fs";
import { join, normalize, relative, resolve, sep } from "node:path";

/** How a temporary file is written, and whether it is to stay. */
interface TempMarks {
  readonly json: boolean;
  readonly protected: boolean;
  readonly compressed: boolean;
}

const unmarked: TempMarks = { json: false, protected: false, compressed: false };

/**
 * `tmp/.index`: the marks of files by their path below `folder`. Perun lists them by absolute path, so a store that was
 * moved or copied is recognised by what follows the last `/.perun/tmp/`. Files without marks are not in it. A damaged
 * one counts as empty.
 */
function readTempIndex(folder: string): Map<string, TempMarks> {
  const path = join(folder, ".index");
  const bytes = readPlainFile(path);
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
  /** Below `tmp/`, with `/`. */
  readonly path: string;
  /** Bytes on disk. */
  readonly size: number;
}

/**
 * Temporary files of the store, `tmp/**` as Perun keeps them. Links are never followed, and no path leads out of the
 * folder.
 */
export class Temp {
  readonly folder: string;
  readonly #lock: StoreLock;

  constructor(folder: string, lock: StoreLock) {
    this.folder = folder;
    this.#lock = lock;
  }

  /**
   * The files at or below `root`, which is relative to `tmp/` or absolute, by path. Fails with `outside-of-temp`,
   * `no-temp`.
   */
  list(root: string): TempFile[] {
    const place = this.#placeOf(root);
    const marks = readTempIndex(this.folder);
    const paths = this.#isFile(place) ? [place] : this.#filesIn(place, place === "" && !isFolder(this.folder));
    return paths.map((path) => ({
      path,
      size: statOf(join(this.folder, path))?.size ?? 0,
      ...(marks.get(path) ?? unmarked),
    }));
  }

  /** Deletes those files and, unless `keepFolders`, the folders at and below `root` that are empty then. */
  delete(root: string, paths: readonly string[], keepFolders: boolean): void {
    const place = this.#placeOf(root);
    this.#lock.hold(() => {
      for (const path of paths) removeDurably(this.#checked(path));
      if (!keepFolders && !this.#isFile(place)) this.#dropEmpty(place);
      this.#forgetGone();
    });
  }

  /** Marks files as protected, or no longer so. */
  protect(paths: readonly string[], isProtected: boolean): void {
    this.#lock.hold(() => {
      const marks = readTempIndex(this.folder);
      for (const path of paths) marks.set(path, { ...(marks.get(path) ?? unmarked), protected: isProtected });
      this.#write(marks);
    });
  }

  /** Drops marks of files that are gone. Answers their paths. */
  sync(): string[] {
    return this.#lock.hold(() => this.#forgetGone());
  }

  #forgetGone(): string[] {
    const marks = readTempIndex(this.folder);
    const gone = [...marks.keys()].filter((path) => !this.#isThere(path));
    for (const path of gone) marks.delete(path);
    if (gone.length > 0) this.#write(marks);
    return gone;
  }

  #isThere(path: string): boolean {
    return (
      !path.startsWith(sep) && !normalize(path).startsWith("..") && statOf(join(this.folder, path))?.isFile() === true
    );
  }

  #write(marks: ReadonlyMap<string, TempMarks>): void {
    writeTempIndex(
      this.folder,
      new Map([...marks].filter(([, each]) => each.json || each.protected || each.compressed)),
    );
  }

  /** A path of the user, below `tmp/`; "" is `tmp/` itself. */
  #placeOf(path: string): string {
    const place = relative(this.folder, resolve(this.folder, path));
    if (place === ".." || place.startsWith(`..${sep}`) || path.includes("\0"))
      throw new Failure("outside-of-temp", { path, folder: this.folder });
    if (place !== "" && (this.#isUnlisted(place) || statOf(this.#checked(place)) === null))
      throw new Failure("no-temp", { path });
    return place.split(sep).join("/");
  }

  #isUnlisted(place: string): boolean {
    return place === ".index" || isTemporaryName(place);
  }

  /** The absolute path; a link on the way there is refused with `not-a-plain-file`. */
  #checked(place: string): string {
    const parts = place.split(/[\\/]/);
    for (let count = 0; count < parts.length; count++)
      if (!isFolder(join(this.folder, ...parts.slice(0, count)))) break;
    return join(this.folder, place);
  }

  #isFile(place: string): boolean {
    return place !== "" && !isFolderAt(join(this.folder, place));
  }

  #filesIn(place: string, isMissing: boolean): string[] {
    if (isMissing) return [];
    const entries = entriesOf(join(this.folder, place)).toSorted((a, b) => compareByCodePoint(a.name, b.name));
    return entries.flatMap((entry) => {
      const path = place === "" ? entry.name : `${place}/${entry.name}`;
      if (entry.isDirectory()) return this.#filesIn(path, false);
      return entry.isFile() && !this.#isUnlisted(path) ? [path] : [];
    });
  }

  #dropEmpty(place: string): void {
    for (const entry of entriesOf(join(this.folder, place)))
      if (entry.isDirectory()) this.#dropEmpty(place === "" ? entry.name : `${place}/${entry.name}`);
    const folder = join(this.folder, place);
    if (place !== "" && entriesOf(folder).length === 0) rmdirSync(folder);
  }
}

function isFolderAt(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}
