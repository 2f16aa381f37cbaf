import { Failure } from "../../../core/failures/index.ts";
import { inflateBounded, InflateError, GitPackIndex, packedBlob } from "../../../formats/store/index.ts";
import { listFolder, readRegularFile } from "../../../store/durable/index.ts";
import type { Damage } from "./damage.ts";
import { reasonOf } from "./git-errors.ts";
import type { GitProgram } from "./git-program.ts";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

/** A blob stored undeltified in a pack. */
interface UndeltifiedBlob {
  /** Decompressed size. */
  readonly size: number;
  readonly fd: number;
  /** Byte range of the zlib stream in the pack. */
  readonly begin: number;
  readonly end: number;
}

/**
 * Reads undeltified blobs directly from packs. Objects are stored as the zlib streams that git transfers, since
 * recompressing dominates the time of a large pull. Anything unexpected is left to git.
 */
export class PackedBlobs {
  readonly #packs: readonly Pack[];

  constructor(folder: string) {
    const packs = join(folder, "objects", "pack");
    const stems = listFolder(packs).flatMap(({ name }) =>
      name.endsWith(".idx") ? [join(packs, name.slice(0, -4))] : [],
    );
    this.#packs = stems.flatMap((stem) => openPack(stem) ?? []);
  }

  /** null: to be read through git. */
  find(blob: string): UndeltifiedBlob | null {
    for (const { index, fd } of this.#packs) {
      const entry = index.locate(blob);
      if (entry === null) continue;
      const header = packedBlob(bytesAt(fd, entry.begin, Math.min(entry.begin + maxHeaderBytes, entry.end)));
      return header === null ? null : { size: header.size, fd, begin: entry.begin + header.stream, end: entry.end };
    }
    return null;
  }

  /** The bytes and their zlib stream; null if damaged. */
  read({ fd, begin, end, size }: UndeltifiedBlob): { readonly bytes: Uint8Array; readonly packed: Uint8Array } | null {
    if (end - begin > 2 * size + maxHeaderBytes) return null;
    const packed = bytesAt(fd, begin, end);
    try {
      // zlib rejects a limit of zero bytes.
      const bytes = inflateBounded(packed, Math.max(1, size));
      return bytes.length === size ? { bytes, packed } : null;
    } catch (error) {
      if (error instanceof InflateError) return null;
      throw error;
    }
  }

  close(): void {
    for (const { fd } of this.#packs) closeSync(fd);
  }
}

/** Maximum bytes before the stream of an entry; also exceeds the overhead of a zlib stream. */
const maxHeaderBytes = 64;

interface Pack {
  readonly fd: number;
  readonly index: GitPackIndex;
}

/** null: to be read through git. */
function openPack(stem: string): Pack | null {
  let fd: number | undefined;
  try {
    fd = openSync(`${stem}.pack`, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const index = GitPackIndex.read(readRegularFile(`${stem}.idx`) ?? new Uint8Array(0), fstatSync(fd).size);
    if (index !== null) return { fd, index };
  } catch {
    // Left to git.
  }
  if (fd !== undefined) closeSync(fd);
  return null;
}

/** Returns fewer bytes, or none, on read errors. */
function bytesAt(fd: number, begin: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - begin);
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, begin));
  } catch {
    return bytes.subarray(0, 0);
  }
}

/** A requested blob with its path. */
export interface BlobRequest {
  readonly path: string;
  readonly blob: string;
}

/** A blob read from a path. */
export interface ReadBlob {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Its zlib stream, if stored separately. */
  readonly packed?: Uint8Array;
}

/**
 * Reads blobs in the requested order. Refuses blobs larger than `cap` before decompressing them; with `damage`, records
 * and skips bad ones. Fails with `share-refused`.
 */
export async function* readBlobs(
  git: GitProgram,
  requests: readonly BlobRequest[],
  { cap, damage }: { readonly cap: number; readonly damage?: Damage | undefined },
): AsyncGenerator<ReadBlob> {
  const selected = damage === undefined ? requests : await readable(git, requests, cap, damage);
  const packs = new PackedBlobs(git.folder);
  const found = new Map(selected.map((each) => [each, packs.find(each.blob)]));
  const others = readByGit(
    git,
    selected.filter((each) => found.get(each) === null),
    cap,
  );
  try {
    for (const each of selected) {
      const undeltified = found.get(each) ?? null;
      if (undeltified !== null) yield readUndeltified(packs, each, undeltified, cap);
      else yield (await others.next()).value as ReadBlob;
    }
    await others.next();
  } finally {
    packs.close();
    await others.return(undefined);
  }
}

/** Requested blobs that exist and are not too large. */
async function readable(
  git: GitProgram,
  requests: readonly BlobRequest[],
  cap: number,
  damage: Damage,
): Promise<readonly BlobRequest[]> {
  const sizes = await blobSizes(git, requests, damage);
  return requests.filter(({ path }, i) => {
    if (sizes[i]! > cap && sizes[i] !== Infinity) damage.note(path, tooLarge(path, sizes[i]!, cap));
    return sizes[i]! <= cap;
  });
}

function readUndeltified(
  packs: PackedBlobs,
  { path, blob }: BlobRequest,
  undeltified: UndeltifiedBlob,
  cap: number,
): ReadBlob {
  if (undeltified.size > cap) throw tooLarge(path, undeltified.size, cap);
  const read = packs.read(undeltified);
  if (read === null) throw refused(path, `${blob} cannot be read`);
  return { path, ...read };
}

async function* readByGit(git: GitProgram, selected: readonly BlobRequest[], cap: number): AsyncGenerator<ReadBlob> {
  if (selected.length === 0) return;
  const running = git.start(["cat-file", "--batch", "--buffer"]);
  running.feed(requestLines(selected));
  const reader = new PieceReader(running.stdout as AsyncIterable<Buffer>);
  try {
    for (const { path, blob } of selected) {
      const size = sizeIn(await reader.line(), path);
      if (size > cap) throw tooLarge(path, size, cap);
      const bytes = await reader.take(size + 1);
      if (bytes.length !== size + 1) throw refused(path, `${blob} cannot be read`);
      yield { path, bytes: bytes.subarray(0, size) };
    }
    const { status, stderr } = await running.ended;
    if (status !== 0) throw refused(selected[0]!.path, reasonOf({ status, stderr }));
  } finally {
    running.kill();
  }
}

/** Blob sizes in the requested order; Infinity for damaged ones. Fails with `share-refused`. */
export async function blobSizes(
  git: GitProgram,
  selected: readonly BlobRequest[],
  damage?: Damage,
): Promise<readonly number[]> {
  if (selected.length === 0) return [];
  const output = await git.answer(["cat-file", "--batch-check"], { input: requestLines(selected) });
  const lines = output.split("\n");
  return selected.map(({ path }, i) => {
    try {
      return sizeIn(lines[i] ?? "", path);
    } catch (error) {
      if (damage === undefined) throw error;
      damage.note(path, error);
      return Infinity;
    }
  });
}

function* requestLines(selected: readonly BlobRequest[]): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let i = 0; i < selected.length; i += 1000) {
    const lines = selected.slice(i, i + 1000).map(({ blob }) => `${blob}\n`);
    yield encoder.encode(lines.join(""));
  }
}

/** `<id> blob <size>`, or `<id> missing`. */
function sizeIn(line: string, path: string): number {
  const [, size] = /^[0-9a-f]{40} blob (\d{1,15})$/.exec(line) ?? [];
  if (size === undefined) throw refused(path, "its blob is missing");
  return Number(size);
}

function tooLarge(path: string, size: number, cap: number): Failure {
  return refused(path, `it has ${size} bytes, more than the limit of ${cap}`);
}

function refused(path: string, reason: string): Failure {
  return new Failure("share-refused", { path, reason });
}

/** Reads lines and byte ranges of a stream. */
class PieceReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  /** The next line without its newline, or the rest of the stream. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(10);
      if (end >= 0) {
        const line = this.#rest.toString("latin1", 0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      const next = await this.#pieces.next();
      if (next.done === true) return this.#rest.toString("latin1");
      this.#rest = Buffer.concat([this.#rest, next.value]);
    }
  }

  /** `count` bytes, fewer at the end of the stream. */
  async take(count: number): Promise<Uint8Array> {
    const taken = [this.#rest.subarray(0, count)];
    let missing = count - taken[0]!.length;
    this.#rest = this.#rest.subarray(taken[0]!.length);
    while (missing > 0) {
      const next = await this.#pieces.next();
      if (next.done === true) break;
      taken.push(next.value.subarray(0, missing));
      this.#rest = next.value.subarray(missing);
      missing = Math.max(0, missing - next.value.length);
    }
    return taken.length === 1 ? new Uint8Array(taken[0]!) : new Uint8Array(Buffer.concat(taken));
  }
}
