import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  arbitrarySamples,
  plainSamples,
  profileOfSamples,
  type PlainSample,
} from "../../../../test/contracts/arbitrary-stacks.ts";
import type { StackFrame, StackProfile } from "../../../core/profiles/stack-profile.ts";
import { foldedText } from "../folded.ts";
import { printPprof } from "./pprof-print.ts";
import { isPprof, readPprof } from "./pprof.ts";
import { ProtobufWriter } from "../../bytes/protobuf.ts";

const sample = (name: string): Uint8Array => new Uint8Array(gunzipSync(readFileSync(`test/samples/profiles/${name}`)));
const totalOf = ({ samples }: StackProfile, type: number): number =>
  Array.from({ length: samples.length }, (_, row) => samples.valueOf(row, type)).reduce((a, b) => a + b, 0);

describe("profiles of Go", () => {
  test("CPU time with labels, modules and inlined calls", () => {
    const profile = readPprof(sample("go-cpu.pb.gz"), "f");
    expect(profile).toMatchObject({
      main: 1,
      types: [
        { name: "samples", unit: "count" },
        { name: "cpu", unit: "nanoseconds" },
      ],
    });
    expect([totalOf(profile, 0), totalOf(profile, 1), profile.facts.period]).toEqual([
      3,
      30_000_000,
      { type: { name: "cpu", unit: "nanoseconds" }, value: 10_000_000 },
    ]);
    expect(profile.samples.labelsOf(0)).toEqual(
      new Map([
        ["job", ["planted"]],
        ["part", ["one"]],
      ]),
    );
    const grow = profile.stacks.frames.find((frame) => frame.function === "strings.(*Builder).Grow");
    expect(grow).toMatchObject({ inlined: true, line: 82, source: "strings/builder.go", address: 0x48225dn });
    expect(profile.stacks.frames.find((frame) => frame.function === "strings.Repeat")?.inlined).toBeUndefined();
    expect(profile.facts.modules?.[0]?.path).toMatch(/planted-go$/);
  });

  test("the heap has all types, and the last is the main one", () => {
    const profile = readPprof(sample("go-heap.pb.gz"), "f");
    expect([profile.main, profile.types.map(({ name }) => name)]).toEqual([
      3,
      ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"],
    ]);
    expect([...foldedText(profile, 3)].join("")).toContain(
      "runtime.main;main.main;runtime/pprof.StartCPUProfile 1805247\n",
    );
  });

  test.each(["go-cpu.pb.gz", "go-heap.pb.gz"])("%s survives a round trip", (name) => {
    const profile = readPprof(sample(name), "f");
    const again = readPprof(printPprof(profile), "f");
    expect(plainSamples(again)).toEqual(plainSamples(profile));
    expect({ ...again, stacks: 0, samples: 0 }).toEqual({ ...profile, stacks: 0, samples: 0 });
  });

  test("truncated files are refused unless the cut is after a field", () => {
    const bytes = sample("go-heap.pb.gz");
    for (let end = 1; end < bytes.length; end++)
      expect(() => readPprof(bytes.subarray(0, end), "f"), String(end)).toThrow(
        /f: invalid or incomplete pprof profile/,
      );
  });
});

describe("round trip", () => {
  const text = fc.oneof(fc.constantFrom("a", "b", ""), fc.string({ maxLength: 8 }));
  const module = fc.constantFrom(
    { path: "/bin/a", start: 0x1000n, limit: 0x2000n, offset: 0n },
    { path: "/lib/b", buildId: "cafe", start: 2n ** 63n, limit: 2n ** 64n - 1n, offset: 64n },
  );
  const frame: fc.Arbitrary<StackFrame> = fc
    .record({
      function: fc.string({ minLength: 1, maxLength: 8 }),
      systemName: text,
      source: text,
      line: fc.nat(9),
      column: fc.nat(3),
      startLine: fc.nat(3),
      address: fc.bigInt(0n, 2n ** 64n - 1n),
      module,
    })
    .map(({ systemName, source, line, column, startLine, address, ...rest }) => ({
      ...rest,
      ...(systemName === "" || systemName === rest.function ? {} : { systemName }),
      ...(source === "" ? {} : { source }),
      ...(line === 0 ? {} : { line }),
      ...(column === 0 ? {} : { column }),
      ...(startLine === 0 ? {} : { startLine }),
      ...(address === 0n ? {} : { address }),
    }));
  const unnamed = fc.record({ function: fc.constant(""), address: fc.bigInt(1n, 2n ** 64n - 1n), module });
  const label = fc.oneof(
    fc.string({ minLength: 1, maxLength: 5 }),
    fc.record({ value: fc.maxSafeInteger(), unit: fc.constantFrom("", "bytes") }),
  );
  const labels = fc.uniqueArray(
    fc.tuple(fc.string({ minLength: 1, maxLength: 4 }), fc.array(label, { minLength: 1, maxLength: 2 })),
    {
      selector: ([key]) => key,
      maxLength: 2,
    },
  );
  const values = fc.oneof(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -(2 ** 50), max: 2 ** 45 }));

  test("pprof is lossless for supported values", () => {
    fc.assert(
      fc.property(
        arbitrarySamples(fc.oneof(frame, unnamed), values, 2, labels),
        fc.nat(1),
        (samples: PlainSample[], main) => {
          const profile = profileOfSamples(
            samples,
            [
              { name: "x", unit: "count" },
              { name: "y", unit: "bytes" },
            ],
            main,
          );
          const again = readPprof(printPprof(profile), "f");
          expect(plainSamples(again)).toEqual(plainSamples(profile));
          expect([again.types, again.main]).toEqual([profile.types, main]);
          expect(printPprof(again)).toEqual(printPprof(readPprof(printPprof(again), "f")));
        },
      ),
    );
  });

  test("inlined calls share the location of their caller", () => {
    const calls = [
      { function: "main" },
      { function: "outer", address: 5n },
      { function: "inner", inlined: true, address: 5n },
    ];
    const profile = profileOfSamples([{ calls, values: [1], labels: [] }], [{ name: "x", unit: "count" }]);
    expect(plainSamples(readPprof(printPprof(profile), "f"))).toEqual(plainSamples(profile));
  });

  test("times with fractions become nanoseconds", () => {
    const profile = profileOfSamples(
      [{ calls: [{ function: "a" }], values: [0.25], labels: [] }],
      [{ name: "t", unit: "seconds" }],
    );
    const again = readPprof(printPprof(profile), "f");
    expect([again.types, again.samples.valueOf(0, 0)]).toEqual([[{ name: "t", unit: "nanoseconds" }], 250_000_000]);
  });
});

describe("hostile bytes", () => {
  test("any bytes are read or refused", () => {
    const bytes = sample("go-cpu.pb.gz");
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.uint8Array({ maxLength: 6 }), fc.nat(6), (at, put, cut) => {
        const changed = Uint8Array.from([...bytes.slice(0, at), ...put, ...bytes.slice(at + cut)]);
        try {
          readPprof(changed, "f");
        } catch (error) {
          expect(error).toMatchObject({ code: "bad-stack-profile" });
        }
      }),
      { numRuns: 500 },
    );
  });

  test("text is not detected", () => {
    for (const text of ["\n a;b 1\nmain;b 2\n", "{}", "heap profile: 1: 2", "", "xxxx", "* list\n* list\n"])
      expect(isPprof(new TextEncoder().encode(text)), text).toBe(false);
    expect([isPprof(sample("go-cpu.pb.gz")), isPprof(sample("go-heap.pb.gz").subarray(0, 700))]).toEqual([true, true]);
  });

  test("a sample of the wrong number of values is refused", () => {
    const writer = new ProtobufWriter();
    writer.message(1, new ProtobufWriter().written());
    writer.text(6, "");
    const values = new ProtobufWriter();
    values.ints(2, [1, 2]);
    writer.message(2, values.written());
    expect(() => readPprof(writer.written(), "f")).toThrow(/a sample has 2 values for 1 types/);
  });
});
