import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StackProfile } from "../../../core/profiles/stack-profile.ts";
import { foldedText } from "../folded.ts";
import { readPprofLegacy } from "./pprof-legacy.ts";
import { isPprofLegacy } from "./pprof-legacy-forms.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string): StackProfile => readPprofLegacy(bytesOf(text), "f");
const sample = (name: string): Uint8Array => new Uint8Array(readFileSync(`test/samples/profiles/${name}`));
const totals = ({ samples, types }: StackProfile): number[] =>
  types.map((_, type) =>
    Array.from({ length: samples.length }, (_, row) => samples.valueOf(row, type)).reduce((a, b) => a + b, 0),
  );

describe("heaps", () => {
  test("are extrapolated: an object of s bytes is sampled with probability 1-e^(-s/rate)", () => {
    const profile = read(
      "heap profile: 3: 3072 [5: 5120] @ heap/1048576\n2: 2048 [4: 4096] @ 0x10 0x20\n1: 1024 [1: 1024] @ 0x30\n",
    );
    expect(profile.types.map(({ name }) => name)).toEqual([
      "alloc_objects",
      "alloc_space",
      "inuse_objects",
      "inuse_space",
    ]);
    const scale = 1 / (1 - Math.exp(-1024 / 524288));
    expect(totals(profile)).toEqual([
      Math.trunc(4 * scale) + Math.trunc(scale),
      Math.trunc(4096 * scale) + Math.trunc(1024 * scale),
      Math.trunc(2 * scale) + Math.trunc(scale),
      Math.trunc(2048 * scale) + Math.trunc(1024 * scale),
    ]);
    expect(profile.samples.labelsOf(0)).toEqual(new Map([["bytes", [{ value: 1024, unit: "bytes" }]]]));
  });

  test("heapprofile and growth are not scaled, heap_v2 by its declared rate", () => {
    expect(totals(read("heap profile: 1: 100 [1: 100] @ heapprofile\n1: 100 [1: 100] @ 0x10\n"))).toEqual([1, 100]);
    expect(totals(read("heap profile: 1: 100 [2: 300] @ growthz\n1: 100 [2: 300] @ 0x10\n"))).toEqual([1, 100]);
    const scale = 1 / (1 - Math.exp(-100 / 1000));
    expect(totals(read("heap profile: 1: 100 [1: 100] @ heap_v2/1000\n1: 100 [1: 100] @ 0x10\n"))).toEqual([
      Math.trunc(scale),
      Math.trunc(100 * scale),
    ]);
  });

  test("Go's symbols are in comments, and addresses belong to modules of the memory map", () => {
    const profile = readPprofLegacy(sample("go-heap.txt"), "f");
    const text = [...foldedText(profile, 3)].join("");
    expect(text).toContain("runtime.main;main.main;main.keep 7328611\n");
    expect(totals(profile)[3]).toBe(10182730);
    const mapped = read(
      "heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x4010 0x9\n\nMAPPED_LIBRARIES:\n" +
        "00004000-00005000 r-xp 00001000 08:01 42  /bin/a\n00006000-00007000 rw-p 00001000 08:01 42 /bin/b\n",
    );
    expect(mapped.stacks.frames.map(({ module }) => module?.path)).toEqual([undefined, "/bin/a"]);
    expect(mapped.facts.modules).toHaveLength(1);
  });
});

describe("locks and threads", () => {
  test("waiting time is sampled and converted from cycles", () => {
    const profile = read(
      "--- contentionz 1 ---\ncycles/second = 2000000000\nsampling period = 10\nms since reset = 7\n" +
        "  300 2 @ 0x10 0x20\n 100 1 @ 0x30\n",
    );
    expect([profile.types, totals(profile)]).toEqual([
      [
        { name: "contentions", unit: "count" },
        { name: "delay", unit: "nanoseconds" },
      ],
      [30, 2000],
    ]);
  });

  test("Go's mutexes and goroutines", () => {
    expect(totals(readPprofLegacy(sample("go-mutex.txt"), "f"))[0]).toBeGreaterThan(0);
    const goroutines = readPprofLegacy(sample("go-goroutine.txt"), "f");
    expect([...foldedText(goroutines, 0)].join("")).toMatch(
      /;runtime\.main;main\.main;main\.save;runtime\/pprof\.\(\*Profile\)\.WriteTo;.* 1\n$/,
    );
  });

  test("threads with the same stack as the previous one are counted", () => {
    const text =
      "--- threadz 1 ---\n\n--- Thread 7f1 (name: main/1) stack: ---\n  PC: 0x10: helper(arg *)\n" +
      "  0x20: main\n--- Thread 7f2 (name: b/2) stack: ---\n [same as previous thread]\n" +
      "--- Thread 7f3 (name: c/3) stack: ---\n creator: 0x30 0x40\n--- Memory map: ---\n  0-ff: /bin/a\n";
    expect([...foldedText(read(text), 0)].join("")).toBe("0x40;0x30 1\nmain;helper(arg *) 2\n");
  });
});

describe("Java", () => {
  test("heaps have bytes first and symbols at the end", () => {
    const profile = read(
      "--- heapz 1 ---\nformat = java\nresolution = bytes\n  1048576000 1000 @ 0x1 0x2\n" +
        " 0x1 com.example.A.run (A.java:7)\n 0x2 GC\n",
    );
    expect([...foldedText(profile, 1)].join("")).toMatch(/^GC;com\.example\.A\.run \d+\n$/);
    expect(profile.stacks.frames).toContainEqual({
      function: "com.example.A.run",
      source: "A.java",
      line: 7,
      address: 1n,
    });
  });

  test("waiting time is sampled", () => {
    expect(
      totals(
        read(
          "--- contentionz 1 ---\nformat = java\nresolution = microseconds\nsampling period = 100\n" +
            "  7 3 @ 0x1\n 0x1 a.B.c (B.java:2)\n",
        ),
      ),
    ).toEqual([300, 700]);
  });
});

describe("binary CPU profiles", () => {
  const written = (size: 4 | 8, isLittle: boolean, words: readonly number[], text = ""): Uint8Array => {
    const bytes = new Uint8Array(size * words.length);
    const view = new DataView(bytes.buffer);
    words.forEach((word, at) =>
      size === 4 ? view.setUint32(at * 4, word, isLittle) : view.setBigUint64(at * 8, BigInt(word), isLittle),
    );
    return Uint8Array.from([...bytes, ...bytesOf(text)]);
  };
  const words = [0, 3, 0, 100, 0, 2, 2, 0x10, 0x20, 3, 1, 0x30, 0, 1, 0];

  test.each([
    [4, true],
    [4, false],
    [8, true],
    [8, false],
  ] as const)("words of %d bytes, low end first: %s", (size, isLittle) => {
    const profile = readPprofLegacy(written(size, isLittle, words, "build=x\n0-100: /bin/a\n"), "f");
    expect([totals(profile), profile.main, profile.facts.period?.value]).toEqual([[5, 500_000], 1, 100_000]);
    expect([...foldedText(profile, 1)].join("")).toBe("0x20;0x10 200000\n0x30 300000\n");
    expect(profile.stacks.frames[0]?.module?.path).toBe("/bin/a");
  });

  test("of Java have symbols", () => {
    const profile = readPprofLegacy(
      written(4, false, [0, 3, 1, 100, 0, 1, 2, 7, 8, 0, 1, 0], " 0x7 a.B.c (B.java:9)\n 0x8 VM\n"),
      "f",
    );
    expect([...foldedText(profile, 0)].join("")).toBe("VM;a.B.c 1\n");
  });

  test("without an end are refused", () => {
    expect(() => readPprofLegacy(written(8, true, words.slice(0, 12)), "f")).toThrow(
      /the end of its samples is missing/,
    );
    expect(() => readPprofLegacy(written(8, true, words.slice(0, 8)), "f")).toThrow(/unexpected end in a sample/);
  });
});

test("other texts are not detected", () => {
  for (const text of ["main;a 1\n", "{}", "profile: total 3", "a profile: total x", "events: Ir\n"])
    expect(isPprofLegacy(bytesOf(text)), text).toBe(false);
  expect(isPprofLegacy(sample("go-heap.txt"))).toBe(true);
  expect(() => read("main;a 1\n")).toThrow(/no stacks of/);
});

test("any text is read or refused", () => {
  const text = new TextDecoder().decode(sample("go-heap.txt").subarray(0, 3000));
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.string({ maxLength: 6 }), fc.nat(9), (at, put, cut) => {
      try {
        read(text.slice(0, at) + put + text.slice(at + cut));
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/bad-stack-profile|no-stacks/) });
      }
    }),
  );
});
