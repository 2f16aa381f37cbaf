import fc from "fast-check";
import { expect, test } from "vitest";
import { deltaNumbers, deltaPrefixed } from "./parquet-deltas.ts";
import { hybridValues, ParquetDamage, plainValues } from "./parquet-encodings.ts";
import { unpackedPage } from "./page-packing.ts";
import { ThriftDamage, ThriftReader } from "./thrift-struct.ts";

const bytes = (...all: number[]): Uint8Array => Uint8Array.from(all);

test("runs and packed bits of the format's own description", () => {
  // 0 to 7 in three bits, the example of Encodings.md, then five times 4.
  expect([...hybridValues(bytes(0x03, 0x88, 0xc6, 0xfa, 0x0a, 0x04), 3, 13)]).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 4, 4, 4, 4, 4,
  ]);
});

test("a run that tells of 2^60 values fills no more than are wanted", () => {
  expect([...hybridValues(bytes(0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f, 1), 1, 3)]).toEqual([1, 1, 1]);
});

test("differences of the format's own description: 7, 5, 3, 1, 2, 3, 4, 5", () => {
  // Blocks of 128 in 4 parts, 8 values from 7 on; the least difference is -2, all of a part have two bits.
  const packed = bytes(0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0, 0, 0);
  expect([...deltaNumbers(packed, 8).values].map(Number)).toEqual([7, 5, 3, 1, 2, 3, 4, 5]);
});

test("differences of 64 bits go around", () => {
  const head = [8, 1, 2, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
  expect(() => deltaNumbers(bytes(...head, 2, 0), 3)).not.toThrow();
  expect([...deltaNumbers(bytes(...head, 2, 0), 2).values]).toEqual([2n ** 63n - 1n, -(2n ** 63n)]);
});

test("texts that share their beginnings may not grow without end", () => {
  // Each text begins with all of the one before and adds a byte: lengths shared 0, 1, 2, …
  const grow = (count: number): Uint8Array => {
    const shared = [0x80, 1, 1, count & 127, 0, 2, 0];
    const rest = [0x80, 1, 1, count & 127, 2, 0, 0];
    return bytes(...shared, ...rest, ...Array.from({ length: count }, () => 65));
  };
  expect(deltaPrefixed(grow(4), 4).map((text) => new TextDecoder().decode(text))).toEqual(["A", "AA", "AAA", "AAAA"]);
});

test("nothing is read beyond the end", () => {
  for (const work of [
    () => hybridValues(bytes(3), 3, 8),
    () => hybridValues(bytes(), 1, 1),
    () => hybridValues(bytes(2), 33, 1),
    () => deltaNumbers(bytes(128, 1, 0, 8, 14), 8),
    () => deltaNumbers(bytes(128, 1, 4, 8, 14, 3, 255), 8),
    () => plainValues(bytes(9, 0, 0, 0, 65), "bytes", 1, 0),
    () => plainValues(bytes(1, 2, 3), "int32", 1, 0),
    () => unpackedPage(bytes(5, 0xfe, 0xff, 0xff), 1, 5),
    () => unpackedPage(bytes(0xf0, 255, 255), 7, 5),
    () => unpackedPage(bytes(1, 2, 3), 2, 5),
    () => unpackedPage(bytes(1, 2, 3), 6, 5),
    () => unpackedPage(bytes(1, 2, 3), 3, 5),
  ])
    expect(work).toThrow(ParquetDamage);
});

test("a copy that overlaps itself repeats", () => {
  // Snappy: a literal of one byte, a copy of four bytes from one back.
  expect([...unpackedPage(bytes(5, 0, 65, 0x01, 1), 1, 5)]).toEqual([65, 65, 65, 65, 65]);
  // LZ4: the same.
  expect([...unpackedPage(bytes(0x10, 65, 1, 0), 7, 5)]).toEqual([65, 65, 65, 65, 65]);
});

test("any bytes as a struct are one, or are refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (any) => {
      try {
        new ThriftReader(any, 0, any.length).struct();
      } catch (error) {
        expect(error).toBeInstanceOf(ThriftDamage);
      }
    }),
  );
  expect(() => new ThriftReader(new Uint8Array(1 << 16).fill(0x1c), 0, 1 << 16).struct()).toThrow("nested too deep");
  expect(() => new ThriftReader(new Uint8Array(1 << 16).fill(0xff), 0, 1 << 16).struct()).toThrow(ThriftDamage);
  expect(() => new ThriftReader(bytes(0x19, 0xfc, 0xff, 0xff, 0xff, 0x7f), 0, 6).struct()).toThrow(
    "longer than what is left",
  );
});
