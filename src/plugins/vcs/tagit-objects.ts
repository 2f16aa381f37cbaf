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
import { Failure } from "../../core/failures/failure.ts";

/** blob: bytes of a file, or the target of a link. tree: what a version holds. version: who, when, why, after which. */
export type TagitKind = "blob" | "tree" | "version";

const letters = { blob: "b", tree: "t", version: "v" } as const;

/**
 * Plain bytes a piece of an object holds at most: what is read or written takes no more memory, however long the file.
 */
const pieceLength = 1 << 20;

/** A packed piece is never longer than this, so a damaged length is seen before memory is asked for. */
const longestPacked = pieceLength + 4096;

/** Trees and versions are read whole. */
const longestWhole = 256 * pieceLength;

const dayMilliseconds = 86_400_000;

/**
 * Immutable bytes under the SHA-256 of `<kind> NUL <bytes>`. A file is the first letter of the kind and a sequence of
 * pieces: length of the packed piece (32 bits, little-endian), zlib stream of at most 1 MiB. It appears under its name
 * in one step, whole and synced.
 */
export class TagitObjects {
  readonly #folder: string;
  readonly #base: TagitObjects | null;

  /** `folder` takes what is written; what is not there is looked for in `base`. */
  constructor(folder: string, base: TagitObjects | null = null) {
    this.#folder = folder;
    this.#base = base;
  }

  has(id: string): boolean {
    return existsSync(this.#path(id)) || (this.#base?.has(id) ?? false);
  }

  /** What the object is; null when there is none. */
  kind(id: string): TagitKind | null {
    if (this.#base && !existsSync(this.#path(id))) return this.#base.kind(id);
    if (!existsSync(this.#path(id))) return null;
    const [piece] = firstByte(this.#path(id), id);
    return (Object.keys(letters) as TagitKind[]).find((kind) => letters[kind].charCodeAt(0) === piece) ?? null;
  }

  /** Ids that begin with `prefix` (at least two hex digits). */
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
      if (length > longestWhole) throw damaged(this.#folder, id, "it is too long");
    }
    return Buffer.concat(pieces);
  }

  /** The plain bytes; only once the last piece was taken it is known that they are right. */
  *pieces(kind: TagitKind, id: string): Generator<Buffer> {
    if (this.#base && !existsSync(this.#path(id))) return yield* this.#base.pieces(kind, id);
    const hash = hashOf(kind);
    for (const packed of packedPieces(this.#path(id), id)) {
      const piece = unpacked(packed, this.#folder, id);
      hash.update(piece);
      yield piece;
    }
    if (hash.digest("hex") !== id) throw damaged(this.#folder, id, "its bytes are not those it is named after");
  }

  write(kind: TagitKind, bytes: Uint8Array): string {
    const id = hashOf(kind).update(bytes).digest("hex");
    return this.has(id) ? id : this.#keep(kind, cut(bytes));
  }

  /** Keeps what `pieces` yield; the id is that of what was seen, even when a file changes meanwhile. */
  #keep(kind: TagitKind, pieces: Iterable<Uint8Array>): string {
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
      writeWhole(fd, Buffer.from(letters[kind]));
      for (const piece of pieces) {
        hash.update(piece);
        const packed = deflateSync(piece);
        const head = Buffer.alloc(4);
        head.writeUInt32LE(packed.length);
        writeWhole(fd, Buffer.concat([head, packed]));
      }
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    return hash.digest("hex");
  }

  /** The content of the open file `fd` as a blob. Read twice when it is new: its name is known only then. */
  keepFile(fd: number): string {
    const id = hashFile(fd);
    return this.has(id) ? id : this.#keep("blob", filePieces(fd));
  }

  /**
   * Makes names durable that were given since, before anything refers to them; removes what killed writers left, a day
   * later.
   */
  settle(): void {
    for (const folder of [this.#folder, ...namesIn(this.#folder).map((name) => join(this.#folder, name))])
      syncFolder(folder);
    const fresh = join(this.#folder, "new");
    if (!existsSync(fresh)) return;
    const now = statSync(this.#folder).mtimeMs;
    for (const name of namesIn(fresh)) {
      const path = join(fresh, name);
      if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > dayMilliseconds)
        rmSync(path, { force: true });
    }
  }

  #path(id: string): string {
    return join(this.#folder, id.slice(0, 2), id.slice(2));
  }
}

/** The name that the content of the open file `fd` has as a blob. */
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

export function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

function hashOf(kind: TagitKind): Hash {
  return createHash("sha256").update(`${kind}\0`);
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}

function* filePieces(fd: number): Generator<Buffer> {
  for (let at = 0; ;) {
    // One byte more than is left, so that the end is seen at the second read; most files are far shorter than a piece.
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
      if (count < 4 || length > longestPacked) throw damaged(path, id, "it is cut or garbled");
      const packed = Buffer.alloc(length);
      if (readSync(fd, packed, 0, length, at + 4) < length) throw damaged(path, id, "it is cut");
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

function unpacked(packed: Buffer, path: string, id: string): Buffer {
  try {
    return inflateSync(packed, { maxOutputLength: pieceLength });
  } catch {
    throw damaged(path, id, "it is garbled");
  }
}

function damaged(path: string, id: string, reason: string): Failure {
  const remedy = "bring the .tagit folder back from a copy; perfkeep changed nothing";
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
