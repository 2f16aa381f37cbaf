import { isFailure } from "../../src/core/failures/failure.ts";

/** Number of damaged inputs per format; a longer run sets more. */
export const mutations = Math.ceil(Number(process.env["PERFKEEP_MUTATIONS"] ?? 200) / 4);

/** A deterministic sequence of numbers below 2³² (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const extremes = [
  0n,
  1n,
  2n,
  7n,
  8n,
  0x7fn,
  0xffn,
  0x7fffn,
  0xffffn,
  0x7fffffffn,
  0xffffffffn,
  2n ** 53n,
  2n ** 63n,
  2n ** 64n - 1n,
];

/** Changes a few numbers of 1 to 8 bytes at their natural alignment, and moves, repeats or drops blocks of words. */
export function mutateWords(bytes: Uint8Array, seed: number): Uint8Array {
  const random = randomOf(seed);
  let changed: Uint8Array = bytes.slice();
  for (let edits = 1 + random(3); edits > 0 && changed.length > 16; edits--) {
    const size = 1 << random(4);
    const at = random(Math.floor(changed.length / size)) * size;
    const kind = random(8);
    if (kind < 5) writeWord(changed, at, size, kind < 4 ? extremes[random(extremes.length)]! : BigInt(random(2 ** 32)));
    else {
      const from = random(changed.length >> 3) << 3;
      const block = changed.slice(from, from + (1 + random(16)) * 8);
      if (kind === 5) changed.set(block.subarray(0, changed.length - at), at);
      else if (kind === 6) changed = joined(changed.subarray(0, from), changed.subarray(from + block.length));
      else changed = joined(changed.subarray(0, from), block, changed.subarray(from));
    }
  }
  return random(10) === 0 ? changed.subarray(0, random(changed.length)) : changed;
}

function writeWord(bytes: Uint8Array, at: number, size: number, value: bigint): void {
  for (let byte = 0; byte < size; byte++) bytes[at + byte] = Number((value >> BigInt(8 * byte)) & 0xffn);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Throws whatever is thrown, except a Failure that names `file`. */
export function refusedOrRead(read: () => unknown, file: string): void {
  try {
    read();
  } catch (error) {
    if (!isFailure(error) || !error.message.includes(file)) throw error;
  }
}
