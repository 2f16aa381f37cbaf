import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byFunction, heapReportContract, pieces } from "../../../../test/contracts/heap-report.ts";
import type { HeapReport } from "./heap-report.ts";
import { readHeaptrack, LiveHeap } from "./heaptrack.ts";

const sample = "test/samples/heap-profilers/heaptrack.txt";
const text = readFileSync(sample, "utf8");
const read = (changed: string): Promise<HeapReport> => readHeaptrack(pieces(new TextEncoder().encode(changed)), "f");

describe("heaptrack", () => {
  heapReportContract(readHeaptrack, sample);

  test("each location has its allocations, and its amounts at the peak and at the end", async () => {
    const report = await read(text);
    expect(report).toMatchObject({ tool: "heaptrack", cmd: "./heap" });
    expect(byFunction(report, "amount")).toEqual({
      "push:7": 32_000,
      "main:19": 1000,
      "twice:13": 2000,
      "main:22": 3000,
    });
    expect(byFunction(report, "blocks")).toEqual({ "push:7": 1000, "main:19": 1, "twice:13": 1, "main:22": 10 });
    expect(byFunction(report, "temporary")).toEqual({ "push:7": 0, "main:19": 1, "twice:13": 0, "main:22": 10 });
    expect(byFunction(report, "at-peak")).toEqual({ "push:7": 32_000, "main:19": 0, "twice:13": 2000, "main:22": 300 });
    expect(byFunction(report, "at-end")).toEqual({ "push:7": 3200, "main:19": 0, "twice:13": 0, "main:22": 0 });
    expect(report.params.get("peak")).toMatchObject({ text: String(34_300 + 72_704) });
  });

  test("reads inlined frames, hides sources of system libraries, and accepts strings without length", async () => {
    const strings = ["/bin/a", "inner", "a.c", "outer", "/lib/libc.so.6", "start"]
      .map((word) => `s ${word}\n`)
      .join("");
    const { sites } = await read(
      `v 10200 2\nX ./a b\n${strings}i ff 1 2 3 7 4 3 9\ni fe 5 6 3 1\nt 2 0\nt 1 1\na 10 2\n+ 0\n`,
    );
    expect([...sites][0]?.frames).toEqual([
      { function: "inner", source: "a.c", line: 7 },
      { function: "outer", source: "a.c", line: 9 },
      { function: "start", source: "unreachable", line: 0 },
    ]);
  });

  test.each([
    ["another version", text.replace("v 10400 3", "v 10400 4")],
    ["raw data", text.replace("\nt 1 0", "\nx /bin/a\nt 1 0")],
    ["an undefined caller", text.replace("\nt 1 0", "\nt 1 99")],
    ["a trace that calls itself", text.replace("\nt 1 0", "\nt 1 1")],
    ["an event of an undefined kind", text.replace("\n+ 0", "\n+ ffffffffffffffff")],
    ["an event without a kind", text.replace("\n+ 0", "\n+")],
    ["an invalid number", text.replace("\na 20 9", "\na 2O 9")],
    ["an undefined string", text.replace(/\ni (\S+) 8 0 b 0/, "\ni $1 8 fff b 0")],
  ])("refuses %s", async (_, changed) => {
    expect(changed).not.toBe(text);
    await expect(read(changed)).rejects.toThrow(expect.objectContaining({ code: "heap-report-damaged" }));
  });
});

test("amounts at the peak equal those of a full scan after each event", () => {
  const sizes = [1, 2, 3];
  const events = fc.array(fc.record({ kind: fc.nat(2), isNew: fc.boolean() }), { maxLength: 60 });
  fc.assert(
    fc.property(events, (all) => {
      const heap = new LiveHeap();
      for (const size of sizes) heap.add(size);
      const live = [0, 0, 0];
      let [peak, atPeak] = [0, [0, 0, 0]];
      for (const { kind, isNew } of all) {
        if (isNew) heap.allocate(kind);
        else heap.release(kind);
        live[kind] = Math.max(0, live[kind]! + (isNew ? 1 : -1));
        const bytes = live.reduce((sum, blocks, at) => sum + blocks * sizes[at]!, 0);
        if (bytes > peak) [peak, atPeak] = [bytes, [...live]];
      }
      expect(heap.peak).toBe(peak);
      expect(sizes.map((size, kind) => heap.amountsOf(kind).get("at-peak")! / size)).toEqual(atPeak);
      expect(sizes.map((size, kind) => heap.amountsOf(kind).get("at-end")! / size)).toEqual(live);
    }),
  );
});
