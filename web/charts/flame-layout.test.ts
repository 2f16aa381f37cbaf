import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FlameGraph } from "../../src/core/figures/flame-graph.ts";
import { functionGraph, functionSums } from "./flame-functions.ts";
import {
  changedRange,
  type FlameLayout,
  type FlameOrder,
  frameAt,
  layoutFrames,
  matches,
  neighbour,
  subtreeEnds,
  visitRow,
} from "./flame-layout.ts";

/** A graph by the depth and self amount of each frame, named by a letter; depths grow by one at most. */
function graphOf(rows: readonly (readonly [depth: number, self: number, name: string])[]): FlameGraph {
  const depth = Int32Array.from(rows, ([each]) => each);
  const parent = Int32Array.from(rows, ([each], i) =>
    i === 0 ? -1 : rows.findLastIndex(([above], k) => k < i && above === each - 1),
  );
  const total = Float64Array.from(rows, ([, self]) => self);
  for (let i = rows.length - 1; i > 0; i--) total[parent[i]!]! += total[i]!;
  const start = new Float64Array(rows.length);
  const next = Float64Array.from(start);
  for (let i = 1; i < rows.length; i++) {
    start[i] = next[parent[i]!]!;
    next[i] = start[i]!;
    next[parent[i]!]! += total[i]!;
  }
  const names = [...new Set(rows.map(([, , name]) => name))];
  const name = Int32Array.from(rows, ([, , each]) => names.indexOf(each));
  return {
    names,
    name,
    parent,
    depth,
    start,
    total,
    self: Float64Array.from(rows, ([, self]) => self),
    quantity: "cpu",
    form: "plain",
  };
}

const small = graphOf([
  [0, 0, "all"],
  [1, 10, "main"],
  [2, 20, "a"],
  [3, 5, "main"],
  [2, 60, "b"],
  [1, 5, "idle"],
]);

const graphs = fc
  .array(fc.tuple(fc.nat(4), fc.nat(50), fc.constantFrom("a", "b", "c")), { minLength: 1, maxLength: 40 })
  .map((steps) => {
    let depth = 0;
    return graphOf([
      [0, 1, "all"],
      ...steps.map(([back, self, name]) => [(depth = Math.max(1, depth + 1 - back)), self, name] as const),
    ]);
  });

const orders = fc.constantFrom<FlameOrder>("name", "amount");
const layoutOf = (graph: FlameGraph, order: FlameOrder): FlameLayout =>
  layoutFrames(graph, subtreeEnds(graph), order, 0);

describe("flame graphs on pages", () => {
  test("a subtree ends at the next frame of the same or smaller depth", () => {
    expect([...subtreeEnds(small)]).toEqual([6, 5, 4, 4, 5, 6]);
  });

  test("rows hold the frames from left to right, the largest first if asked", () => {
    const rowsOf = (order: FlameOrder): number[][] => {
      const { rows, frames } = layoutOf(small, order);
      return Array.from(rows.subarray(1), (end, row) => Array.from(frames.subarray(rows[row], end)));
    };
    expect(rowsOf("name")).toEqual([[0], [1, 5], [2, 4], [3]]);
    expect(rowsOf("amount")).toEqual([[0], [1, 5], [4, 2], [3]]);
    expect([...layoutOf(small, "amount").x]).toEqual([0, 0, 60, 60, 0, 95]);
  });

  test("frames stay within their callers and do not overlap, in both orders", () => {
    fc.assert(
      fc.property(graphs, orders, (graph, order) => {
        const { x, rows, frames } = layoutOf(graph, order);
        for (const [row, end] of rows.slice(1).entries()) {
          const own = frames.slice(rows[row], end);
          for (const [at, frame] of own.entries()) {
            const above = graph.parent[frame]!;
            if (above >= 0) {
              expect(x[frame]).toBeGreaterThanOrEqual(x[above]! - 1e-6);
              expect(x[frame]! + graph.total[frame]!).toBeLessThanOrEqual(x[above]! + graph.total[above]! + 1e-6);
            }
            if (at > 0) expect(x[frame]).toBeGreaterThanOrEqual(x[own[at - 1]!]! + graph.total[own[at - 1]!]!);
          }
        }
      }),
    );
  });

  test("what is visited in a row is what a test of every frame finds", () => {
    fc.assert(
      fc.property(graphs, orders, fc.nat(20), fc.integer({ min: 1, max: 60 }), (graph, order, left, width) => {
        const layout = layoutOf(graph, order);
        const range = { left, width };
        for (let row = 0; row < layout.rows.length - 1; row++) {
          const visited: number[] = [];
          // Frames are at least a pixel wide.
          visitRow(graph, layout, { row, range, width: width * 10 }, (frame) => visited.push(frame));
          const wanted = Array.from(layout.frames.subarray(layout.rows[row], layout.rows[row + 1])).filter(
            (frame) => layout.x[frame]! < left + width && layout.x[frame]! + graph.total[frame]! > left,
          );
          expect(visited).toEqual(wanted);
          for (const frame of wanted)
            expect(frameAt(graph, layout, row, Math.max(left, layout.x[frame]! + graph.total[frame]! / 2))).toBe(frame);
        }
      }),
    );
  });

  test("narrow frames share pixels: a row is visited at most once per pixel", () => {
    const many = graphOf([[0, 0, "all"], ...Array.from({ length: 5000 }, () => [1, 1, "leaf"] as const)]);
    const pixels: number[] = [];
    const layout = layoutOf(many, "name");
    visitRow(many, layout, { row: 1, range: { left: 0, width: 5000 }, width: 500 }, (_, x) =>
      pixels.push(Math.floor(x)),
    );
    expect(pixels).toEqual(Array.from({ length: 500 }, (_, pixel) => pixel));
  });

  test("a range keeps its center and stays within the root", () => {
    expect(changedRange({ left: 20, width: 40 }, 100, { factor: 0.5, center: 30 })).toEqual({ left: 25, width: 20 });
    expect(changedRange({ left: 20, width: 40 }, 100, { factor: 9, center: 30 })).toEqual({ left: 0, width: 100 });
    expect(changedRange({ left: 20, width: 40 }, 100, { center: 20, shift: 99 })).toEqual({ left: 60, width: 40 });
  });

  test("callees and callers of a function are merged over its outermost calls", () => {
    const graph = graphOf([
      [0, 0, "all"],
      [1, 1, "a"],
      [2, 2, "f"],
      [3, 4, "f"],
      [3, 8, "g"],
      [1, 16, "b"],
      [2, 32, "f"],
      [3, 64, "g"],
    ]);
    const pathsOf = (side: "callees" | "callers"): string[] => {
      const merged = functionGraph(graph, subtreeEnds(graph), graph.names.indexOf("f"), side);
      return [...merged.name].map(
        (name, frame) => `${"  ".repeat(merged.depth[frame]!)}${merged.names[name]} ${merged.total[frame]}`,
      );
    };
    expect(pathsOf("callees")).toEqual(["f 110", "  f 4", "  g 72"]);
    expect(pathsOf("callers")).toEqual(["f 110", "  a 14", "  b 96"]);
  });

  test("callers and callees have the total of the function", () => {
    fc.assert(
      fc.property(graphs, fc.constantFrom("a", "b", "c"), (graph, name) => {
        const sum = functionSums(graph).find((each) => each.name === name);
        if (sum === undefined) return;
        for (const side of ["callers", "callees"] as const) {
          const merged = functionGraph(graph, subtreeEnds(graph), graph.names.indexOf(name), side);
          expect(merged.total[0]).toBe(sum.total);
          expect(merged.self.reduce((all, own) => all + own, 0)).toBe(sum.total);
        }
      }),
    );
  });

  test("a search counts recursive matches once", () => {
    expect(matches(small, subtreeEnds(small), "MAIN")).toMatchObject({ total: 95, frames: 2 });
    expect(matches(small, subtreeEnds(small), "b")).toMatchObject({ total: 60, frames: 1 });
  });

  test("arrow keys move to the caller, the widest callee and the next sibling", () => {
    const ends = subtreeEnds(small);
    const layout = layoutOf(small, "name");
    expect(
      ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].map((key) => neighbour(small, ends, layout, 2, key)),
    ).toEqual([1, 3, 2, 4]);
    expect(neighbour(small, ends, layout, 1, "ArrowDown")).toBe(4);
    expect(neighbour(small, ends, layout, 0, "ArrowUp")).toBe(0);
  });

  test("sums by name: self amounts add up to the total, and recursion is counted once", () => {
    expect(functionSums(small).map(({ name, self, total }) => [name, self, total])).toEqual([
      ["b", 60, 60],
      ["a", 20, 25],
      ["main", 15, 95],
      ["idle", 5, 5],
      ["all", 0, 100],
    ]);
    fc.assert(
      fc.property(graphs, (graph) => {
        const sums = functionSums(graph);
        expect(sums.reduce((sum, { self }) => sum + self, 0)).toBe(graph.total[0]);
        for (const { total } of sums) expect(total).toBeLessThanOrEqual(graph.total[0]!);
      }),
    );
  });
});
