import fc from "fast-check";
import { expect, it } from "vitest";
import { crc32 } from "./crc32.ts";

/** Bit by bit. */
function slow(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

it("gives the check value of the CRC catalogue", () => {
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
});

it("agrees with the definition, at once and in two parts", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (bytes, cut) => {
      expect(crc32(bytes)).toBe(slow(bytes));
      expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(slow(bytes));
    }),
  );
});
