import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Digest } from "../../core/versions/digest.ts";
import { DigestTable } from "./digest-table.ts";

const digestOf = (number: number): Digest => createHash("sha1").update(String(number)).digest("hex") as Digest;

test("it keeps values like a map, also while it grows", () => {
  const operation = fc.tuple(fc.nat(3000), fc.nat(254));
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 4000, size: "max" }), (operations) => {
      const [table, map] = [new DigestTable(), new Map<Digest, number>()];
      for (const [number, value] of operations) {
        table.set(digestOf(number), value);
        map.set(digestOf(number), value);
      }
      expect(table.size).toBe(map.size);
      for (let number = 0; number < 3100; number++) expect(table.get(digestOf(number))).toBe(map.get(digestOf(number)));
    }),
    { numRuns: 5 },
  );
});

test("digests with the same first bytes are different", () => {
  const table = new DigestTable();
  const digests = ["0", "1", "f"].map((end) => `${"ab".repeat(19)}a${end}` as Digest);
  for (const [value, digest] of digests.entries()) table.set(digest, value);
  expect(digests.map((digest) => table.get(digest))).toEqual([0, 1, 2]);
  expect(table.get(`${"ab".repeat(19)}a2` as Digest)).toBeUndefined();
});
