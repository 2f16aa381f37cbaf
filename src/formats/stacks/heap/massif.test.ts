import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { byFunction, heapReportContract, pieces } from "../../../../test/contracts/heap-report.ts";
import type { HeapReport } from "./heap-report.ts";
import { readMassif } from "./massif.ts";

const sample = "test/samples/heap-profilers/massif.out";
const text = readFileSync(sample, "utf8");
const read = (changed: string): Promise<HeapReport> => readMassif(pieces(new TextEncoder().encode(changed)), "f");

describe("massif", () => {
  heapReportContract(readMassif, sample);

  test("each snapshot has a total, and locations if it has a tree", async () => {
    const report = await read(text);
    expect(report).toMatchObject({ tool: "massif", cmd: "./heap" });
    expect(Object.fromEntries(report.params)).toMatchObject({ time_unit: "i", peak: { text: "5" } });
    expect(byFunction(report, "amount", 4)).toEqual({ "heap:0": 31_328 });
    expect(byFunction(report, "amount", 5)).toEqual({ "heap:0": 34_300, "push:7": 32_000, "twice:13": 2000 });
    expect(byFunction(report, "extra", 5)).toMatchObject({ "heap:0": 8020 });
    expect([...report.sites].filter((site) => site.subtype === "total")).toHaveLength(8);
  });

  test("traces start with the innermost frame; amounts below the threshold have no location", async () => {
    const { sites } = await read(text);
    const traces = [...sites]
      .filter((site) => site.snapshot?.number === 5)
      .map((site) => site.frames.map((frame) => `${frame.function}:${frame.line}`));
    expect(traces).toEqual([["heap:0"], ["push:7", "main:18"], ["twice:13", "main:20"], []]);
  });

  test.each([
    ["a child too few", text.replace("  n0: 32000 0x1091F1: main (heap.c:18)\n", "")],
    ["a child too many", text.replace("n1: 10592 (heap", "n2: 10592 (heap")],
    ["a tree that jumps", text.replace("  n0: 32000", "   n0: 32000")],
    ["an invalid number", text.replace("mem_heap_B=34300", "mem_heap_B=0x34300")],
    ["a truncated file", text.slice(0, text.indexOf("mem_heap_B=12704"))],
    ["a field of another program", text.replace("time=201775", "color=red")],
  ])("refuses %s", async (_, changed) => {
    await expect(read(changed)).rejects.toThrow(expect.objectContaining({ code: "heap-report-damaged" }));
  });
});
