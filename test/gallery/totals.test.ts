import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { ChartBlock, Figure, FlameBlock, TableBlock } from "../../src/core/figures/figure.ts";
import type { Run } from "../../src/core/profiles/run.ts";
import { rowsOf } from "../../src/core/tables/table.ts";
import type { Value } from "../../src/core/values/value.ts";
import { decodeProfile } from "../../src/formats/profile/profile.ts";
import { json } from "../../src/plugins/renderers/json.ts";
import { alloclist } from "../../src/plugins/views/alloclist.ts";
import { bars } from "../../src/plugins/views/bars.ts";
import { flameGraphView } from "../../src/plugins/views/flame-graph.ts";
import { flow } from "../../src/plugins/views/flow.ts";
import { scatter } from "../../src/plugins/views/scatter.ts";
import { tableOf } from "../../src/plugins/views/table-of.ts";
import type { View } from "../../src/plugins/views/view.ts";

/* Compares figures of real profiles with the sums of their rows: no amount is lost or counted twice. */

function profile(name: string): { run: Run; amounts: number[] } {
  const run = decodeProfile(readFileSync(resolve(`test/samples/views/${name}.perf`)), name);
  const at = run.data.variables.findIndex((variable) => variable.name === "amount");
  return { run, amounts: rowsOf(run.data).map((row) => Number(row[at])) };
}

const sum = (values: Iterable<number>): number => [...values].reduce((all, value) => all + value, 0);
const memory = profile("index-memory");
const timed = profile("sorting-complexity");
const total = sum(memory.amounts);

/** The figure as printed by `show --format json`. */
async function jsonFigure(view: View, run: Run, options: Readonly<Record<string, Value>> = {}): Promise<Figure> {
  const figure = view.draw(run, new Map(Object.entries(options)));
  const paper = { width: 960, height: 560, color: false, dark: false, unicode: true };
  return JSON.parse(String(await json.render(figure, paper, new Map()))) as Figure;
}

test("the profile has many rows", () => {
  expect(total).toBe(109694);
  expect(memory.amounts.length).toBeGreaterThan(1000);
});

test.each([{ parts: 8 }, { parts: 1 }, { top: 2 }, { stacked: false }])("bars %j", async (options) => {
  const [chart] = (await jsonFigure(bars, memory.run, { per: "uid:function", by: "subtype", ...options })).blocks as [
    ChartBlock,
  ];
  expect(sum(chart.series.map(({ y }) => sum(Array.from(y, Number))))).toBe(total);
});

test("flow: cumulative sums and individual amounts", async () => {
  const [soFar] = (await jsonFigure(flow, memory.run, { by: "uid:function" })).blocks as [ChartBlock];
  expect(sum(soFar.series.map(({ y }) => Number(Array.from(y).at(-1))))).toBe(total);
  const [each] = (await jsonFigure(flow, memory.run, { by: "uid:function", accumulate: false, parts: 2 })).blocks as [
    ChartBlock,
  ];
  expect(sum(each.series.map(({ y }) => sum(Array.from(y, Number))))).toBe(total);
});

test.each([{}, { inverted: true }, { merged: true }])("flamegraph %j", async (options) => {
  const [{ graph }] = (await jsonFigure(flameGraphView, memory.run, options)).blocks as [FlameBlock];
  expect([graph.total[0], sum(graph.self)]).toEqual([total, total]);
});

test("alloclist by location, and tableof by function", async () => {
  const table = (await jsonFigure(alloclist, memory.run, { mode: "sum", listing: false })).blocks.find(
    (block) => block.kind === "table",
  );
  expect(sum((table as TableBlock).rows.map(([bytes]) => Number(bytes)))).toBe(total);
  const [groups] = (await jsonFigure(tableOf, memory.run, { "group-by": "uid:function", headers: "amount\nrows" }))
    .blocks as [TableBlock];
  expect(
    groups.rows.map((row) => row.map(Number)).reduce(([a = 0, b = 0], [c = 0, d = 0]) => [a + c, b + d], [0, 0]),
  ).toEqual([total, memory.amounts.length]);
});

test("scatter: every measured point", async () => {
  const charts = (await jsonFigure(scatter, timed.run)).blocks.filter((block) => block.kind === "chart");
  const points = charts.flatMap(({ series }) => Array.from(series[0]?.y ?? [], Number));
  expect(points.toSorted((a, b) => a - b)).toEqual(timed.amounts.toSorted((a, b) => a - b));
});
