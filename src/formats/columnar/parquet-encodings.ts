/**
 * A value of a physical Parquet type: 64-bit integers are bigints, byte arrays and int96 are bytes.
 */
export type StoredValue = boolean | number | bigint | Uint8Array;

/** Physical types, by number. */
export const storedTypes = ["boolean", "int32", "int64", "int96", "float", "double", "bytes", "fixed"] as const;
export type StoredType = (typeof storedTypes)[number];

/** The bytes are not a valid Parquet file. */
export class ParquetError extends Error {}

/** Maximum size of a decompressed page in bytes. */
export const maxPageBytes = 256 * 1024 * 1024;

const widths: Readonly<Record<Exclude<StoredType, "boolean" | "bytes">, number>> = {
  int32: 4,
  int64: 8,
  int96: 12,
  float: 4,
  double: 8,
  fixed: 0,
};

export function damaged(problem: string): ParquetError {
  return new ParquetError(problem);
}

export function slice(bytes: Uint8Array, from: number, length: number): Uint8Array {
  if (!(length >= 0) || from + length > bytes.length) throw damaged("a page is shorter than declared");
  return bytes.subarray(from, from + length);
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Decodes PLAIN: consecutive values, booleans as bits. `size` is the length of a `fixed` value. */
export function decodePlain(bytes: Uint8Array, type: StoredType, count: number, size: number): StoredValue[] {
  if (type === "bytes") return lengthPrefixedBytes(bytes, count);
  if (type === "boolean") {
    slice(bytes, 0, Math.ceil(count / 8));
    return Array.from({ length: count }, (_, at) => ((bytes[at >> 3]! >> (at & 7)) & 1) === 1);
  }
  const width = type === "fixed" ? size : widths[type];
  return valuesAt(slice(bytes, 0, width * count), type, count, width);
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

/** Byte arrays, each after its length in four bytes. */
function lengthPrefixedBytes(bytes: Uint8Array, count: number): Uint8Array[] {
  const view = viewOf(bytes);
  let at = 0;
  return Array.from({ length: slice(bytes, 0, count * 4).length / 4 }, () => {
    const text = slice(bytes, at + 4, view.getUint32(at, true));
    at += 4 + text.length;
    return text;
  });
}

/** Decodes BYTE_STREAM_SPLIT: the first bytes of all values, then their second bytes, and so on. */
export function decodeByteStreamSplit(bytes: Uint8Array, type: StoredType, count: number, size: number): StoredValue[] {
  const width = type === "fixed" ? size : type === "boolean" || type === "bytes" ? 0 : widths[type];
  if (width === 0) throw damaged(`BYTE_STREAM_SPLIT does not support the type ${type}`);
  const streams = slice(bytes, 0, width * count);
  const values = new Uint8Array(width * count);
  for (let byte = 0; byte < width; byte++)
    for (let at = 0; at < count; at++) values[at * width + byte] = streams[byte * count + at]!;
  return valuesAt(values, type, count, width);
}

/** Decodes the hybrid of runs and bit-packed numbers of `width` bits: levels, dictionary indices, booleans. */
export function decodeHybrid(bytes: Uint8Array, width: number, count: number): Uint32Array {
  if (width > 32) throw damaged(`numbers of ${width} bits, at most 32 are allowed`);
  const values = new Uint32Array(count);
  let [at, done] = [0, 0];
  while (done < count) {
    const head = varint(bytes, at);
    at = head.end;
    const run = Number(head.value >> 1n);
    if ((head.value & 1n) === 0n) {
      const size = (width + 7) >> 3;
      const value = bitsAt(slice(bytes, at, size), 0, width);
      values.fill(value, done, Math.min(count, done + run));
      [at, done] = [at + size, done + run];
    } else {
      const length = Math.min(count - done, run * 8);
      // Writers may omit the last bytes of the last group.
      const packed = slice(bytes, at, Math.min(run * width, bytes.length - at));
      if (length * width > packed.length * 8) throw damaged("bit-packed numbers are truncated");
      for (let each = 0; each < length; each++) values[done + each] = bitsAt(packed, each * width, width);
      [at, done] = [at + packed.length, done + length];
    }
  }
  return values;
}

/** The `width` bits (at most 32) that start at the given bit. */
function bitsAt(bytes: Uint8Array, bit: number, width: number): number {
  let [value, done] = [0, 0];
  while (done < width) {
    const at = bit + done;
    const count = Math.min(8 - (at & 7), width - done);
    value += ((bytes[at >>> 3]! >> (at & 7)) & ((1 << count) - 1)) * 2 ** done;
    done += count;
  }
  return value;
}

/** A LEB128 varint of up to 64 bits. */
function varint(bytes: Uint8Array, from: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let at = from; at < from + 10; at++) {
    const byte = bytes[at];
    if (byte === undefined) throw damaged("a page ends within a number");
    value |= BigInt(byte & 127) << BigInt(7 * (at - from));
    if (byte < 128) return { value, end: at + 1 };
  }
  throw damaged("a number of more than 64 bits");
}

/**
 * Decodes DELTA_BINARY_PACKED: blocks of miniblocks, each with its own bit width. `end` is the offset after the last
 * byte read.
 */
export function decodeDeltaIntegers(
  bytes: Uint8Array,
  count: number,
): { readonly values: BigInt64Array; readonly end: number } {
  const values = new BigInt64Array(count);
  const [block, miniblocks, , first] = deltaHeader(bytes);
  const each = Number(block.value) / Number(miniblocks.value);
  if (!(each >= 8) || each % 8 !== 0) throw damaged("a block of deltas has an invalid size");
  let at = first.end;
  let value = zigzag(first.value);
  if (count > 0) values[0] = value;
  for (let done = 1; done < count;) {
    const minimum = varint(bytes, at);
    const widths = slice(bytes, minimum.end, Number(miniblocks.value));
    at = minimum.end + widths.length;
    for (let piece = 0; piece < widths.length && done < count; piece++) {
      const width = widths[piece]!;
      const packed = slice(bytes, at, (each * width) / 8);
      for (let number = 0; number < each && done < count; number++) {
        value = BigInt.asIntN(64, value + zigzag(minimum.value) + wideBitsAt(packed, number * width, width));
        values[done++] = value;
      }
      at += packed.length;
    }
  }
  return { values, end: at };
}

/** Block size, miniblocks per block, number of values, first value. */
function deltaHeader(bytes: Uint8Array) {
  const block = varint(bytes, 0);
  const miniblocks = varint(bytes, block.end);
  const total = varint(bytes, miniblocks.end);
  return [block, miniblocks, total, varint(bytes, total.end)] as const;
}

function zigzag(value: bigint): bigint {
  return (value >> 1n) ^ -(value & 1n);
}

function wideBitsAt(bytes: Uint8Array, bit: number, width: number): bigint {
  if (width > 64) throw damaged(`deltas of ${width} bits, at most 64 are allowed`);
  const low = BigInt(bitsAt(bytes, bit, Math.min(32, width)));
  return width > 32 ? low | (BigInt(bitsAt(bytes, bit + 32, width - 32)) << 32n) : low;
}

/** Decodes DELTA_LENGTH_BYTE_ARRAY: all lengths, then all texts. */
export function decodeDeltaLengthBytes(bytes: Uint8Array, count: number): Uint8Array[] {
  const { values: lengths, end } = decodeDeltaIntegers(bytes, count);
  let at = end;
  return Array.from(lengths, (length) => {
    const text = slice(bytes, at, Number(length));
    at += text.length;
    return text;
  });
}

/** Decodes DELTA_BYTE_ARRAY: lengths of the prefixes shared with the previous text, then the suffixes. */
export function decodeDeltaBytes(bytes: Uint8Array, count: number): Uint8Array[] {
  const { values: shared, end } = decodeDeltaIntegers(bytes, count);
  let before = new Uint8Array(0);
  let total = 0;
  return decodeDeltaLengthBytes(bytes.subarray(end), count).map((rest, at) => {
    const prefix = slice(before, 0, Number(shared[at]));
    total += prefix.length + rest.length;
    if (total > maxPageBytes) throw damaged(`the texts of a page have more than ${maxPageBytes} bytes`);
    const text = new Uint8Array(prefix.length + rest.length);
    text.set(prefix);
    text.set(rest, prefix.length);
    return (before = text);
  });
}
