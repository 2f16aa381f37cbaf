import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heapRun, heapRunOf, type HeapCall } from "../../../test/contracts/heap-run.ts";
import { sampleRun, viewContract } from "../../../test/contracts/view.ts";
import type { ChartBlock, SurfaceBlock } from "../../core/figures/figure.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Value, Values } from "../../core/values/value.ts";
import { heapMap } from "./heap-map.ts";
import { heatMap } from "./heat-map.ts";

const options = (given: Readonly<Record<string, Value>>): Values => new Map(Object.entries(given));
const small = (rows?: number): Run => heapRun(Math.min(rows ?? 12, 2000));

viewContract(heapMap, { default: new Map(), "few cells": options({ rows: 3, columns: 2 }) }, small);
viewContract(heatMap, { default: new Map(), log: options({ scale: "log" }) }, small);

const calls: readonly HeapCall[] = [
  { call: "malloc", bytes: 16, at: 0x1000, snapshot: 0 },
  { call: "malloc", bytes: 24, at: 0x1010, snapshot: 1 },
  { call: "realloc", bytes: 48, at: 0x2000, old: 0x1010, snapshot: 2 },
  { call: "free", at: 0x1000, snapshot: 3 },
];

/** The cells of the map by address, "." for an empty one. */
function cells({ y, xs, zs }: SurfaceBlock): Record<string, string> {
  const row = (j: number): string =>
    Array.from(zs.subarray(j * xs.length, (j + 1) * xs.length), (z) => (Number.isNaN(z) ? "." : String(z))).join(" ");
  return Object.fromEntries((y.categories ?? []).map((address, j) => [address, row(j)]));
}

describe("heapmap", () => {
  it("shows the bytes in use at the end of each snapshot by address range", () => {
    const [map, total] = heapMap.draw(heapRunOf(calls), new Map()).blocks as [SurfaceBlock, ChartBlock];
    expect(cells(map)).toEqual({
      "0x1000": "16 16 16 .",
      "0x1010": ". 16 . .",
      "0x1020": ". 8 . .",
      "0x2000": ". . 16 16",
      "0x2010": ". . 16 16",
      "0x2020": ". . 16 16",
    });
    expect(map.caption).toBe("a row is 16 Byte of addresses, 1 gap of unused addresses omitted");
    expect([...(total.series[0]?.y ?? [])]).toEqual([16, 40, 64, 48]);
  });

  it("merges address ranges if there are too many", () => {
    const [map] = heapMap.draw(heapRunOf(calls), options({ rows: 2, columns: 2 })).blocks as [SurfaceBlock];
    expect(cells(map)).toEqual({ "0x1000": "40 .", "0x2000": ". 48" });
    expect(map.caption).toContain("a column is 2 snapshots");
  });

  it("contains allocated and not freed memory in its cells", () => {
    const call = fc.record({
      at: fc.integer({ min: 1, max: 40 }),
      bytes: fc.integer({ min: 1, max: 64 }),
      isFree: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 40 }), (all) => {
        const heap = new Map<number, number>();
        const made = all.map(({ at, bytes, isFree }, snapshot): HeapCall => {
          if (isFree) heap.delete(at * 64);
          else heap.set(at * 64, bytes);
          return isFree ? { call: "free", at: at * 64, snapshot } : { call: "malloc", bytes, at: at * 64, snapshot };
        });
        fc.pre(made.some((each) => each.call === "malloc"));
        const blocks = heapMap.draw(heapRunOf(made), options({ rows: 5, columns: 7 })).blocks;
        const whole = [...heap.values()].reduce((sum, bytes) => sum + bytes, 0);
        expect((blocks.at(-1) as ChartBlock).series[0]?.y.at(-1)).toBe(whole);
        const [map] = blocks as [SurfaceBlock];
        if (map.kind !== "surface") return;
        const last = map.zs.filter((_, at) => at % map.xs.length === map.xs.length - 1 && !Number.isNaN(map.zs[at]!));
        expect(last.reduce((sum, bytes) => sum + bytes, 0)).toBe(whole);
      }),
      { numRuns: 60 },
    );
  });
});

it("heatmap counts the allocations that overlap a cell", () => {
  const [map] = heatMap.draw(heapRunOf([...calls, { ...calls[0]!, snapshot: 3 }]), new Map()).blocks as [SurfaceBlock];
  expect(cells(map)["0x1000"]).toBe("1 . . 1");
  expect(cells(map)["0x1010"]).toBe(". 1 . .");
  expect(cells(map)["0x2020"]).toBe(". . 1 .");
});

it.each([heapMap, heatMap])("$name reports what to collect without addresses", (view) => {
  expect(() => view.draw(sampleRun(), new Map())).toThrowError(
    expect.objectContaining({ code: "nothing-to-draw", remedy: expect.stringContaining("memory") }),
  );
});
