import { bitsAt, damaged, mostPageBytes, part, varint } from "./parquet-encodings.ts";

/**
 * The encoding DELTA_BINARY_PACKED: differences in blocks, each of several parts whose numbers have the same width.
 * Answers as well where it ends.
 */
export function deltaNumbers(
  bytes: Uint8Array,
  count: number,
): { readonly values: BigInt64Array; readonly end: number } {
  const values = new BigInt64Array(count);
  const [block, parts, , first] = headOf(bytes);
  const each = Number(block.value) / Number(parts.value);
  if (!(each >= 8) || each % 8 !== 0) throw damaged("blocks of differences have a size that there is not");
  let at = first.end;
  let value = zigzag(first.value);
  if (count > 0) values[0] = value;
  for (let done = 1; done < count;) {
    const least = varint(bytes, at);
    const widths = part(bytes, least.end, Number(parts.value));
    at = least.end + widths.length;
    for (let piece = 0; piece < widths.length && done < count; piece++) {
      const width = widths[piece]!;
      const packed = part(bytes, at, (each * width) / 8);
      for (let number = 0; number < each && done < count; number++) {
        value = BigInt.asIntN(64, value + zigzag(least.value) + wideBits(packed, number * width, width));
        values[done++] = value;
      }
      at += packed.length;
    }
  }
  return { values, end: at };
}

/** Size of blocks, parts of a block, numbers, the first of them. */
function headOf(bytes: Uint8Array) {
  const block = varint(bytes, 0);
  const parts = varint(bytes, block.end);
  const total = varint(bytes, parts.end);
  return [block, parts, total, varint(bytes, total.end)] as const;
}

function zigzag(value: bigint): bigint {
  return (value >> 1n) ^ -(value & 1n);
}

function wideBits(bytes: Uint8Array, bit: number, width: number): bigint {
  if (width > 64) throw damaged(`differences of ${width} bits where 64 are most`);
  const low = BigInt(bitsAt(bytes, bit, Math.min(32, width)));
  return width > 32 ? low | (BigInt(bitsAt(bytes, bit + 32, width - 32)) << 32n) : low;
}

/** The encoding DELTA_LENGTH_BYTE_ARRAY: all lengths, then all texts. */
export function deltaTexts(bytes: Uint8Array, count: number): Uint8Array[] {
  const { values: lengths, end } = deltaNumbers(bytes, count);
  let at = end;
  return Array.from(lengths, (length) => {
    const text = part(bytes, at, Number(length));
    at += text.length;
    return text;
  });
}

/** The encoding DELTA_BYTE_ARRAY: how much of the text before each begins with, and what follows. */
export function deltaPrefixed(bytes: Uint8Array, count: number): Uint8Array[] {
  const { values: shared, end } = deltaNumbers(bytes, count);
  let before = new Uint8Array(0);
  let total = 0;
  return deltaTexts(bytes.subarray(end), count).map((rest, at) => {
    const kept = part(before, 0, Number(shared[at]));
    total += kept.length + rest.length;
    if (total > mostPageBytes) throw damaged(`the texts of a page have more than ${mostPageBytes} bytes`);
    const text = new Uint8Array(kept.length + rest.length);
    text.set(kept);
    text.set(rest, kept.length);
    return (before = text);
  });
}
