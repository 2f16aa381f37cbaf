import { createHash, randomBytes, type Hash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { Failure } from "../../core/failures/index.ts";

/** blob: bytes of a file or target of a link; tree: list of entries; version: metadata, parents and tree. */
export type TagitKind = "blob" | "tree" | "version";

const letters = { blob: "b", tree: "t", version: "v" } as const;

/**
 * Maximum uncompressed bytes per piece of an object; bounds the memory of reading and writing.
 */
const pieceLength = 1 << 20;

/** Maximum length of a compressed piece; detects a corrupt length before allocating. */
const maxPackedLength = pieceLength + 4096;

/** Maximum size of an object read into memory (trees and versions). */
const maxBufferedLength = 256 * pieceLength;

const dayMilliseconds = 86_400_000;

/**
 * Object store keyed by the SHA-256 of `<kind> NUL <bytes>`. A file consists of the kind's first letter and a sequence
 * of pieces: length of the compressed piece (32 bits, little-endian), then a zlib stream of at most 1 MiB of data.
 * Files are synced, then renamed atomically to their final path.
 */
export class TagitObjects {
  readonly #folder: string;
  readonly #base: TagitObjects | null;

  /** Writes to `folder`; reads from `folder`, then from `base`. */
  constructor(folder: string, base: TagitObjects | null = null) {
    this.#folder = folder;
    this.#base = base;
  }

  has(id: string): boolean {
    return existsSync(this.#path(id)) || (this.#base?.has(id) ?? false);
  }

  /** The object's kind; null when there is no such object. */
  kind(id: string): TagitKind | null {
    if (this.#base && !existsSync(this.#path(id))) return this.#base.kind(id);
    if (!existsSync(this.#path(id))) return null;
    const [piece] = firstByte(this.#path(id), id);
    return (Object.keys(letters) as TagitKind[]).find((kind) => letters[kind].charCodeAt(0) === piece) ?? null;
  }

  /** Ids that start with `prefix` (at least two hex digits). */
  startingWith(prefix: string): string[] {
    const shard = prefix.slice(0, 2);
    const own = namesIn(join(this.#folder, shard))
      .map((name) => shard + name)
      .filter((id) => /^[0-9a-f]{64}$/.test(id) && id.startsWith(prefix));
    return [...own, ...(this.#base?.startingWith(prefix) ?? [])];
  }

  /** Fails with `vcs-failed` when it is missing, damaged or of another kind. */
  read(kind: TagitKind, id: string): Buffer {
    const pieces: Buffer[] = [];
    let length = 0;
    for (const piece of this.pieces(kind, id)) {
      pieces.push(piece);
      length += piece.length;
      if (length > maxBufferedLength) throw damaged(this.#folder, id, "it is too long");
    }
    return Buffer.concat(pieces);
  }

  /** The uncompressed bytes. The hash is verified after the last piece. */
  *pieces(kind: TagitKind, id: string): Generator<Buffer> {
    if (this.#base && !existsSync(this.#path(id))) return yield* this.#base.pieces(kind, id);
    const hash = hashOf(kind);
    for (const packed of packedPieces(this.#path(id), id)) {
      const piece = inflate(packed, this.#folder, id);
      hash.update(piece);
      yield piece;
    }
    if (hash.digest("hex") !== id) throw damaged(this.#folder, id, "its hash does not match");
  }

  write(kind: TagitKind, bytes: Uint8Array): string {
    const id = hashOf(kind).update(bytes).digest("hex");
    return this.has(id) ? id : this.#store(kind, split(bytes));
  }

  /** Stores `pieces`; the id is the hash of the bytes actually read, even if a file changes meanwhile. */
  #store(kind: TagitKind, pieces: Iterable<Uint8Array>): string {
    mkdirSync(join(this.#folder, "new"), { recursive: true });
    const temporary = join(this.#folder, "new", randomBytes(16).toString("hex"));
    const fd = openSync(temporary, "wx");
    try {
      const id = this.#fill(fd, kind, pieces);
      mkdirSync(join(this.#folder, id.slice(0, 2)), { recursive: true });
      renameSync(temporary, this.#path(id));
      return id;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  #fill(fd: number, kind: TagitKind, pieces: Iterable<Uint8Array>): string {
    const hash = hashOf(kind);
    try {
      writeFully(fd, Buffer.from(letters[kind]));
      for (const piece of pieces) {
        hash.update(piece);
        const packed = deflateSync(piece);
        const head = Buffer.alloc(4);
        head.writeUInt32LE(packed.length);
        writeFully(fd, Buffer.concat([head, packed]));
      }
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    return hash.digest("hex");
  }

  /** Stores the open file `fd` as a blob; reads a new file twice, first to compute its id. */
  writeFile(fd: number): string {
    const id = hashFile(fd);
    return this.has(id) ? id : this.#store("blob", filePieces(fd));
  }

  /**
   * Syncs the folders of new objects, before anything refers to them; removes temporary files older than a day.
   */
  sync(): void {
    for (const folder of [this.#folder, ...namesIn(this.#folder).map((name) => join(this.#folder, name))])
      syncFolder(folder);
    const temporaryFolder = join(this.#folder, "new");
    if (!existsSync(temporaryFolder)) return;
    const now = statSync(this.#folder).mtimeMs;
    for (const name of namesIn(temporaryFolder)) {
      const path = join(temporaryFolder, name);
      if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > dayMilliseconds)
        rmSync(path, { force: true });
    }
  }

  #path(id: string): string {
    return join(this.#folder, id.slice(0, 2), id.slice(2));
  }
}

/** The id of the open file `fd` as a blob. */
export function hashFile(fd: number): string {
  const hash = hashOf("blob");
  for (const piece of filePieces(fd)) hash.update(piece);
  return hash.digest("hex");
}

export function hashBytes(kind: TagitKind, bytes: Uint8Array): string {
  return hashOf(kind).update(bytes).digest("hex");
}

export function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function writeFully(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

function hashOf(kind: TagitKind): Hash {
  return createHash("sha256").update(`${kind}\0`);
}

function* split(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}

function* filePieces(fd: number): Generator<Buffer> {
  for (let at = 0; ;) {
    // One byte more than remains, so that the second read detects the end; most files are far shorter than a piece.
    const buffer = Buffer.allocUnsafe(Math.min(pieceLength, Math.max(1, fstatSync(fd).size - at + 1)));
    const count = readSync(fd, buffer, 0, buffer.length, at);
    if (count === 0) return;
    at += count;
    yield buffer.subarray(0, count);
  }
}

function* packedPieces(path: string, id: string): Generator<Buffer> {
  const fd = openObject(path, id);
  try {
    for (let at = 1; ;) {
      const head = Buffer.alloc(4);
      const count = readSync(fd, head, 0, 4, at);
      if (count === 0) return;
      const length = head.readUInt32LE();
      if (count < 4 || length > maxPackedLength) throw damaged(path, id, "it is truncated or corrupt");
      const packed = Buffer.alloc(length);
      if (readSync(fd, packed, 0, length, at + 4) < length) throw damaged(path, id, "it is truncated");
      at += 4 + length;
      yield packed;
    }
  } finally {
    closeSync(fd);
  }
}

function firstByte(path: string, id: string): Buffer {
  const fd = openObject(path, id);
  try {
    const byte = Buffer.alloc(1);
    readSync(fd, byte, 0, 1, 0);
    return byte;
  } finally {
    closeSync(fd);
  }
}

function openObject(path: string, id: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw damaged(
      path,
      id,
      (error as NodeJS.ErrnoException).code === "ENOENT" ? "it is missing" : (error as Error).message,
    );
  }
}

function inflate(packed: Buffer, path: string, id: string): Buffer {
  try {
    return inflateSync(packed, { maxOutputLength: pieceLength });
  } catch {
    throw damaged(path, id, "it is corrupt");
  }
}

function damaged(path: string, id: string, reason: string): Failure {
  const remedy = "restore the .tagit folder from a backup; perfkeep changed nothing";
  return new Failure("vcs-failed", {
    program: "tagit",
    command: "read",
    path,
    reason: `object ${id}: ${reason}`,
    remedy,
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
