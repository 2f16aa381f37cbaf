import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  type Dirent,
} from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Failure } from "../../core/failures/index.ts";
import { TagitIgnore } from "./tagit-ignore.ts";
import { hashBytes, hashFile, writeFully, type TagitObjects } from "./tagit-objects.ts";
import { foldersOf, type TagitEntry } from "./tagit-tree.ts";

/** The path as bytes: file names need not be UTF-8. */
export function nativePath(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

/** Unordered paths of the files and links below `root` that are not ignored; sockets and devices are skipped. */
export function filesIn(root: string): string[] {
  const ignore = ignoreOf(root);
  return filesBelow(root, "", ignore);
}

export function ignoreOf(root: string): TagitIgnore {
  try {
    return new TagitIgnore(readFileSync(`${root}/.tagitignore`, "latin1"));
  } catch {
    return new TagitIgnore("");
  }
}

/** The entry of the current file, storing its bytes in `objects` if given; null when there is no file or link. */
export function entryAt(root: string, path: string, objects?: TagitObjects): TagitEntry | null {
  const location = nativePath(root, path);
  const facts = lstatSync(location, { throwIfNoEntry: false });
  if (facts?.isSymbolicLink()) {
    const target = readlinkSync(location, "buffer");
    return { path, kind: "link", blob: objects ? objects.write("blob", target) : hashBytes("blob", target) };
  }
  return facts?.isFile() ? fileEntry(location, path, objects) : null;
}

/**
 * Writes the files of `entries` below `root`. Unchanged files keep their modification time, so that builds stay
 * incremental.
 */
export async function restore(root: string, entries: readonly TagitEntry[], objects: TagitObjects): Promise<void> {
  const folders = new Set(entries.flatMap(({ path }) => foldersOf(path)));
  for (const folder of folders) ensureFolder(nativePath(root, folder));
  for (const entry of entries) {
    const current = entryAt(root, entry.path);
    if (current?.kind === entry.kind && current.blob === entry.blob) continue;
    rmSync(nativePath(root, entry.path), { recursive: true, force: true });
    putEntry(root, entry, objects);
    // Lets an interrupt be handled between two files.
    await nextTurn();
  }
}

/**
 * Removes files that are neither in `kept` nor ignored, and the folders this empties.
 */
export function sweep(root: string, kept: ReadonlySet<string>, ignore: TagitIgnore): void {
  sweepFolder(root, "", kept, ignore);
}

/** Replaces a link with a folder: a link would redirect what is written below it. */
function ensureFolder(location: Buffer): void {
  const facts = lstatSync(location, { throwIfNoEntry: false });
  if (facts?.isDirectory()) return;
  if (facts) unlinkSync(location);
  mkdirSync(location);
}

function sweepFolder(root: string, folder: string, kept: ReadonlySet<string>, ignore: TagitIgnore): void {
  for (const entry of entriesIn(root, folder)) {
    const path = folder + entry.name.toString("latin1");
    const location = nativePath(root, path);
    if (kept.has(path) || ignore.covers(path, entry.isDirectory())) continue;
    if (!entry.isDirectory()) unlinkSync(location);
    else {
      chmodSync(location, 0o700);
      sweepFolder(root, `${path}/`, kept, ignore);
      if (entriesIn(root, `${path}/`).length === 0) rmdirSync(location);
    }
  }
}

function putEntry(root: string, { path, kind, blob }: TagitEntry, objects: TagitObjects): void {
  const location = nativePath(root, path);
  if (kind === "link") return symlinkSync(objects.read("blob", blob), location);
  const fd = openSync(location, "wx", kind === "program" ? 0o777 : 0o666);
  try {
    for (const chunk of objects.pieces("blob", blob)) writeFully(fd, chunk);
  } finally {
    closeSync(fd);
  }
}

function fileEntry(location: Buffer, path: string, objects: TagitObjects | undefined): TagitEntry {
  const fd = openFile(location, path);
  try {
    const isProgram = (fstatSync(fd).mode & 0o100) !== 0;
    return { path, kind: isProgram ? "program" : "file", blob: objects ? objects.writeFile(fd) : hashFile(fd) };
  } finally {
    closeSync(fd);
  }
}

function openFile(location: Buffer, path: string): number {
  try {
    return openSync(location, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    const name = Buffer.from(path, "latin1").toString("utf8");
    const remedy = "make it readable, or name it in .tagitignore";
    throw new Failure("vcs-failed", { program: "tagit", command: "snapshot", path: name, reason, remedy });
  }
}

function filesBelow(root: string, folder: string, ignore: TagitIgnore): string[] {
  return entriesIn(root, folder).flatMap((entry) => {
    const path = folder + entry.name.toString("latin1");
    if (ignore.covers(path, entry.isDirectory())) return [];
    if (entry.isDirectory()) return filesBelow(root, `${path}/`, ignore);
    return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
  });
}

function entriesIn(root: string, folder: string): Dirent<Buffer>[] {
  try {
    return readdirSync(nativePath(root, folder), { encoding: "buffer", withFileTypes: true });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    const name = Buffer.from(folder, "latin1").toString("utf8");
    throw new Failure("vcs-failed", {
      program: "tagit",
      command: "snapshot",
      path: name,
      reason,
      remedy: "make it readable, or name it in .tagitignore",
    });
  }
}
