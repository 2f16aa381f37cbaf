import { type FileHandle, open } from "node:fs/promises";

/** Bytes of each of the three headers at the start of a file. */
const headerSize = 4096;

/** The factor of DuckDB's checksum, 0xbf58476d1ce4e5b9, in pieces of 16 bits from the lowest. */
const [f0, f1, f2, f3] = [0xe5b9, 0x1ce4, 0x476d, 0xbf58] as const;

/** The checksum of no bytes. */
const seed = 5381;

/**
 * Blocks of a DuckDB file (storage version 64) whose bytes differ from their checksum, by their numbers. Each block
 * begins with its checksum. Blocks that no table uses are included: statements read only what they need, and none reads
 * a whole index.
 */
export async function damagedBlocks(path: string): Promise<number[]> {
  const file = await open(path, "r");
  try {
    const { count, size } = await blocksOf(file);
    const buffer = new Uint8Array(size);
    const damaged: number[] = [];
    for (let block = 0; block < count; block++) {
      const { bytesRead } = await file.read(buffer, 0, size, 3 * headerSize + block * size);
      if (bytesRead < size || !isIntact(buffer)) damaged.push(block);
    }
    return damaged;
  } finally {
    await file.close();
  }
}

/** The number and bytes of blocks, from the newer of two headers. A torn write of the other one is no damage. */
async function blocksOf(file: FileHandle): Promise<{ count: number; size: number }> {
  const headers = await Promise.all([1, 2].map((at) => headerAt(file, at)));
  const intact = headers.filter((each) => isIntact(each)).map((each) => new DataView(each.buffer));
  const [newest] = intact.toSorted((a, b) => number(b, 8) - number(a, 8));
  return newest === undefined
    ? { count: 0, size: headerSize }
    : { count: number(newest, 32), size: number(newest, 40) };
}

async function headerAt(file: FileHandle, at: number): Promise<Uint8Array<ArrayBuffer>> {
  const header = new Uint8Array(headerSize);
  await file.read(header, 0, headerSize, at * headerSize);
  return header;
}

function number(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

/**
 * Whether bytes agree with the checksum in their first eight: the products of each eight bytes with a factor, modulo
 * 2^64, combined by exclusive or.
 */
export function isIntact(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [low, high] = [seed, 0];
  for (let at = 8; at < bytes.length; at += 8) {
    const [l, h] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    if ((l | h) === 0) continue;
    const [a, b, c, d] = [l & 0xffff, l >>> 16, h & 0xffff, h >>> 16];
    const p0 = a * f0;
    const p1 = a * f1 + b * f0 + Math.floor(p0 / 65_536);
    const p2 = a * f2 + b * f1 + c * f0 + Math.floor(p1 / 65_536);
    const p3 = a * f3 + b * f2 + c * f1 + d * f0 + Math.floor(p2 / 65_536);
    low ^= (p0 & 0xffff) | ((p1 % 65_536) << 16);
    high ^= (p2 % 65_536) | ((p3 % 65_536) << 16);
  }
  return view.getUint32(0, true) === low >>> 0 && view.getUint32(4, true) === high >>> 0;
}
