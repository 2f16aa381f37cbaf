import { expect, test } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import { rowsOf } from "../../core/tables/table.ts";
import type { MinorVersion } from "../../core/versions/version.ts";
import type { Value } from "../../core/values/value.ts";
import { commitLabels, commitsIn, labelled } from "./commit-labels.ts";
import { inHistoryOrder, isHistorical } from "./history-order.ts";
import { joinVersionColumns } from "./commit-columns.ts";
import type { LogicalPlan } from "../plan/logical-plan.ts";
import { plan, type QuerySpec } from "../plan/query.ts";
import { VersionGraph } from "./version-graph.ts";

const experiment = {
  name: "io",
  readers: [],
  writers: [],
  variables: [
    { name: "op", role: "parameter", occurrence: "multiple", type: "string" },
    { name: "rate", role: "result", occurrence: "multiple", type: "float" },
  ],
} as const;

const history = ["c", "a", "b"] as VersionId[];

function ordered(question: QuerySpec, rows: Value[][]): unknown[][] {
  const query: LogicalPlan = plan(question, experiment);
  const variables = query.outputs.map(({ variable }) => variable);
  return rowsOf(inHistoryOrder(tableOf(variables, rows), query, history));
}

test("sorts versions by history, unknown ones after them by id, runs without a version last", () => {
  const rows = [
    ["a", 1],
    ["b", 2],
    ["c", 3],
    ["x", 4],
    ["z", 5],
    [null, 6],
  ];
  expect(ordered({ by: ["commit"], results: ["rate"] }, rows).map(([id]) => id)).toEqual([
    "c",
    "a",
    "b",
    "x",
    "z",
    null,
  ]);
  const descending = ordered({ by: ["commit"], results: ["rate"], sort: ["-commit"] }, rows);
  expect(descending.map(([id]) => id)).toEqual(["b", "a", "c", "x", "z", null]);
});

test("keeps the order of earlier keys, and applies the limit afterwards", () => {
  const rows = [
    ["read", "a", 1],
    ["read", "c", 2],
    ["write", "b", 3],
    ["write", "c", 4],
  ];
  const question = { by: ["op", "commit"], results: ["rate"] };
  expect(ordered(question, rows).map(([op, id]) => `${String(op)} ${String(id)}`)).toEqual([
    "read c",
    "read a",
    "write c",
    "write b",
  ]);
  expect(ordered({ ...question, limit: 1 }, rows)).toEqual([["read", "c", 2]]);
});

test("keeps results that are not sorted by version", () => {
  expect(isHistorical(plan({ results: ["commit", "rate"] }, experiment))).toBe(false);
  expect(isHistorical(plan({ by: ["op"], results: ["rate"] }, experiment))).toBe(false);
  expect(isHistorical(plan({ results: ["commit"], sort: ["commit"] }, experiment))).toBe(true);
});

const ids = ["1234567890ab", "1234567890cd", "aaaaaaaa"] as VersionId[];
const described: MinorVersion = {
  id: ids[0] as VersionId,
  parents: [],
  author: "",
  email: "",
  date: 1_600_000_000,
  description: "one\n\nmore",
};

test("labels are unique with as few digits as possible", () => {
  const graph = new VersionGraph();
  graph.add([described]);
  const labels = (style: "short" | "subject" | "date" | "tag"): string[] => [
    ...commitLabels(ids, style, graph, new Map([[ids[2] as VersionId, "v1"]])).values(),
  ];
  expect(labels("short")).toEqual(["1234567890a", "1234567890c", "aaaaaaaa"]);
  expect(labels("subject")).toEqual(["one", "1234567890c", "aaaaaaaa"]);
  expect(labels("date")).toEqual(["2020-09-13", "1234567890c", "aaaaaaaa"]);
  expect(labels("tag")).toEqual(["1234567890a", "1234567890c", "v1"]);
});

test("joins values by version to rows, and replaces versions by labels", () => {
  const query = plan({ by: ["commit"], results: ["rate"] }, experiment);
  const table = tableOf(
    query.outputs.map(({ variable }) => variable),
    [
      ["a", 1],
      ["b", 2],
      [null, 3],
    ],
  );
  const variable = { name: "time:amount.mean", role: "result", occurrence: "multiple", type: "float" } as const;
  const joined = joinVersionColumns({ table, outputs: query.outputs }, [{ variable, values: new Map([["b", 7]]) }]);
  expect(rowsOf(joined.table)).toEqual([
    ["a", 1, null],
    ["b", 2, 7],
    [null, 3, null],
  ]);
  expect(joined.outputs).toHaveLength(3);
  expect(commitsIn(joined.table, joined.outputs)).toEqual(["a", "b"]);
  expect(rowsOf(labelled(table, query.outputs, new Map([["a", "first"]]))).map(([id]) => id)).toEqual([
    "first",
    "b",
    null,
  ]);
});
