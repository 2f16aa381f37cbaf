import fc from "fast-check";
import { expect, test } from "vitest";
import type { BenchmarkReport } from "../../core/measurements/benchmark-report.ts";
import { rowsOf, type Table } from "../../core/tables/table.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { reportEvents } from "./report-events.ts";
import { ResultParts, type Cells } from "./report-parts.ts";

const variables: Variable[] = (["string", "float", "float"] as const).map((type, at) => ({
  name: `v${at}`,
  role: "result",
  occurrence: "multiple",
  type,
}));

const cells = fc.record({
  text: fc.option(fc.string()),
  list: fc.array(fc.oneof(fc.double({ noNaN: true }), fc.constant(Number.NaN)), { maxLength: 40 }),
  same: fc.option(fc.double({ noNaN: true })),
});

test("parts have the same cells as rows, for any boundaries", () => {
  fc.assert(
    fc.property(
      cells,
      fc.nat(30),
      fc.nat(20),
      fc.integer({ min: 1, max: 50 }),
      ({ text, list, same }, from, more, atOnce) => {
        const columns: Cells[] = [{ same: text }, { list: Float64Array.from(list) }, { same }];
        const parts = [...new ResultParts(variables, atOnce).of(columns, [from, from + more])];
        expect(parts.every(({ length }) => length > 0 && length <= atOnce)).toBe(true);
        const wanted = Array.from({ length: more }, (_, at) => {
          const sample = list[from + at];
          return [text, sample === undefined || Number.isNaN(sample) ? null : sample, same];
        });
        expect(parts.flatMap(rowsOf)).toEqual(wanted);
      },
    ),
  );
});

const samples = Float64Array.from({ length: 200_000 }, (_, at) => (at === 100_000 ? Number.NaN : at / 8));
const report: BenchmarkReport = {
  metrics: [{ name: "time", unit: "s" }, { name: "mean", unit: "s" }, { name: "warmup" }],
  results: [
    { benchmark: "small", values: new Map<string, number | number[]>([["time", [1, 2]]]) },
    {
      benchmark: "large",
      parameters: new Map([["size", 3]]),
      values: new Map<string, number | number[] | Float64Array>([
        ["time", samples],
        ["mean", 0.5],
        ["warmup", [7, 8]],
      ]),
    },
    { benchmark: "last", values: new Map([["mean", 1]]) },
  ],
};

function tablesOf(events: ReturnType<typeof reportEvents>): Table[] {
  return [...events].flatMap((event) => (event.kind === "rows" ? [event.table] : []));
}

test("a result with very many samples is not copied, and has the same rows as a small one", () => {
  const tables = tablesOf(reportEvents(report));
  const buffers = new Set(
    tables.flatMap(({ columns }) =>
      columns.map((column) => (column.kind === "number" ? column.values : column.codes).buffer),
    ),
  );
  expect(buffers.has(samples.buffer)).toBe(true);
  const rows = tables.flatMap(rowsOf);
  const [benchmark, size, sample] = ["benchmark", "size", "sample"];
  expect(tables[0]!.variables.map(({ name }) => name)).toEqual([benchmark, size, sample, "time", "mean", "warmup"]);
  expect(rows).toHaveLength(200_003);
  expect([...rows.slice(0, 5), rows[100_002], ...rows.slice(-2)]).toEqual([
    ["small", null, 1, 1, null, null],
    ["small", null, 2, 2, null, null],
    ["large", 3, 1, 0, 0.5, 7],
    ["large", 3, 2, 0.125, null, 8],
    ["large", 3, 3, 0.25, null, null],
    ["large", 3, 100_001, null, null, null],
    ["large", 3, 200_000, 199_999 / 8, null, null],
    ["last", null, null, null, 1, null],
  ]);
});
