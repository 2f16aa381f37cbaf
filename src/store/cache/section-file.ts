import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, statSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeDurably, listFolder } from "../durable/index.ts";

/** Offset, length and SHA-256 of a section. */
interface Section {
  readonly from: number;
  readonly length: number;
  readonly sha256: string;
}

type Directory = Readonly<Record<string, Section>>;

/** The trailer after the directory: its SHA-256, then its length (uint32, little-endian). */
const trailerBytes = 36;
const maxDirectoryBytes = 256 << 20;

/**
 * Writes a file of named sections that can be read one by one: their bytes, the directory as JSON, then the trailer.
 */
export function writeSections(path: string, sections: Iterable<readonly [name: string, bytes: Uint8Array]>): void {
  writeDurably(path, withDirectory(sections));
}

function* withDirectory(sections: Iterable<readonly [name: string, bytes: Uint8Array]>): Generator<Uint8Array> {
  const directory: [string, Section][] = [];
  let from = 0;
  for (const [name, bytes] of sections) {
    directory.push([name, { from, length: bytes.length, sha256: digestOf(bytes).toString("hex") }]);
    from += bytes.length;
    yield bytes;
  }
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(directory)));
  const end = new Uint8Array(trailerBytes);
  end.set(digestOf(json));
  new DataView(end.buffer).setUint32(trailerBytes - 4, json.length, true);
  yield json;
  yield end;
}

/** An open file of sections. It stays readable and unchanged when another file replaces it. */
export class SectionFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #directory: Directory;

  private constructor(path: string, fd: number, directory: Directory) {
    [this.#path, this.#fd, this.#directory] = [path, fd, directory];
  }

  /** undefined if it is missing or damaged. */
  static open(path: string): SectionFile | undefined {
    const fd = openRegularFile(path);
    if (fd === undefined) return undefined;
    const directory = readDirectory(fd);
    if (directory !== undefined) return new SectionFile(path, fd, directory);
    closeSync(fd);
    return undefined;
  }

  /** undefined if the section is missing or damaged; a damaged file is deleted. */
  section(name: string): Uint8Array | undefined {
    const section = Object.hasOwn(this.#directory, name) ? this.#directory[name] : undefined;
    if (section === undefined) return undefined;
    const bytes = readAt(this.#fd, section.from, section.length);
    if (bytes !== undefined && digestOf(bytes).toString("hex") === section.sha256) return bytes;
    removeQuietly(this.#path);
    return undefined;
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Removes the oldest other files in the folder of `path` until the folder has at most `maxBytes`. */
export function trimFolder(path: string, maxBytes: number): void {
  const folder = dirname(path);
  let total = statSync(path).size;
  const others = listFolder(folder).map(({ name }) => join(folder, name));
  const stats = others.filter((other) => other !== path).flatMap((other) => fileStats(other));
  for (const { file, size } of stats.sort((a, b) => b.changed - a.changed)) {
    total += size;
    if (total > maxBytes) removeQuietly(file);
  }
}

function fileStats(file: string): { file: string; size: number; changed: number }[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true ? [{ file, size: stat.size, changed: stat.mtimeMs }] : [];
}

function openRegularFile(path: string): number | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch {
    // A file that cannot be opened counts as missing.
  }
  return undefined;
}

function readDirectory(fd: number): Directory | undefined {
  const { size } = fstatSync(fd);
  const end = readAt(fd, size - trailerBytes, trailerBytes);
  if (end === undefined) return undefined;
  const length = new DataView(end.buffer).getUint32(trailerBytes - 4, true);
  const json = length > maxDirectoryBytes ? undefined : readAt(fd, size - trailerBytes - length, length);
  if (json === undefined || !digestOf(json).equals(end.subarray(0, 32))) return undefined;
  return JSON.parse(new TextDecoder().decode(json)) as Directory;
}

/** undefined if the file is too short. */
function readAt(fd: number, from: number, length: number): Uint8Array | undefined {
  if (from < 0) return undefined;
  const bytes = new Uint8Array(length);
  for (let filled = 0; filled < length;) {
    const count = readSync(fd, bytes, filled, length - filled, from + filled);
    if (count === 0) return undefined;
    filled += count;
  }
  return bytes;
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process may have removed it.
  }
}
