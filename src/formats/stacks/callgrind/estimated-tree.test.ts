import fc from "fast-check";
import { expect, test } from "vitest";
import { type CallEdge, type CostedCalls, estimatedTree } from "./estimated-tree.ts";

type Edge = readonly [caller: number, callee: number, cost: number, calls?: number];

/** Functions named f0, f1, …; `selves`: their own costs, one list for each event. */
function graph(selves: readonly (readonly number[])[], edges: readonly Edge[]): CostedCalls {
  return {
    functions: selves[0]!.map((_, number) => ({ function: `f${number}` })),
    events: selves.length,
    self: (number, event) => selves[event]![number]!,
    edges: edges.map(([caller, callee, cost, calls = 1]): CallEdge => ({ caller, callee, cost, calls })),
  };
}

/** The cost of each path in an event. */
function paths(calls: CostedCalls, event = 0): Record<string, number> {
  const { stacks, samples } = estimatedTree(calls);
  const entries = Array.from({ length: samples.length }, (_, row) => {
    const names = stacks.framesOf(samples.stackOf(row)).map((frame) => frame.function);
    return [names.toReversed().join(" "), samples.valueOf(row, event)] as const;
  });
  return Object.fromEntries(entries.filter(([, cost]) => cost !== 0));
}

test("divides a function among its callers by the cost of their calls, and what it calls as well", () => {
  const calls = graph(
    [
      [1, 2, 20, 21],
      [0, 0, 3, 0],
    ],
    [
      [0, 1, 13],
      [0, 2, 30],
      [1, 2, 10],
      [2, 3, 20],
    ],
  );
  expect(paths(calls)).toEqual({ f0: 1, "f0 f1": 2, "f0 f2": 15, "f0 f1 f2": 5, "f0 f2 f3": 16, "f0 f1 f2 f3": 5 });
  expect(paths(calls, 1)).toEqual({ "f0 f2": 2, "f0 f1 f2": 1 });
});

test("divides calls without a cost by their number", () => {
  const calls = graph(
    [[1, 1, 8]],
    [
      [0, 2, 0, 3],
      [1, 2, 0, 1],
    ],
  );
  expect(paths(calls)).toEqual({ f0: 1, f1: 1, "f0 f2": 6, "f1 f2": 2 });
});

test("does not follow recursion, of a function or of several", () => {
  expect(
    paths(
      graph(
        [[1, 5]],
        [
          [0, 1, 9],
          [1, 1, 7],
        ],
      ),
    ),
  ).toEqual({ f0: 1, "f0 f1": 5 });
  expect(
    paths(
      graph(
        [[1, 5, 6]],
        [
          [0, 1, 11],
          [1, 2, 9],
          [2, 1, 4],
        ],
      ),
    ),
  ).toEqual({ f0: 1, "f0 f1": 5, "f0 f1 f2": 6 });
  expect(
    paths(
      graph(
        [[5, 6]],
        [
          [0, 1, 9],
          [1, 0, 4],
        ],
      ),
    ),
  ).toEqual({ f0: 5, "f0 f1": 6 });
});

/** Sums by function. */
function sums(calls: CostedCalls, event: number): number[] {
  const all = calls.functions.map(() => 0);
  for (const [path, cost] of Object.entries(paths(calls, event))) all[Number(/f(\d+)$/.exec(path)![1])]! += cost;
  return all;
}

test("keeps the sum of every function in every event; no path has a function twice", () => {
  const count = 7;
  const number = fc.nat({ max: count - 1 });
  const edges = fc.array(fc.tuple(number, number, fc.nat({ max: 50 }), fc.integer({ min: 1, max: 9 })), {
    maxLength: 25,
  });
  const selves = fc.array(fc.array(fc.nat({ max: 1000 }), { minLength: count, maxLength: count }), {
    minLength: 2,
    maxLength: 2,
  });
  fc.assert(
    fc.property(selves, edges, (own, all) => {
      const byPair = new Map(all.map((edge) => [`${edge[0]} ${edge[1]}`, edge]));
      const calls = graph(own, [...byPair.values()]);
      for (const event of [0, 1]) expect(sums(calls, event)).toEqual(own[event]);
      for (const path of Object.keys(paths(calls))) expect(new Set(path.split(" ")).size).toBe(path.split(" ").length);
    }),
  );
});

test("expands the most expensive of very many paths, and keeps the sums", () => {
  const [layers, wide] = [40, 3];
  const selves = Array.from({ length: layers * wide }, (_, number) => 1 + (number % 5) * 1000);
  const edges = selves.flatMap((_, number): Edge[] =>
    number >= (layers - 1) * wide
      ? []
      : [0, 1, 2].map((next) => [number, (Math.floor(number / wide) + 1) * wide + next, 10 ** next]),
  );
  const calls = graph([selves], edges);
  const { samples } = estimatedTree(calls);
  expect(samples.length).toBeLessThanOrEqual(4000 + 2 * selves.length);
  expect(sums(calls, 0)).toEqual(selves);
  expect(Object.keys(paths(calls)).filter((path) => path.startsWith("[smaller calls] ")).length).toBeGreaterThan(50);
});
