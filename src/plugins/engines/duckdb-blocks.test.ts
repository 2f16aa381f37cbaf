import fc from "fast-check";
import { expect, test } from "vitest";
import { isIntact } from "./duckdb-blocks.ts";

/** DuckDB's checksum, in whole numbers of 64 bits. */
function checksum(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer);
  let sum = 5381n;
  for (let at = 8; at < bytes.length; at += 8) sum ^= (view.getBigUint64(at, true) * 0xbf58476d1ce4e5b9n) % 2n ** 64n;
  return sum;
}

test("blocks agree with their checksum until one of their bits differs", () => {
  const words = fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(words, fc.nat(), (values, flipped) => {
      const bytes = new Uint8Array(new BigUint64Array([0n, ...values]).buffer);
      new DataView(bytes.buffer).setBigUint64(0, checksum(bytes), true);
      expect(isIntact(bytes)).toBe(true);
      const bit = flipped % (bytes.length * 8);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(isIntact(bytes)).toBe(false);
    }),
  );
});
