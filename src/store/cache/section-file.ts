import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, statSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeDurably } from "../durable/durable-file.ts";
import { entriesOf } from "../durable/regular-file.ts";

/** Where a part stands, and the SHA-256 of its bytes. */
interface Place {
  readonly from: number;
  readonly length: number;
  readonly sha256: string;
}

type Directory = Readonly<Record<string, Place>>;

/** Behind the directory: its SHA-256, then its length (uint32, little-endian). */
const endLength = 36;
const longestDirectory = 256 << 20;

/**
 * Writes a file of named parts, which are read one by one: their bytes one after the other, then the directory as JSON,
 * then its end.
 */
export function writeParts(path: string, parts: Iterable<readonly [name: string, bytes: Uint8Array]>): void {
  writeDurably(path, withDirectory(parts));
}

function* withDirectory(parts: Iterable<readonly [name: string, bytes: Uint8Array]>): Generator<Uint8Array> {
  const directory: [string, Place][] = [];
  let from = 0;
  for (const [name, bytes] of parts) {
    directory.push([name, { from, length: bytes.length, sha256: digestOf(bytes).toString("hex") }]);
    from += bytes.length;
    yield bytes;
  }
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(directory)));
  const end = new Uint8Array(endLength);
  end.set(digestOf(json));
  new DataView(end.buffer).setUint32(endLength - 4, json.length, true);
  yield json;
  yield end;
}

/** A file of parts that is open: it stays what it is when another takes its name. */
export class PartsFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #directory: Directory;

  private constructor(path: string, fd: number, directory: Directory) {
    [this.#path, this.#fd, this.#directory] = [path, fd, directory];
  }

  /** undefined: there is none, or it is damaged. */
  static open(path: string): PartsFile | undefined {
    const fd = opened(path);
    if (fd === undefined) return undefined;
    const directory = directoryIn(fd);
    if (directory !== undefined) return new PartsFile(path, fd, directory);
    closeSync(fd);
    return undefined;
  }

  /** undefined: there is no such part, or it is damaged; a damaged file is thrown away. */
  part(name: string): Uint8Array | undefined {
    const place = Object.hasOwn(this.#directory, name) ? this.#directory[name] : undefined;
    if (place === undefined) return undefined;
    const bytes = readAt(this.#fd, place.from, place.length);
    if (bytes !== undefined && digestOf(bytes).toString("hex") === place.sha256) return bytes;
    removeQuietly(this.#path);
    return undefined;
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Removes the oldest files beside this one until all together have room. */
export function trimBeside(path: string, room: number): void {
  const folder = dirname(path);
  let total = statSync(path).size;
  const others = entriesOf(folder).map(({ name }) => join(folder, name));
  const facts = others.filter((other) => other !== path).flatMap((other) => factsOf(other));
  for (const { file, size } of facts.sort((a, b) => b.changed - a.changed)) {
    total += size;
    if (total > room) removeQuietly(file);
  }
}

function factsOf(file: string): { file: string; size: number; changed: number }[] {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts?.isFile() === true ? [{ file, size: facts.size, changed: facts.mtimeMs }] : [];
}

function opened(path: string): number | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch {
    // What cannot be opened is not there.
  }
  return undefined;
}

function directoryIn(fd: number): Directory | undefined {
  const { size } = fstatSync(fd);
  const end = readAt(fd, size - endLength, endLength);
  if (end === undefined) return undefined;
  const length = new DataView(end.buffer).getUint32(endLength - 4, true);
  const json = length > longestDirectory ? undefined : readAt(fd, size - endLength - length, length);
  if (json === undefined || !digestOf(json).equals(end.subarray(0, 32))) return undefined;
  return JSON.parse(new TextDecoder().decode(json)) as Directory;
}

/** undefined: the file does not reach that far. */
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
    // It is gone already, or stays.
  }
}
