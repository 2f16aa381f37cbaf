import { isFailure } from "../../src/core/failures/failure.ts";

/** Number of damaged inputs per format; a longer run sets more. */
export const mutations = Math.ceil(Number(process.env["PERFKEEP_MUTATIONS"] ?? 200) / 4);

/** A deterministic sequence of numbers below 2³² (mulberry32). */
export function randomOf(seed: number): (below: number) => number {
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

/** A field of a Protocol Buffers message: where it starts, its value and its end. */
interface Field {
  readonly start: number;
  readonly value: number;
  readonly end: number;
  readonly wire: number;
}

/** Changes, drops, repeats or moves fields of a message, at any depth; the lengths around them stay right. */
export function mutateProtobuf(bytes: Uint8Array, seed: number): Uint8Array {
  const random = randomOf(seed);
  let changed: Uint8Array = bytes;
  for (let edits = 1 + random(3); edits > 0; edits--) changed = mutateMessage(changed, random, 0);
  return random(12) === 0 ? changed.subarray(0, random(changed.length)) : changed;
}

function mutateMessage(bytes: Uint8Array, random: (below: number) => number, depth: number): Uint8Array {
  const fields = fieldsOf(bytes);
  if (fields === null || fields.length === 0) {
    const garbled = bytes.slice();
    if (garbled.length > 0) garbled[random(garbled.length)] = random(256);
    return garbled;
  }
  const { start, value, end, wire } = fields[random(fields.length)]!;
  const [before, field, after] = [bytes.subarray(0, start), bytes.subarray(start, end), bytes.subarray(end)];
  if (wire === 2 && depth < 8 && random(5) > 0) {
    const inner = mutateMessage(bytes.subarray(value, end), random, depth + 1);
    return joined(
      before,
      Uint8Array.of(bytes[start]!),
      lengthPrefix(bytes, start),
      varint(BigInt(inner.length)),
      inner,
      after,
    );
  }
  const kind = random(6);
  if (kind === 0) return joined(before, after);
  if (kind === 1) return joined(before, field, field, after);
  if (kind === 2) return joined(after, field, before);
  if (kind === 3) return joined(before, Uint8Array.of(random(256)), field.subarray(1), after);
  if (wire !== 0) return joined(before, field.subarray(0, value - start), bytes.slice(value, end).toReversed(), after);
  return joined(before, field.subarray(0, value - start), varint(extremes[random(extremes.length)]!), after);
}

/** The bytes of a tag after the first. */
function lengthPrefix(bytes: Uint8Array, start: number): Uint8Array {
  let end = start;
  while (bytes[end]! >= 0x80) end++;
  return bytes.subarray(start + 1, end + 1);
}

/** The fields of a message; null if the bytes are none. */
function fieldsOf(bytes: Uint8Array): Field[] | null {
  const fields: Field[] = [];
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; at < bytes.length; shift += 7) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  };
  while (at < bytes.length) {
    const start = at;
    const wire = number() & 7;
    let value = at;
    if (wire === 0) number();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const length = number();
      value = at;
      at += length;
    } else return null;
    if (!(at <= bytes.length)) return null;
    fields.push({ start, value, end: at, wire });
  }
  return fields;
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    if (rest <= 0x7fn) return Uint8Array.from(bytes);
  }
}

/** Throws whatever is thrown, except a Failure that names `file`. */
export function refusedOrRead(read: () => unknown, file: string): void {
  try {
    read();
  } catch (error) {
    if (!isFailure(error) || !error.message.includes(file)) throw error;
  }
}
