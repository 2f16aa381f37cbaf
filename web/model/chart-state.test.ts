import { expect, test } from "vitest";
import type { VersionColumns } from "../../src/core/pages/index.ts";
import { chartData, slotDates, slotName } from "./chart-data.ts";
import { chartState, pointName, rangeName, scaledHistory, toggledPin } from "./chart-state.ts";
import type { History, SeriesLine } from "./series-lines.ts";

const ids = Array.from({ length: 20 }, (_, at) => (at * 7_919_993 + 0x1000_0000).toString(16).padEnd(40, "0"));

function versions(): VersionColumns {
  const date = Float64Array.from(ids, (_, at) => 1000 + at);
  const arrays = { date, parents: new Int32Array(), profiles: new Int32Array() };
  return { facts: { ids: ids as never, subjects: [], authors: [], names: [], bodies: [], tags: [] }, arrays };
}

function history(version: readonly number[], center = version.map((at) => at + 1)): History {
  return { version, center, low: center, high: center, n: center.map(() => 1), changes: [] };
}

const line: SeriesLine = {
  index: 0,
  key: "k",
  benchmark: "b",
  metric: "m",
  unit: "s",
  word: "same",
  delta: Number.NaN,
  count: 1,
  last: 1,
  better: "lower",
};
const of = (...histories: readonly History[]) =>
  chartData(
    versions(),
    histories.map((each) => ({ line, history: each })),
  );

test("ranges, selections and pins are named by commits and found again", () => {
  const data = of(history([0, 2, 4, 6, 8]), history([2, 3, 8, 9]));
  expect(Array.from(data.slots)).toEqual([0, 2, 3, 4, 6, 8, 9]);
  expect(Array.from(data.lines[1]!.history.center)).toEqual([NaN, 3, 4, NaN, NaN, 9, 10]);
  for (let from = 0; from < 7; from++)
    for (let to = from + 1; to < 7; to++)
      expect(chartState(data, { range: rangeName(data, { from, to }) }).range).toEqual({ from, to });
  const point = { line: 1, slot: 5 };
  const pin = toggledPin(data, [], point);
  const state = chartState(data, { at: pointName(data, point), pin });
  expect([state.selected, state.pins]).toEqual([point, [point]]);
  expect(toggledPin(data, state.pins, point)).toBe("");
});

test("points without commits are named by their number, and have no axis of time", () => {
  const data = of(history([-1, -1, 5]));
  expect([slotName(data, 1), slotDates(data)]).toEqual(["n2", undefined]);
  expect(chartState(data, { at: "0@n2" }).selected).toEqual({ line: 0, slot: 1 });
  expect(slotDates(of(history([1, 2])))).toEqual(Float64Array.of(1001, 1002));
});

test("damaged parameters choose nothing", () => {
  const data = of(history([0, 1, 2]));
  const range = { from: 0, to: 2 };
  for (const text of ["zz", "..", "n9..", `${ids[2]}..${ids[0]}`, "9@n1", "0@n0", "0@n4", "@", "-1@n1", "1e3@n1"])
    expect(chartState(data, { range: text, at: text, pin: text, hide: text, scale: text, axis: text })).toMatchObject({
      range,
      selected: undefined,
      pins: [],
      scale: "absolute",
      isOverTime: false,
    });
});

test("values are relative to the first one that is not zero; a log axis has positive ones only", () => {
  const values = history([0, 1, 2], [0, 2, 3]);
  expect(Array.from(scaledHistory(values, "relative").center)).toEqual([0, 1, 1.5]);
  expect(Array.from(scaledHistory(values, "log").center)).toEqual([NaN, 2, 3]);
});
