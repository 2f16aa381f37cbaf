import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename, dirname } from "node:path";
import { pipeline, Readable } from "node:stream";
import { pipeline as piped } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { extract, pack, type Extract, type Pack } from "tar-stream";
import { Failure } from "../../core/failures/index.ts";
import type { DumpMember } from "../../formats/store/index.ts";
import { NewFile, isFolder, lstatOrNull } from "../durable/index.ts";

/** Half the time of zlib's default level at a few percent more bytes. */
const packing = { level: 4, chunkSize: 1 << 18 };
/** A constant modification time makes archives deterministic. */
const time = new Date(0);

/** Writes a gzipped tar atomically and durably. */
export class NewArchive {
  readonly #file: NewFile;
  readonly #path: string;
  readonly #pack: Pack = pack();
  readonly #written: Promise<void>;
  /** Why the file cannot be written; the streams in front of it report only that they were closed. */
  #failure: unknown;
  readonly members: DumpMember[] = [];

  /** Fails with `cannot-write` if the folder of `path` does not exist, or `path` is not a regular file. */
  constructor(path: string) {
    const folder = dirname(path);
    if (!isFolder(folder)) throw new Failure("cannot-write", { path, reason: "there is no such folder" });
    const stat = lstatOrNull(path);
    if (stat?.isDirectory() === true) throw new Failure("cannot-write", { path, reason: "it is a folder" });
    if (stat !== null && !stat.isFile() && !stat.isSymbolicLink())
      throw new Failure("cannot-write", { path, reason: "it is not a regular file" });
    this.#path = path;
    this.#file = new NewFile(folder);
    this.#written = piped(
      Readable.from(this.#pack, { objectMode: false }),
      createGzip(packing),
      async (packed: AsyncIterable<Uint8Array>) => {
        for await (const piece of packed) this.#write(piece);
      },
    );
    // `add` and `finish` report the error.
    this.#written.catch(() => {});
  }

  /** `size`: total bytes of all pieces. Fails with `cannot-write`, for example on a full disk. */
  async add(name: string, size: number, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    try {
      await this.#add(name, size, pieces);
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  async #add(name: string, size: number, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    const sha256 = createHash("sha256");
    const ended = new Promise<void>((resolve, reject) => {
      const entry = this.#pack.entry({ name, size, mode: 0o644, mtime: time }, (error) =>
        error ? reject(error) : resolve(),
      );
      // Destroyed if the file cannot be written: without a listener the error would end the process.
      entry.on("error", reject);
      void feed(entry, pieces, (piece) => sha256.update(piece)).catch(reject);
    });
    await Promise.race([ended, this.#written]);
    this.members.push({ name, size, sha256: sha256.digest("hex") });
  }

  /** Fails with `cannot-write`, and with `cannot-sync` if the file is in place but may not survive a power cut. */
  async finish(): Promise<void> {
    try {
      this.#pack.finalize();
      await this.#written;
    } catch (error) {
      throw this.#failure ?? error;
    }
    this.#file.replace(this.#path);
  }

  #write(piece: Uint8Array): void {
    try {
      this.#file.write(piece);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  async discard(): Promise<void> {
    this.#pack.destroy();
    await this.#written.catch(() => {});
    this.#file.discard();
  }
}

async function feed(
  entry: NodeJS.WritableStream,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  onPiece: (piece: Uint8Array) => void,
): Promise<void> {
  for await (const piece of pieces) {
    onPiece(piece);
    if (!entry.write(piece)) await new Promise<void>((resolve) => entry.once("drain", resolve));
  }
  entry.end();
}

type Entry = Extract extends AsyncIterable<infer E> ? E : never;

/** A member of an archive; `pieces` must be read before the next member. */
export interface ArchiveMember {
  readonly name: string;
  readonly size: number;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The digest of the pieces read so far. */
  sha256(): string;
}

/**
 * The members of a gzipped tar in order. Accepts only regular files with plain names: links, devices, folders and
 * extended headers fail with `dump-damaged`, as do other formats, truncated archives and trailing bytes.
 */
export async function* readArchive(path: string): AsyncIterable<ArchiveMember> {
  const stat = lstatOrNull(path);
  if (stat === null) throw new Failure("unreadable-file", { path, reason: "no such file" });
  if (!stat.isFile() && !stat.isSymbolicLink())
    throw new Failure("unreadable-file", { path, reason: "it is not a regular file" });
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  const tar = extract();
  let failure: unknown;
  pipeline(file, gunzip, tar, (error) => (failure ??= error ?? undefined));
  try {
    for await (const entry of tar) yield memberOf(entry, path);
    if (gunzip.bytesWritten !== file.bytesRead)
      throw damaged(path, `${file.bytesRead - gunzip.bytesWritten} bytes follow its end`);
  } catch (error) {
    throw error instanceof Failure ? error : readFailure(path, failure ?? error);
  } finally {
    tar.destroy();
    file.destroy();
  }
}

function memberOf(entry: Entry, path: string): ArchiveMember {
  const { name, size, type, pax } = entry.header;
  if (type !== "file" || (pax !== undefined && pax !== null))
    throw damaged(path, `its member '${name.slice(0, 80)}' is not a regular file`);
  const sha256 = createHash("sha256");
  async function* pieces(): AsyncIterable<Uint8Array> {
    try {
      for await (const piece of entry as AsyncIterable<Uint8Array>) {
        sha256.update(piece);
        yield piece;
      }
    } catch (error) {
      throw error instanceof Failure ? error : readFailure(path, error);
    }
  }
  return { name, size, pieces: pieces(), sha256: () => sha256.digest("hex") };
}

function readFailure(path: string, error: unknown): Failure {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "";
  if (code === "ENOENT" || code === "EACCES" || code === "EISDIR" || code === "EIO")
    return new Failure("unreadable-file", { path, reason: code === "EACCES" ? "permission denied" : code }, error);
  const message = error instanceof Error ? error.message : "it ends early";
  return damaged(
    path,
    code.startsWith("Z_") ? `it cannot be unpacked (${message})` : `it is not a tar archive (${message})`,
    error,
  );
}

function damaged(path: string, problem: string, cause?: unknown): Failure {
  return new Failure("dump-damaged", { path: basename(path), problem }, cause);
}
