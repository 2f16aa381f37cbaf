import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeDeltaIntegers, decodeDeltaBytes, decodeHybrid, ParquetError, decodePlain } from "./parquet-encodings.ts";
import { decompressPage } from "./page-compression.ts";
import { ThriftError, ThriftReader } from "./thrift-struct.ts";

const bytes = (...all: number[]): Uint8Array => Uint8Array.from(all);

test("decodes the run-length and bit-packed examples of Encodings.md", () => {
  // 0 to 7 in three bits, the example of Encodings.md, then five times 4.
  expect([...decodeHybrid(bytes(0x03, 0x88, 0xc6, 0xfa, 0x0a, 0x04), 3, 13)]).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 4, 4, 4, 4, 4,
  ]);
});

test("a run that declares 2^60 values fills only the requested ones", () => {
  expect([...decodeHybrid(bytes(0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f, 1), 1, 3)]).toEqual([1, 1, 1]);
});

test("decodes the delta example of Encodings.md: 7, 5, 3, 1, 2, 3, 4, 5", () => {
  // Blocks of 128 in 4 miniblocks, 8 values starting with 7; the minimum delta is -2, and all deltas have two bits.
  const packed = bytes(0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0, 0, 0);
  expect([...decodeDeltaIntegers(packed, 8).values].map(Number)).toEqual([7, 5, 3, 1, 2, 3, 4, 5]);
});

test("64-bit deltas wrap around", () => {
  const head = [8, 1, 2, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
  expect(() => decodeDeltaIntegers(bytes(...head, 2, 0), 3)).not.toThrow();
  expect([...decodeDeltaIntegers(bytes(...head, 2, 0), 2).values]).toEqual([2n ** 63n - 1n, -(2n ** 63n)]);
});

test("texts with shared prefixes have a size limit", () => {
  // Each text extends the previous one by a byte: prefix lengths 0, 1, 2, …
  const grow = (count: number): Uint8Array => {
    const shared = [0x80, 1, 1, count & 127, 0, 2, 0];
    const rest = [0x80, 1, 1, count & 127, 2, 0, 0];
    return bytes(...shared, ...rest, ...Array.from({ length: count }, () => 65));
  };
  expect(decodeDeltaBytes(grow(4), 4).map((text) => new TextDecoder().decode(text))).toEqual([
    "A",
    "AA",
    "AAA",
    "AAAA",
  ]);
});

test("never reads beyond the end", () => {
  for (const work of [
    () => decodeHybrid(bytes(3), 3, 8),
    () => decodeHybrid(bytes(), 1, 1),
    () => decodeHybrid(bytes(2), 33, 1),
    () => decodeDeltaIntegers(bytes(128, 1, 0, 8, 14), 8),
    () => decodeDeltaIntegers(bytes(128, 1, 4, 8, 14, 3, 255), 8),
    () => decodePlain(bytes(9, 0, 0, 0, 65), "bytes", 1, 0),
    () => decodePlain(bytes(1, 2, 3), "int32", 1, 0),
    () => decompressPage(bytes(5, 0xfe, 0xff, 0xff), 1, 5),
    () => decompressPage(bytes(0xf0, 255, 255), 7, 5),
    () => decompressPage(bytes(1, 2, 3), 2, 5),
    () => decompressPage(bytes(1, 2, 3), 6, 5),
    () => decompressPage(bytes(1, 2, 3), 3, 5),
  ])
    expect(work).toThrow(ParquetError);
});

test("overlapping copies repeat bytes", () => {
  // Snappy: a literal of one byte, a copy of four bytes from one back.
  expect([...decompressPage(bytes(5, 0, 65, 0x01, 1), 1, 5)]).toEqual([65, 65, 65, 65, 65]);
  // LZ4: the same.
  expect([...decompressPage(bytes(0x10, 65, 1, 0), 7, 5)]).toEqual([65, 65, 65, 65, 65]);
});

test("arbitrary bytes either decode as a struct or throw ThriftError", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (any) => {
      try {
        new ThriftReader(any, 0, any.length).struct();
      } catch (error) {
        expect(error).toBeInstanceOf(ThriftError);
      }
    }),
  );
  expect(() => new ThriftReader(new Uint8Array(1 << 16).fill(0x1c), 0, 1 << 16).struct()).toThrow("nested too deep");
  expect(() => new ThriftReader(new Uint8Array(1 << 16).fill(0xff), 0, 1 << 16).struct()).toThrow(ThriftError);
  expect(() => new ThriftReader(bytes(0x19, 0xfc, 0xff, 0xff, 0xff, 0x7f), 0, 6).struct()).toThrow(
    "longer than the remaining bytes",
  );
});
