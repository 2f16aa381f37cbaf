import fc from "fast-check";
import { expect, test } from "vitest";
import { GitPackIndex, packedBlob } from "./git-pack-index.ts";

/** A version 2 index from offsets by id (40 hex digits). */
function indexOf(entries: Readonly<Record<string, number>>): Uint8Array {
  const names = Object.keys(entries).sort();
  const large = names.filter((name) => entries[name]! >= 2 ** 31);
  const bytes = new Uint8Array(8 + 1024 + names.length * 28 + large.length * 8 + 40);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0xff744f63);
  view.setUint32(4, 2);
  for (let first = 0; first < 256; first++)
    view.setUint32(8 + first * 4, names.filter((name) => Number.parseInt(name.slice(0, 2), 16) <= first).length);
  for (const [at, name] of names.entries()) {
    for (let i = 0; i < 20; i++) bytes[1032 + at * 20 + i] = Number.parseInt(name.slice(2 * i, 2 * i + 2), 16);
    const offset = entries[name]!;
    const far = large.indexOf(name);
    view.setUint32(1032 + names.length * 24 + at * 4, far < 0 ? offset : 2 ** 31 + far);
    if (far >= 0) view.setBigUint64(1032 + names.length * 28 + far * 8, BigInt(offset));
  }
  return bytes;
}

const name = (start: string): string => start.padEnd(40, "0");
const sample = { [name("00")]: 12, [name("00ff")]: 300, [name("7a")]: 100, [name("ff")]: 2 ** 33 };

test("an entry ends where the next one begins", () => {
  const index = GitPackIndex.read(indexOf(sample), 2 ** 33 + 120)!;
  expect(index.locate(name("00"))).toEqual({ begin: 12, end: 100 });
  expect(index.locate(name("7a"))).toEqual({ begin: 100, end: 300 });
  expect(index.locate(name("00ff"))).toEqual({ begin: 300, end: 2 ** 33 });
  expect(index.locate(name("ff"))).toEqual({ begin: 2 ** 33, end: 2 ** 33 + 100 });
  expect(index.locate(name("7b"))).toBeNull();
});

test("anything else is not an index", () => {
  const bytes = indexOf(sample);
  expect(GitPackIndex.read(new Uint8Array(0), 100)).toBeNull();
  expect(GitPackIndex.read(bytes.subarray(1), 100)).toBeNull();
  expect(GitPackIndex.read(bytes.subarray(0, bytes.length - 1), 100)).toBeNull();
  expect(GitPackIndex.read(bytes.with(7, 1), 100)).toBeNull();
});

test("entries beyond the pack are not located", () => {
  const index = GitPackIndex.read(indexOf({ ...sample, [name("80")]: 5000 }), 1000)!;
  expect(index.locate(name("80"))).toBeNull();
  expect(index.locate(name("ff"))).toBeNull();
  expect(index.locate(name("00ff"))).toEqual({ begin: 300, end: 980 });
});

test("ranges lie in the pack for any index", () => {
  const flips = fc.array(fc.tuple(fc.nat(indexOf(sample).length - 1), fc.nat(255)), { maxLength: 20 });
  fc.assert(
    fc.property(flips, (changes) => {
      const bytes = indexOf(sample);
      for (const [at, byte] of changes) bytes[at] = byte;
      const index = GitPackIndex.read(bytes, 1000);
      for (const each of [...Object.keys(sample), name("12")]) {
        const range = index?.locate(each) ?? null;
        if (range !== null) expect(0 <= range.begin && range.begin < range.end && range.end <= 980).toBe(true);
      }
    }),
  );
});

test("an entry has the size of a blob and the offset of its stream", () => {
  expect(packedBlob(Uint8Array.of(0x35, 0x78))).toEqual({ size: 5, stream: 1 });
  expect(packedBlob(Uint8Array.of(0xb5, 0x82, 0x01, 0x78))).toEqual({ size: 5 + 2 * 16 + 2048, stream: 3 });
  expect(packedBlob(Uint8Array.of(0x65, 0x01))).toBeNull();
  expect(packedBlob(Uint8Array.of(0xb5, 0x82))).toBeNull();
  expect(packedBlob(new Uint8Array(12).fill(0xbf))).toBeNull();
  expect(packedBlob(new Uint8Array(0))).toBeNull();
});
