import { expect, test } from "vitest";
import type { VersionColumns } from "../../src/core/pages/index.ts";
import { netChanges } from "./net-changes.ts";
import type { History } from "./series-lines.ts";

/** Commits 0, 1, …, one point each. */
function history(center: readonly number[], changes: readonly number[]): History {
  const version = center.map((_, at) => at);
  return { version, center, low: center, high: center, n: center.map(() => 1), changes };
}

function versions(...tags: (readonly [number, string])[]): VersionColumns {
  const arrays = { date: new Float64Array(), parents: new Int32Array(), profiles: new Int32Array() };
  return { facts: { ids: [], subjects: [], authors: [], names: [], bodies: [], tags }, arrays };
}

const center = [10, 10, 11, 13, 14, 14, 11, 11, 11];

test("a series is compared with its start and with the last release, by levels", () => {
  const net = netChanges(history(center, [3, 6]), versions([0, "v1"], [4, "v2"], [8, "v3"]));
  expect(net).toEqual([
    { since: "the start", delta: expect.closeTo(0.1, 10) as number },
    { since: "v2", delta: expect.closeTo(11 / 14 - 1, 10) as number },
  ]);
});

test("a series without changes or tags has no net change since them", () => {
  expect(netChanges(history(center, []), versions([1, "v1"]))).toEqual([]);
  expect(netChanges(history(center, [3]), versions())).toHaveLength(1);
  expect(netChanges(history([0, 0, 5, 5], [2]), versions())).toEqual([{ since: "the start", delta: null }]);
});
