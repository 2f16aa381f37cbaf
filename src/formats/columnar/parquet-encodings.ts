/**
 * A value as the physical types of Parquet hold it: whole numbers of 64 bits are bigints, texts and the like their
 * bytes.
 */
export type StoredValue = boolean | number | bigint | Uint8Array;

/** The physical types in the order of their numbers. */
export const storedTypes = ["boolean", "int32", "int64", "int96", "float", "double", "bytes", "fixed"] as const;
export type StoredType = (typeof storedTypes)[number];

/** What is in a file is no Parquet, or not as Parquet wants it. */
export class ParquetDamage extends Error {}

/** So many bytes are unpacked of one page. */
export const mostPageBytes = 256 * 1024 * 1024;

const widths: Readonly<Record<Exclude<StoredType, "boolean" | "bytes">, number>> = {
  int32: 4,
  int64: 8,
  int96: 12,
  float: 4,
  double: 8,
  fixed: 0,
};

export function damaged(problem: string): ParquetDamage {
  return new ParquetDamage(problem);
}

export function part(bytes: Uint8Array, from: number, length: number): Uint8Array {
  if (!(length >= 0) || from + length > bytes.length) throw damaged("a page is shorter than what it should hold");
  return bytes.subarray(from, from + length);
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The encoding PLAIN: values one after the other, truth values as bits. `size` is the length of `fixed` ones. */
export function plainValues(bytes: Uint8Array, type: StoredType, count: number, size: number): StoredValue[] {
  if (type === "bytes") return countedTexts(bytes, count);
  if (type === "boolean") {
    part(bytes, 0, Math.ceil(count / 8));
    return Array.from({ length: count }, (_, at) => ((bytes[at >> 3]! >> (at & 7)) & 1) === 1);
  }
  const width = type === "fixed" ? size : widths[type];
  return valuesAt(part(bytes, 0, width * count), type, count, width);
}

function valuesAt(bytes: Uint8Array, type: StoredType, count: number, width: number): StoredValue[] {
  const view = viewOf(bytes);
  const read = {
    int32: (at: number) => view.getInt32(at, true),
    int64: (at: number) => view.getBigInt64(at, true),
    float: (at: number) => view.getFloat32(at, true),
    double: (at: number) => view.getFloat64(at, true),
  } as Partial<Record<StoredType, (at: number) => StoredValue>>;
  const one = read[type] ?? ((at: number) => bytes.subarray(at, at + width));
  return Array.from({ length: count }, (_, at) => one(at * width));
}

/** Each behind its length in four bytes. */
function countedTexts(bytes: Uint8Array, count: number): Uint8Array[] {
  const view = viewOf(bytes);
  let at = 0;
  return Array.from({ length: part(bytes, 0, count * 4).length / 4 }, () => {
    const text = part(bytes, at + 4, view.getUint32(at, true));
    at += 4 + text.length;
    return text;
  });
}

/** The encoding BYTE_STREAM_SPLIT: first bytes of all values, then second ones, and so on. */
export function splitValues(bytes: Uint8Array, type: StoredType, count: number, size: number): StoredValue[] {
  const width = type === "fixed" ? size : type === "boolean" || type === "bytes" ? 0 : widths[type];
  if (width === 0) throw damaged(`values of the type ${type} are never split into streams`);
  const streams = part(bytes, 0, width * count);
  const joined = new Uint8Array(width * count);
  for (let byte = 0; byte < width; byte++)
    for (let at = 0; at < count; at++) joined[at * width + byte] = streams[byte * count + at]!;
  return valuesAt(joined, type, count, width);
}

/** The hybrid of runs and bits, of numbers of `width` bits: levels, places in dictionaries, truth values. */
export function hybridValues(bytes: Uint8Array, width: number, count: number): Uint32Array {
  if (width > 32) throw damaged(`numbers of ${width} bits where 32 are most`);
  const values = new Uint32Array(count);
  let [at, done] = [0, 0];
  while (done < count) {
    const head = varint(bytes, at);
    at = head.end;
    const run = Number(head.value >> 1n);
    if ((head.value & 1n) === 0n) {
      const size = (width + 7) >> 3;
      const value = bitsAt(part(bytes, at, size), 0, width);
      values.fill(value, done, Math.min(count, done + run));
      [at, done] = [at + size, done + run];
    } else {
      const wanted = Math.min(count - done, run * 8);
      // Writers may leave out the last bytes of the last group.
      const packed = part(bytes, at, Math.min(run * width, bytes.length - at));
      if (wanted * width > packed.length * 8) throw damaged("packed numbers are cut");
      for (let each = 0; each < wanted; each++) values[done + each] = bitsAt(packed, each * width, width);
      [at, done] = [at + packed.length, done + wanted];
    }
  }
  return values;
}

/** Up to 32 bits that begin at a bit. */
export function bitsAt(bytes: Uint8Array, bit: number, width: number): number {
  let [value, got] = [0, 0];
  while (got < width) {
    const at = bit + got;
    const taken = Math.min(8 - (at & 7), width - got);
    value += ((bytes[at >>> 3]! >> (at & 7)) & ((1 << taken) - 1)) * 2 ** got;
    got += taken;
  }
  return value;
}

/** A number of up to 64 bits, seven of them a byte. */
export function varint(bytes: Uint8Array, from: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let at = from; at < from + 10; at++) {
    const byte = bytes[at];
    if (byte === undefined) throw damaged("a page ends within a number");
    value |= BigInt(byte & 127) << BigInt(7 * (at - from));
    if (byte < 128) return { value, end: at + 1 };
  }
  throw damaged("a number of more than 64 bits");
}
