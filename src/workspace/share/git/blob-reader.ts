import { Failure } from "../../../core/failures/failure.ts";
import { inflated, NotInflated } from "../../../formats/store/object.ts";
import { GitPackIndex, packedBlob } from "../../../formats/store/sharing/git-pack-index.ts";
import { listFolder, readRegularFile } from "../../../store/durable/regular-file.ts";
import type { Damage } from "./damage.ts";
import { reasonOf } from "./git-errors.ts";
import type { GitProgram } from "./git-program.ts";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

/** A blob that a pack holds whole, and not as a difference to another one. */
interface UndeltifiedBlob {
  /** Bytes of the content. */
  readonly size: number;
  readonly fd: number;
  /** Where the zlib stream lies in the pack. */
  readonly begin: number;
  readonly end: number;
}

/**
 * The packs of a repository. Objects are kept as git sends them, as zlib streams: so they need not be packed again,
 * which takes longer than all else that a large pull does. Whatever is not as expected is left to git.
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

  /** null: git has to be asked. */
  find(blob: string): UndeltifiedBlob | null {
    for (const { index, fd } of this.#packs) {
      const place = index.place(blob);
      if (place === null) continue;
      const told = packedBlob(bytesAt(fd, place.begin, Math.min(place.begin + maxHeaderBytes, place.end)));
      return told === null ? null : { size: told.size, fd, begin: place.begin + told.stream, end: place.end };
    }
    return null;
  }

  /** The content, and the stream that holds it and nothing else; null: it is damaged. */
  read({
    fd,
    begin,
    end,
    size,
  }: UndeltifiedBlob): { readonly content: Uint8Array; readonly packed: Uint8Array } | null {
    if (end - begin > 2 * size + maxHeaderBytes) return null;
    const packed = bytesAt(fd, begin, end);
    try {
      // zlib takes no cap of zero bytes.
      const content = inflated(packed, Math.max(1, size));
      return content.length === size ? { content, packed } : null;
    } catch (error) {
      if (error instanceof NotInflated) return null;
      throw error;
    }
  }

  close(): void {
    for (const { fd } of this.#packs) closeSync(fd);
  }
}

/** Bytes before the stream of an entry, at most; also more than a zlib stream has beside its content. */
const maxHeaderBytes = 64;

interface Pack {
  readonly fd: number;
  readonly index: GitPackIndex;
}

/** null for what git has to say something about. */
function openPack(stem: string): Pack | null {
  let fd: number | undefined;
  try {
    fd = openSync(`${stem}.pack`, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const index = GitPackIndex.read(readRegularFile(`${stem}.idx`) ?? new Uint8Array(0), fstatSync(fd).size);
    if (index !== null) return { fd, index };
  } catch {
    // As above.
  }
  if (fd !== undefined) closeSync(fd);
  return null;
}

/** Fewer bytes, or none, where they cannot be read. */
function bytesAt(fd: number, begin: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - begin);
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, begin));
  } catch {
    return bytes.subarray(0, 0);
  }
}

/** A blob that is asked for, and where it stands. */
export interface BlobRequest {
  readonly path: string;
  readonly blob: string;
}

/** What stands at a path. */
export interface ReadBlob {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The zlib stream that it came in, where there is one of it alone. */
  readonly packed?: Uint8Array;
}

/**
 * Contents in the order asked for. Whatever is larger than `cap` is refused before it is unpacked; where damage is
 * noted, it is left out. Fails with `share-refused`.
 */
export async function* readBlobs(
  git: GitProgram,
  asked: readonly BlobRequest[],
  { cap, damage }: { readonly cap: number; readonly damage?: Damage | undefined },
): AsyncGenerator<ReadBlob> {
  const wanted = damage === undefined ? asked : await readable(git, asked, cap, damage);
  const packs = new PackedBlobs(git.folder);
  const found = new Map(wanted.map((each) => [each, packs.find(each.blob)]));
  const others = readByGit(
    git,
    wanted.filter((each) => found.get(each) === null),
    cap,
  );
  try {
    for (const each of wanted) {
      const whole = found.get(each) ?? null;
      if (whole !== null) yield readUndeltified(packs, each, whole, cap);
      else yield (await others.next()).value as ReadBlob;
    }
    await others.next();
  } finally {
    packs.close();
    await others.return(undefined);
  }
}

/** Those that are there and not too large. */
async function readable(
  git: GitProgram,
  asked: readonly BlobRequest[],
  cap: number,
  damage: Damage,
): Promise<readonly BlobRequest[]> {
  const sizes = await blobSizes(git, asked, damage);
  return asked.filter(({ path }, i) => {
    if (sizes[i]! > cap && sizes[i] !== Infinity) damage.note(path, tooLarge(path, sizes[i]!, cap));
    return sizes[i]! <= cap;
  });
}

function readUndeltified(
  packs: PackedBlobs,
  { path, blob }: BlobRequest,
  whole: UndeltifiedBlob,
  cap: number,
): ReadBlob {
  if (whole.size > cap) throw tooLarge(path, whole.size, cap);
  const read = packs.read(whole);
  if (read === null) throw refused(path, `${blob} cannot be read`);
  return { path, ...read };
}

async function* readByGit(git: GitProgram, wanted: readonly BlobRequest[], cap: number): AsyncGenerator<ReadBlob> {
  if (wanted.length === 0) return;
  const running = git.start(["cat-file", "--batch", "--buffer"]);
  running.feed(requests(wanted));
  const reader = new PieceReader(running.stdout as AsyncIterable<Buffer>);
  try {
    for (const { path, blob } of wanted) {
      const size = sizeIn(await reader.line(), path);
      if (size > cap) throw tooLarge(path, size, cap);
      const content = await reader.take(size + 1);
      if (content.length !== size + 1) throw refused(path, `${blob} cannot be read`);
      yield { path, bytes: content.subarray(0, size) };
    }
    const { status, stderr } = await running.ended;
    if (status !== 0) throw refused(wanted[0]!.path, reasonOf({ status, stderr }));
  } finally {
    running.kill();
  }
}

/** Bytes of blobs, in the order asked for; Infinity for those that are noted as damaged. Fails with `share-refused`. */
export async function blobSizes(
  git: GitProgram,
  wanted: readonly BlobRequest[],
  damage?: Damage,
): Promise<readonly number[]> {
  if (wanted.length === 0) return [];
  const told = await git.answer(["cat-file", "--batch-check"], { input: requests(wanted) });
  const lines = told.split("\n");
  return wanted.map(({ path }, i) => {
    try {
      return sizeIn(lines[i] ?? "", path);
    } catch (error) {
      if (damage === undefined) throw error;
      damage.note(path, error);
      return Infinity;
    }
  });
}

function* requests(wanted: readonly BlobRequest[]): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let i = 0; i < wanted.length; i += 1000) {
    const lines = wanted.slice(i, i + 1000).map(({ blob }) => `${blob}\n`);
    yield encoder.encode(lines.join(""));
  }
}

/** `<id> blob <size>`, or `<id> missing`. */
function sizeIn(line: string, path: string): number {
  const [, size] = /^[0-9a-f]{40} blob (\d{1,15})$/.exec(line) ?? [];
  if (size === undefined) throw refused(path, "its content is not there");
  return Number(size);
}

function tooLarge(path: string, size: number, cap: number): Failure {
  return refused(path, `it has ${size} bytes, more than the ${cap} that are read`);
}

function refused(path: string, reason: string): Failure {
  return new Failure("share-refused", { path, reason });
}

/** Lines and counted bytes of a stream. */
class PieceReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  /** Up to the next newline, without it; what there is when the stream ends before. */
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

  /** So many bytes, fewer when the stream ends before. */
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
