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
import { Failure } from "../../core/failures/failure.ts";
import { TagitIgnore } from "./tagit-ignore.ts";
import { hashBytes, hashFile, writeWhole, type TagitObjects } from "./tagit-objects.ts";
import { foldersOf, type TagitEntry } from "./tagit-tree.ts";

/** Paths are bytes here, so a file whose name is no UTF-8 is one like any other. */
export function placeOf(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

/** Files and links below `root` that are not ignored; folders, sockets and devices are none. In no particular order. */
export function filesIn(root: string): string[] {
  const ignore = ignoreOf(root);
  return below(root, "", ignore);
}

export function ignoreOf(root: string): TagitIgnore {
  try {
    return new TagitIgnore(readFileSync(`${root}/.tagitignore`, "latin1"));
  } catch {
    return new TagitIgnore("");
  }
}

/** The entry of the file as it is now, its bytes kept in `objects` where given; null when there is no file or link. */
export function entryAt(root: string, path: string, objects?: TagitObjects): TagitEntry | null {
  const place = placeOf(root, path);
  const facts = lstatSync(place, { throwIfNoEntry: false });
  if (facts?.isSymbolicLink()) {
    const target = readlinkSync(place, "buffer");
    return { path, kind: "link", blob: objects ? objects.write("blob", target) : hashBytes("blob", target) };
  }
  return facts?.isFile() ? fileEntry(place, path, objects) : null;
}

/**
 * Makes the files of `entries` stand below `root`. What is right already keeps its time, so that builds need not begin
 * anew.
 */
export async function restore(root: string, entries: readonly TagitEntry[], objects: TagitObjects): Promise<void> {
  const folders = new Set(entries.flatMap(({ path }) => foldersOf(path)));
  for (const folder of folders) ensureFolder(placeOf(root, folder));
  for (const entry of entries) {
    const present = entryAt(root, entry.path);
    if (present?.kind === entry.kind && present.blob === entry.blob) continue;
    rmSync(placeOf(root, entry.path), { recursive: true, force: true });
    putEntry(root, entry, objects);
    // Whoever interrupts is heard between two files.
    await nextTurn();
  }
}

/**
 * Removes what is neither in `kept` nor ignored, with the folders that are empty then; ignored files too where there is
 * no `ignore`.
 */
export function sweep(root: string, kept: ReadonlySet<string>, ignore: TagitIgnore): void {
  sweepFolder(root, "", kept, ignore);
}

/** A link in the place of a folder would lead what is written below it elsewhere. */
function ensureFolder(place: Buffer): void {
  const facts = lstatSync(place, { throwIfNoEntry: false });
  if (facts?.isDirectory()) return;
  if (facts) unlinkSync(place);
  mkdirSync(place);
}

function sweepFolder(root: string, folder: string, kept: ReadonlySet<string>, ignore: TagitIgnore): void {
  for (const entry of listed(root, folder)) {
    const path = folder + entry.name.toString("latin1");
    const place = placeOf(root, path);
    if (kept.has(path) || ignore.covers(path, entry.isDirectory())) continue;
    if (!entry.isDirectory()) unlinkSync(place);
    else {
      chmodSync(place, 0o700);
      sweepFolder(root, `${path}/`, kept, ignore);
      if (listed(root, `${path}/`).length === 0) rmdirSync(place);
    }
  }
}

function putEntry(root: string, { path, kind, blob }: TagitEntry, objects: TagitObjects): void {
  const place = placeOf(root, path);
  if (kind === "link") return symlinkSync(objects.read("blob", blob), place);
  const fd = openSync(place, "wx", kind === "program" ? 0o777 : 0o666);
  try {
    for (const piece of objects.pieces("blob", blob)) writeWhole(fd, piece);
  } finally {
    closeSync(fd);
  }
}

function fileEntry(place: Buffer, path: string, objects: TagitObjects | undefined): TagitEntry {
  const fd = opened(place, path);
  try {
    const isProgram = (fstatSync(fd).mode & 0o100) !== 0;
    return { path, kind: isProgram ? "program" : "file", blob: objects ? objects.keepFile(fd) : hashFile(fd) };
  } finally {
    closeSync(fd);
  }
}

function opened(place: Buffer, path: string): number {
  try {
    return openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    const name = Buffer.from(path, "latin1").toString("utf8");
    const remedy = "make it readable, or name it in .tagitignore";
    throw new Failure("vcs-failed", { program: "tagit", command: "snapshot", path: name, reason, remedy });
  }
}

function below(root: string, folder: string, ignore: TagitIgnore): string[] {
  return listed(root, folder).flatMap((entry) => {
    const path = folder + entry.name.toString("latin1");
    if (ignore.covers(path, entry.isDirectory())) return [];
    if (entry.isDirectory()) return below(root, `${path}/`, ignore);
    return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
  });
}

function listed(root: string, folder: string): Dirent<Buffer>[] {
  try {
    return readdirSync(placeOf(root, folder), { encoding: "buffer", withFileTypes: true });
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
