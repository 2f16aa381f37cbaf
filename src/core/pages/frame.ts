/** What typed arrays may travel. */
export type FrameArray = Float64Array | Int32Array | Uint8Array;

/**
 * A message to a page: facts as JSON and numbers as they lie in memory, so that a page reads a million of them without
 * parsing. Bytes: the length of the JSON (uint32, little-endian), the JSON `{ facts, arrays: [[name, type, length], …]
 * }` in UTF-8, blanks up to a multiple of eight, then each array, little-endian, from a multiple of eight on.
 */
export interface Frame<Facts, Names extends string> {
  readonly facts: Facts;
  readonly arrays: Readonly<Record<Names, FrameArray>>;
}

const types = { f64: Float64Array, i32: Int32Array, u8: Uint8Array } as const;

type TypeName = keyof typeof types;

function typeOf(array: FrameArray): TypeName {
  if (array instanceof Float64Array) return "f64";
  return array instanceof Int32Array ? "i32" : "u8";
}

const padded = (length: number): number => Math.ceil(length / 8) * 8;

export function packFrame(frame: Frame<unknown, string>): Uint8Array {
  const arrays = Object.entries(frame.arrays);
  const head = { facts: frame.facts, arrays: arrays.map(([name, array]) => [name, typeOf(array), array.length]) };
  const json = new TextEncoder().encode(JSON.stringify(head));
  const from = padded(4 + json.length);
  const bytes = new Uint8Array(arrays.reduce((sum, [, array]) => sum + padded(array.byteLength), from));
  bytes.fill(32, 4 + json.length, from);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, 4);
  let at = from;
  for (const [, array] of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += padded(array.byteLength);
  }
  return bytes;
}

/**
 * The frame that `packFrame` made; its arrays are views of `bytes`, which are to begin at a multiple of eight of their
 * buffer.
 */
export function unpackFrame<Facts, Names extends string>(bytes: Uint8Array): Frame<Facts, Names> {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head: { facts: Facts; arrays: [Names, TypeName, number][] } = JSON.parse(
    new TextDecoder().decode(bytes.subarray(4, 4 + length)),
  );
  let at = bytes.byteOffset + padded(4 + length);
  const arrays = new Map<Names, FrameArray>();
  for (const [name, type, count] of head.arrays) {
    const array = new types[type](bytes.buffer as ArrayBuffer, at, count);
    arrays.set(name, array);
    at += padded(array.byteLength);
  }
  return { facts: head.facts, arrays: Object.fromEntries(arrays) as Record<Names, FrameArray> };
}
