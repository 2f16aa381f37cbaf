import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Digest } from "../../core/versions/digest.ts";
import {
  PackError,
  PackReader,
  compressGroup,
  decompressGroup,
  encodePackHeader,
  encodePackTable,
  sliceOfGroup,
  type PackGroup,
  type PackedEntry,
} from "./pack.ts";

const sha1 = (bytes: Uint8Array): string => createHash("sha1").update(bytes).digest("hex");

/** A pack of these objects, `perGroup` to a group. */
async function packOf(objects: readonly Uint8Array[], perGroup: number): Promise<Buffer> {
  const byDigest = new Map(objects.map((plain) => [sha1(plain) as Digest, plain]));
  const [pieces, groups, entries] = [[Buffer.from(encodePackHeader())], [] as PackGroup[], [] as PackedEntry[]];
  const all = [...byDigest];
  for (let first = 0, offset = 8; first < all.length; first += perGroup) {
    let start = 0;
    for (const [digest, plain] of all.slice(first, first + perGroup)) {
      entries.push({ digest, group: groups.length, start, length: plain.length });
      start += plain.length;
    }
    const packed = await compressGroup(Buffer.concat(all.slice(first, first + perGroup).map(([, plain]) => plain)));
    groups.push({ offset, packed: packed.length, plain: start });
    offset += packed.length;
    pieces.push(Buffer.from(packed));
  }
  entries.sort((a, b) => (a.digest < b.digest ? -1 : 1));
  return Buffer.concat([...pieces, encodePackTable(groups, entries)]);
}

function readerOf(pack: Uint8Array): PackReader {
  return new PackReader((offset, length) => pack.slice(offset, offset + length), pack.length);
}

/** The plain form of an object, read as `perfkeep` reads it. */
function read(reader: PackReader, digest: Digest): Uint8Array | null {
  const location = reader.find(digest);
  if (location === null) return null;
  const group = reader.group(location.group);
  return sliceOfGroup(decompressGroup(reader.packedBytes(group), group), location);
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

test("the layout is the documented one", async () => {
  const objects = [text("profile time 2\0{}"), text("profile time 3\0{ }")];
  const pack = await packOf(objects, 2);
  expect(pack.toString("latin1", 0, 4)).toBe("ppak");
  expect(pack.readUInt32LE(4)).toBe(1);
  const footer = pack.subarray(-64);
  expect([0, 4, 8, 12].map((at) => footer.readUInt32LE(at))).toEqual([1, 2, 0, 0]);
  const table = pack.subarray(Number(footer.readBigUInt64LE(16)), -64);
  expect(table).toHaveLength(16 + 8 + 2 * 32);
  expect(footer.toString("hex", 24, 44)).toBe(sha1(table));
  expect(footer.toString("hex", 44)).toBe(sha1(footer.subarray(0, 44)));
  expect([Number(table.readBigUInt64LE(0)), table.readUInt32LE(12)]).toEqual([8, 17 + 18]);
  expect(brotliDecompressSync(pack.subarray(8, 8 + table.readUInt32LE(8))).toString()).toBe(
    "profile time 2\0{}profile time 3\0{ }",
  );
  const entries = table.subarray(24);
  expect(table.readUInt32LE(16)).toBe(2);
  const range = Buffer.from([0, 0, 0, 0, 2, 0, 0, 0]);
  expect(table.toString("hex", 20, 24)).toBe(sha1(Buffer.concat([range, entries])).slice(0, 8));
  expect([entries.toString("hex", 0, 20), entries.toString("hex", 32, 52)]).toEqual(objects.map(sha1).toSorted());
  const second = objects.map(sha1).toSorted().indexOf(sha1(objects[1]!)) * 32;
  expect([20, 24, 28].map((at) => entries.readUInt32LE(second + at))).toEqual([0, 17, 18]);
});

test("every object is found and no other, as in a map", async () => {
  const sample = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(sample, sample, fc.integer({ min: 1, max: 50 }), async (objects, others, perGroup) => {
      const reference = new Map(objects.map((plain) => [sha1(plain), Buffer.from(plain)]));
      const reader = readerOf(await packOf(objects, perGroup));
      for (const digest of [...objects, ...others].map(sha1)) {
        const found = read(reader, digest as Digest);
        expect(found === null ? undefined : Buffer.from(found)).toEqual(reference.get(digest));
      }
      expect([...reader.entries()].map(({ digest }) => digest).toSorted()).toEqual([...reference.keys()].toSorted());
    }),
    { numRuns: 40 },
  );
});

test("entries come in the order of their groups", async () => {
  const objects = Array.from({ length: 40 }, (_, i) => text(`object ${i}`));
  const entries = [...readerOf(await packOf(objects, 7)).entries()];
  expect(entries.map(({ digest }) => digest)).toEqual(objects.map(sha1));
});

test("a damaged byte or a cut is detected, or changes nothing that is read", async () => {
  const objects = Array.from({ length: 60 }, (_, i) => text(`profile time 10\0{"a": ${i}}`));
  const pack = await packOf(objects, 20);
  const attempt = (bytes: Uint8Array): void => {
    for (const plain of objects) {
      let found: Uint8Array | null;
      try {
        found = read(readerOf(bytes), sha1(plain) as Digest);
      } catch (error) {
        expect(error).toBeInstanceOf(PackError);
        continue;
      }
      // Every reader verifies the digest; that an object is missing must not follow from damage.
      expect(found).not.toBeNull();
    }
  };
  fc.assert(
    fc.property(fc.nat(pack.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Buffer.from(pack);
      damaged[at]! ^= change;
      attempt(damaged);
    }),
    { numRuns: 300 },
  );
  for (const length of [0, 7, 63, 64, pack.length - 1]) expect(() => readerOf(pack.subarray(0, length))).toThrow();
  expect(() => readerOf(Buffer.concat([pack, Buffer.of(0)]))).toThrow(PackError);
});

test("an end that promises more than the file has is refused", async () => {
  const pack = await packOf([text("a")], 1);
  const forged = (at: number, value: number): Buffer => {
    const bytes = Buffer.from(pack);
    const footer = bytes.subarray(-64);
    footer.writeUInt32LE(value, at);
    Buffer.from(sha1(footer.subarray(0, 44)), "hex").copy(footer, 44);
    return bytes;
  };
  for (const [at, value] of [
    [0, 2 ** 31],
    [4, 2 ** 32 - 1],
    [8, 31],
    [8, 2 ** 32 - 1],
    [20, 2 ** 31],
  ] as const)
    expect(() => readerOf(forged(at, value))).toThrow("its size does not fit its end");
});

test("a group that unpacks to more than it declares is refused", async () => {
  const packed = await compressGroup(new Uint8Array(1 << 20));
  const group = { offset: 8, packed: packed.length, plain: 100 };
  expect(() => decompressGroup(packed, group)).toThrow(PackError);
  expect(() => decompressGroup(packed, { ...group, plain: 1 << 21 })).toThrow(PackError);
});
