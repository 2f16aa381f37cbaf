import { closeSync, openSync, readSync } from "node:fs";
import { inflateSync } from "node:zlib";

/** Names that are read at once. */
const mostNames = 256;
/** Bytes that hold most packed commits. */
const firstBytes = 2048;
/** Larger objects are left to git. */
export const maxObjectBytes = 1 << 20;
/** Git makes no longer chains of differences by default. */
const maxChain = 50;

const namesAt = 8 + 256 * 4;

/** A pack with its index (version 2). Reads nothing that it does not find; the caller verifies the id. */
export class Pack {
  readonly #index: ReadableFile;
  readonly #pack: ReadableFile;
  readonly #count: number;
  readonly #fanout: Buffer;

  /** `path` without extension. Throws if it is no such pack. */
  constructor(path: string) {
    this.#index = new ReadableFile(`${path}.idx`);
    this.#pack = new ReadableFile(`${path}.pack`);
    const head = this.#index.read(0, namesAt);
    if (head.readUInt32BE(0) !== 0xff744f63 || head.readUInt32BE(4) !== 2) throw new Error("unknown index version");
    this.#fanout = head.subarray(8);
    this.#count = this.#fanout.readUInt32BE(255 * 4);
  }

  close(): void {
    this.#index.close();
    this.#pack.close();
  }

  /** The bytes of a commit; null if it is not here. Throws on what it cannot read. */
  commit(id: Buffer): Buffer | null {
    const at = this.#position(id);
    return at === null ? null : this.#object(this.#offset(at), 0);
  }

  #position(id: Buffer): number | null {
    const first = id[0]!;
    let low = first === 0 ? 0 : this.#fanout.readUInt32BE((first - 1) * 4);
    let high = this.#fanout.readUInt32BE(first * 4);
    while (high - low > mostNames) {
      const middle = (low + high) >>> 1;
      const order = id.compare(this.#index.read(namesAt + middle * 20, 20));
      if (order === 0) return middle;
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    const names = this.#index.read(namesAt + low * 20, (high - low) * 20);
    for (let at = 0; at < names.length; at += 20) if (id.compare(names, at, at + 20) === 0) return low + at / 20;
    return null;
  }

  #offset(position: number): number {
    const offset = this.#index.read(namesAt + this.#count * 24 + position * 4, 4).readUInt32BE(0);
    if (offset >= 0x80000000) throw new Error("an offset of 64 bits");
    return offset;
  }

  #object(offset: number, chain: number): Buffer {
    const head = this.#pack.read(offset, firstBytes);
    const { type, size, end } = entryHead(head);
    if (size > maxObjectBytes || chain > maxChain) throw new Error("an object too large");
    if (type === 1) return this.#inflated(head, offset, end, size);
    if (type !== 6) throw new Error("neither a commit nor a difference");
    const base = baseDistance(head, end);
    const difference = this.#inflated(head, offset, base.end, size);
    return applyDifference(this.#object(offset - base.distance, chain + 1), difference);
  }

  #inflated(head: Buffer, offset: number, start: number, size: number): Buffer {
    // Deflate adds at most 5 bytes for 16 KiB, and 6 for its frame.
    const most = start + size + (size >> 10) + 64;
    const bytes = most <= head.length ? head.subarray(0, most) : this.#pack.read(offset, most);
    // By default, each call allocates 16 KiB for its result.
    const chunkSize = Math.max(size + 1, 64);
    const object = inflateSync(bytes.subarray(start), { maxOutputLength: Math.max(size, 1), chunkSize });
    if (object.length !== size) throw new Error("an object of another size");
    return object;
  }
}

/** Type, size and length of the head of a pack entry. */
function entryHead(bytes: Buffer): { type: number; size: number; end: number } {
  let byte = bytes.readUInt8(0);
  let [size, end] = [byte & 15, 1];
  const type = (byte >> 4) & 7;
  for (let factor = 16; byte >= 128; factor *= 128) {
    if (end > 6) throw new Error("an object too large");
    byte = bytes.readUInt8(end++);
    size += (byte & 127) * factor;
  }
  return { type, size, end };
}

/** The distance back to the base of a difference. */
function baseDistance(bytes: Buffer, start: number): { distance: number; end: number } {
  let [end, byte] = [start + 1, bytes.readUInt8(start)];
  let distance = byte & 127;
  while (byte >= 128) {
    if (end > start + 6) throw new Error("a base too far away");
    byte = bytes.readUInt8(end++);
    distance = (distance + 1) * 128 + (byte & 127);
  }
  return { distance, end };
}

/** Applies a difference of git: sizes of both sides, then pieces to copy from the base or to insert. */
function applyDifference(base: Buffer, difference: Buffer): Buffer {
  let at = 0;
  const next = (): number => difference.readUInt8(at++);
  const size = (): number => {
    let [value, byte] = [0, 128];
    for (let factor = 1; byte >= 128; factor *= 128) {
      byte = next();
      value += (byte & 127) * factor;
    }
    return value;
  };
  const field = (flags: number, count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++) if (flags & (1 << i)) value += next() * 256 ** i;
    return value;
  };
  const pieces: Buffer[] = [];
  const [from, to] = [size(), size()];
  if (from !== base.length || to > maxObjectBytes) throw new Error("a difference to another base");
  for (let length = 0; at < difference.length; length += pieces.at(-1)!.length) {
    if (length > to) throw new Error("a difference too long");
    const code = next();
    if (code >= 128) {
      const start = field(code & 15, 4);
      pieces.push(base.subarray(start, start + (field((code >> 4) & 7, 3) || 0x10000)));
    } else pieces.push(difference.subarray(at, (at += code)));
  }
  return Buffer.concat(pieces);
}

/** A file that is read piece by piece. */
class ReadableFile {
  readonly #fd: number;

  constructor(path: string) {
    this.#fd = openSync(path, "r");
  }

  /** Fewer bytes than asked for at the end of the file. */
  read(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(this.#fd, bytes, 0, length, at));
  }

  close(): void {
    closeSync(this.#fd);
  }
}
