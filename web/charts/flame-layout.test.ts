import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FlameGraph } from "../../src/core/figures/flame-graph.ts";
import { matches, neighbour, layoutFrames, subtreeEnds, functionSums } from "./flame-layout.ts";

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

describe("flame graphs on pages", () => {
  test("a subtree ends at the next frame of the same or smaller depth", () => {
    expect([...subtreeEnds(small)]).toEqual([6, 5, 4, 4, 5, 6]);
  });

  test("the zoomed frame fills the page, below its ancestors", () => {
    const layouts = layoutFrames(small, subtreeEnds(small), { top: 2, width: 500, minWidth: 0 });
    expect(layouts.map(({ frame, x, width, row }) => [frame, x, width, row])).toEqual([
      [0, 0, 500, 0],
      [1, 0, 500, 1],
      [2, 0, 500, 2],
      [3, 0, 100, 3],
    ]);
  });

  test("frames stay within their parents at every zoom", () => {
    fc.assert(
      fc.property(graphs, fc.nat(), (graph, at) => {
        const layouts = layoutFrames(graph, subtreeEnds(graph), {
          top: at % graph.name.length,
          width: 800,
          minWidth: 0,
        });
        const byFrame = new Map(layouts.map((layout) => [layout.frame, layout]));
        for (const layout of layouts) {
          const above = byFrame.get(graph.parent[layout.frame]!);
          if (above === undefined) continue;
          expect(layout.x).toBeGreaterThanOrEqual(above.x - 1e-6);
          expect(layout.x + layout.width).toBeLessThanOrEqual(above.x + above.width + 1e-6);
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
    expect(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].map((key) => neighbour(small, ends, 2, key))).toEqual([
      1, 3, 2, 4,
    ]);
    expect(neighbour(small, ends, 1, "ArrowDown")).toBe(4);
    expect(neighbour(small, ends, 0, "ArrowUp")).toBe(0);
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
