import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Digest } from "../../core/versions/digest.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { checkIndexSum, encodeIndexSum } from "./index-checksum.ts";
import { sha1 } from "./object.ts";
import { compareEntries, decodeIndex, encodeIndex, isIndex, type IndexEntry } from "./version-index.ts";

const hex = (digits: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: digits, maxLength: digits });
const word = fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => !/[\s\0]/.test(text));
const anyEntry: fc.Arbitrary<IndexEntry> = fc.record({
  name: word,
  time: fc.nat(0xffff_ffff),
  digest: hex(40).map((text) => text as Digest),
  type: word,
  cmd: fc.string({ unit: "grapheme" }),
  workload: word,
  collector: word,
  postprocessors: fc.array(
    word.filter((text) => text !== ""),
    { maxLength: 3 },
  ),
});

const entry = (name: string, number: number): IndexEntry => ({
  name,
  time: 1_700_000_000 + number,
  digest: number.toString(16).padStart(40, "0") as Digest,
  type: "time",
  cmd: "./a",
  workload: "w",
  collector: "time",
  postprocessors: number % 2 ? ["filter", "regression"] : [],
});
const entries = Array.from({ length: 22 }, (_, i) => entry(`run-${String(i).padStart(2, "0")}.perf`, i));

/** Uses little effort, which does not affect whether damage is detected. */
function reasonOf(bytes: Uint8Array): string | null {
  try {
    decodeIndex(bytes, 10_000);
    return null;
  } catch (error) {
    if (!isFailure(error, "index-damaged")) throw error;
    return String(error.data.reason);
  }
}

test("entries round-trip sorted by name and time", () => {
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 8 }), fc.boolean(), (list, trailer) => {
      const bytes = encodeIndex(list, { trailer });
      const decoded = decodeIndex(bytes);
      expect(decoded).toEqual({
        formatVersion: 2,
        entries: list.toSorted(compareEntries),
        trailer: trailer ? "valid" : "absent",
      });
      if (decoded.formatVersion === 2) expect(encodeIndex(decoded.entries, { trailer })).toEqual(bytes);
    }),
  );
});

test("names are sorted as Python sorts them, by code point", () => {
  const names = ["b", "a", "é", "\u{1f600}", "\uffff", "a.perf", "Z"];
  const decoded = decodeIndex(encodeIndex(names.map(entry), { trailer: true }));
  expect(decoded.entries.map(({ name }) => name)).toEqual(["Z", "a", "a.perf", "b", "é", "\uffff", "\u{1f600}"]);
});

test("the bytes of one entry", () => {
  const bytes = encodeIndex([{ ...entry("é.perf", 1), digest: "0123456789abcdef0123456789abcdef01234567" as Digest }], {
    trailer: false,
  });
  const digest = [
    0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45,
    0x67,
  ];
  const text = (value: string) => [value.length, 0, 0, 0, ...Array.from(value, (letter) => letter.charCodeAt(0))];
  const header = [0x70, 0x69, 0x64, 0x78, 2, 0, 0, 0, 1, 0, 0, 0];
  const time = [0x01, 0xf1, 0x53, 0x65];
  const name = [0xc3, 0xa9, 0x2e, 0x70, 0x65, 0x72, 0x66, 0];
  const texts = ["time", "./a", "w", "time", "filter regression"].flatMap(text);
  expect(Array.from(bytes)).toEqual([...header, ...time, ...digest, ...name, ...texts]);
});

test("version 1 knows name, time and object, with or without a checksum", () => {
  const plain = Uint8Array.from([
    0x70,
    0x69,
    0x64,
    0x78,
    1,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    5,
    0,
    0,
    0,
    ...Array.from({ length: 20 }, () => 0xab),
    0x61,
    0,
  ]);
  const known = { name: "a", time: 5, digest: "ab".repeat(20) };
  expect(decodeIndex(plain)).toEqual({ formatVersion: 1, entries: [known], trailer: "absent" });
  expect(decodeIndex(Uint8Array.from([...plain, ...sha1(plain)]))).toEqual({
    formatVersion: 1,
    entries: [known],
    trailer: "valid",
  });
  expect(isIndex(plain)).toBe(true);
  expect(isIndex(plain.slice(1))).toBe(false);
});

describe("damage", () => {
  const whole = encodeIndex(entries, { trailer: true });

  test("every flipped bit of an index with a checksum is detected", () => {
    const changed = whole.slice();
    for (let bit = 0; bit < whole.length * 8; bit++) {
      changed[bit >> 3]! ^= 1 << (bit & 7);
      if (reasonOf(changed) === null) throw new Error(`bit ${bit} of ${whole.length * 8} may flip unnoticed`);
      changed[bit >> 3]! ^= 1 << (bit & 7);
    }
  });

  test("trailing data and every truncation except the removal of the checksum are detected", () => {
    for (let length = 0; length < whole.length; length++) {
      expect([length, reasonOf(whole.slice(0, length)) === null]).toEqual([length, length === whole.length - 20]);
    }
    expect(reasonOf(Uint8Array.from([...whole, 0]))).toBe("21 bytes follow its last entry");
  });

  test("counts and lengths beyond the file allocate no memory", () => {
    const plain = encodeIndex(entries.slice(0, 1), { trailer: false });
    const withNumber = (at: number, value: number) => {
      const changed = plain.slice();
      new DataView(changed.buffer).setUint32(at, value, true);
      return changed;
    };
    expect(reasonOf(withNumber(8, 0xffff_ffff))).toBe("it cannot hold the 4294967295 entries that it counts");
    expect(reasonOf(withNumber(12 + 24 + entries[0]!.name.length + 1, 0x7fff_ffff))).toContain(
      "it ends inside an entry",
    );
    expect(reasonOf(withNumber(4, 0x0200_0000))).toBe("its format version 33554432 is unknown");
  });

  test("a newer format version is unknown, unless the checksum says that a known one was altered", () => {
    const newer = (from: Uint8Array): Uint8Array => {
      const changed = from.slice();
      changed[4] = 3;
      return changed;
    };
    expect(() => decodeIndex(newer(encodeIndex(entries, { trailer: false })))).toThrow(
      expect.objectContaining({ code: "index-unknown" }),
    );
    expect(() => decodeIndex(newer(whole))).toThrow(expect.objectContaining({ code: "index-damaged" }));
  });

  test("any bytes are read or fail with index-damaged, or index-unknown of another version", () => {
    const numbers = fc.record({ at: fc.nat(whole.length - 1), value: fc.uint8Array({ minLength: 1, maxLength: 8 }) });
    fc.assert(
      fc.property(numbers, fc.boolean(), ({ at, value }, resign) => {
        const changed = whole.slice(0, -20);
        const offset = Math.min(at, changed.length - value.length);
        changed.set(value, offset);
        const bytes = resign ? Uint8Array.from([...changed, ...sha1(changed)]) : changed;
        const isOther = ![1, 2].includes(new DataView(bytes.buffer).getUint32(4, true));
        try {
          reasonOf(bytes);
        } catch (error) {
          if (!isOther || !isFailure(error, "index-unknown")) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("entries that Perun inserts before an unknown checksum", () => {
  /** An index after Perun's insertion: sorted, counted, with the old checksum at the end. */
  function inserted(ours: readonly IndexEntry[], theirs: readonly IndexEntry[]): Uint8Array {
    const old = encodeIndex(ours, { trailer: true }).slice(-20);
    return Uint8Array.from([...encodeIndex([...ours, ...theirs], { trailer: false }), ...old]);
  }

  test.each([[["run-05a.perf"]], [["aaa.perf"]], [["a", "b"]], [["run-00a", "run-10a", "run-20a"]]])("%j", (names) => {
    const decoded = decodeIndex(
      inserted(
        entries,
        names.map((name, i) => entry(name, 100 + i)),
      ),
    );
    expect(decoded.trailer).toBe("stale");
    expect(decoded.entries).toHaveLength(entries.length + names.length);
  });

  test("a flipped bit in any original entry is detected", () => {
    const bytes = inserted(entries.slice(0, 4), [entry("aaa.perf", 1)]);
    const ownStart = 12 + (encodeIndex([entry("aaa.perf", 1)], { trailer: false }).length - 12);
    for (let bit = ownStart * 8; bit < bytes.length * 8; bit++) {
      const changed = bytes.slice();
      changed[bit >> 3]! ^= 1 << (bit & 7);
      if (reasonOf(changed) === null) throw new Error(`bit ${bit} may flip unnoticed`);
    }
  });
});

describe("the checksum file of an index", () => {
  const index = encodeIndex(entries, { trailer: false });
  const sum = encodeIndexSum(index);
  const without = (...names: string[]) =>
    encodeIndex(
      entries.filter(({ name }) => !names.includes(name)),
      { trailer: false },
    );

  test("begins with the SHA-1 of the index", () => {
    expect(new TextDecoder().decode(sum).slice(0, 41)).toMatch(/^[0-9a-f]{40}\n$/);
    expect(checkIndexSum(sum, index)).toBe("valid");
  });

  test("is stale when entries were added or removed", () => {
    expect(checkIndexSum(sum, encodeIndex([...entries, entry("new.perf", 50)], { trailer: false }))).toBe("stale");
    expect(checkIndexSum(sum, without("run-03.perf"))).toBe("stale");
    expect(
      checkIndexSum(
        encodeIndexSum(without("run-03.perf")),
        encodeIndex([...entries.slice(4), entry("new", 50)], { trailer: false }),
      ),
    ).toBe("stale");
  });

  test("detects every flipped bit of the index", () => {
    const small = encodeIndex(entries.slice(0, 5), { trailer: false });
    const sums = encodeIndexSum(small);
    for (let bit = 0; bit < small.length * 8; bit++) {
      const changed = small.slice();
      changed[bit >> 3]! ^= 1 << (bit & 7);
      if (checkIndexSum(sums, changed) !== "damaged") throw new Error(`bit ${bit} may flip unnoticed`);
    }
  });

  test("is damaged when it cannot be read", () => {
    const other = without("run-03.perf");
    expect(checkIndexSum(new Uint8Array(), other)).toBe("damaged");
    expect(checkIndexSum(sum.slice(0, 100), other)).toBe("damaged");
  });
});
