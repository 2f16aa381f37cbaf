/** Typed arrays that frames support. */
export type FrameArray = Float64Array | Int32Array | Uint8Array;

/**
 * A message to a page: facts as JSON and numbers as raw typed arrays, so that a page reads millions without parsing.
 * Bytes: the length of the JSON (uint32, little-endian), the JSON `{ facts, arrays: [[name, type, length], …] }` in
 * UTF-8, blanks up to a multiple of eight, then each array, little-endian, aligned to eight bytes.
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
 * The inverse of `packFrame`; the arrays are views of `bytes`, which must be aligned to eight bytes in their buffer.
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

/** Numbers with more decimal places are not shorter than eight bytes. */
const mostDigits = 9;

/** Differences of integers up to this have at most 31 bits and a sign. */
const greatest = 2 ** 30 - 1;

/** Decimal places of the packed arrays by name; other arrays are not packed. */
type Digits = Readonly<Record<string, number>>;

/**
 * Points of some series, concatenated. `version`: index into the list of commits, -1 if unknown; `center`: median,
 * `low` and `high`: minimum and maximum; `n`: number of values; `changes`: indexes (in this block) of changes,
 * ascending.
 */
export type PointBlock = Frame<{ readonly block: number }, "version" | "center" | "low" | "high" | "n" | "changes">;

type PackedBlock = Frame<{ readonly block: number; readonly digits?: Digits }, keyof PointBlock["arrays"]>;

/**
 * Packs a block of points for reports. If all values of an array are exactly integers over a power of ten, it becomes
 * the zigzag-encoded differences of these integers (0, -1, 1, -2, …) as four byte planes, the lowest first, which
 * compress to half the size. Other arrays are unchanged.
 */
export function packPoints({ facts, arrays }: PointBlock): Uint8Array {
  const digits: Record<string, number> = {};
  const packed = Object.entries(arrays).map(([name, array]): [string, FrameArray] => {
    const own = array instanceof Float64Array && array.length > 0 ? digitsOf(array) : undefined;
    if (own === undefined) return [name, array];
    digits[name] = own;
    return [name, planesOf(array, 10 ** own)];
  });
  return packFrame({ facts: { ...facts, digits }, arrays: Object.fromEntries(packed) });
}

/** The inverse of `packPoints`; also reads blocks of `packFrame`. */
export function unpackPoints(bytes: Uint8Array): PointBlock {
  const { facts, arrays }: PackedBlock = unpackFrame(bytes);
  const { block, digits = {} } = facts;
  const unpacked = Object.entries(arrays).map(([name, array]): [string, FrameArray] => {
    const own = digits[name];
    return [name, own === undefined ? array : valuesOf(array, 10 ** own)];
  });
  return { facts: { block }, arrays: Object.fromEntries(unpacked) as PointBlock["arrays"] };
}

/** Decimal places that represent all values exactly; undefined if there is no such number. */
function digitsOf(values: Float64Array): number | undefined {
  let digits = 0;
  for (const value of values) while (digits < mostDigits && !isExact(value, 10 ** digits)) digits += 1;
  return values.every((value) => isExact(value, 10 ** digits)) ? digits : undefined;
}

function isExact(value: number, scale: number): boolean {
  // Rounding keeps the sign of zero, differences of integers do not.
  const whole = Math.round(value * scale) + 0;
  return Math.abs(whole) <= greatest && Object.is(whole / scale, value);
}

function planesOf(values: FrameArray, scale: number): Uint8Array {
  const planes = new Uint8Array(4 * values.length);
  let last = 0;
  for (const [at, value] of values.entries()) {
    const whole = Math.round(value * scale);
    const difference = whole - last;
    const folded = difference < 0 ? -2 * difference - 1 : 2 * difference;
    for (let plane = 0; plane < 4; plane++) planes[plane * values.length + at] = folded >>> (8 * plane);
    last = whole;
  }
  return planes;
}

function valuesOf(planes: FrameArray, scale: number): Float64Array {
  const length = planes.length / 4;
  const values = new Float64Array(length);
  let whole = 0;
  for (let at = 0; at < length; at++) {
    const high = (planes[at + 3 * length]! << 24) | (planes[at + 2 * length]! << 16);
    const folded = high | (planes[at + length]! << 8) | planes[at]!;
    whole += (folded >>> 1) ^ -(folded & 1);
    values[at] = whole / scale;
  }
  return values;
}

/** Replaces an array in the facts. */
interface ArrayReference {
  readonly "@array": string;
}

/**
 * A message with nested typed arrays, such as a `Figure`: a frame whose facts are the value with `{ "@array": name }`
 * for each array. undefined fields and NaN outside of arrays become what JSON makes of them.
 */
export function packValue(value: unknown): Uint8Array {
  const arrays: Record<string, FrameArray> = {};
  const facts = withoutArrays(value, arrays);
  return packFrame({ facts, arrays });
}

/** The inverse of `packValue`; `bytes` must be aligned to eight bytes in their buffer. */
export function unpackValue(bytes: Uint8Array): unknown {
  const { facts, arrays } = unpackFrame<unknown, string>(bytes);
  return withArrays(facts, arrays);
}

function withoutArrays(value: unknown, arrays: Record<string, FrameArray>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Float64Array || value instanceof Int32Array || value instanceof Uint8Array) {
    const name = String(Object.keys(arrays).length);
    arrays[name] = value;
    return { "@array": name } satisfies ArrayReference;
  }
  if (Array.isArray(value)) return value.map((item) => withoutArrays(item, arrays));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutArrays(field, arrays)]));
}

function withArrays(value: unknown, arrays: Readonly<Record<string, FrameArray>>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withArrays(item, arrays));
  if (isReference(value)) return arrays[value["@array"]];
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withArrays(field, arrays)]));
}

function isReference(value: object): value is ArrayReference {
  return "@array" in value;
}
