import { describe, expect, test } from "vitest";
import type { Experiment } from "../../core/experiments/experiment.ts";
import { formatUnit, parseUnit } from "../../core/values/unit.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { parseCondition } from "./condition.ts";
import { parseInputValue } from "./parse-value.ts";
import { findVariable, plan, type QuerySpec } from "./query.ts";
import { parseStatistic, statisticName } from "../statistics/index.ts";
import { failureLine } from "../../../test/contracts/failure-text.ts";

const variables: Variable[] = [
  { name: "S_size", role: "parameter", occurrence: "multiple", type: "integer", unit: parseUnit("Byte") },
  { name: "op", role: "parameter", occurrence: "multiple", type: "string" },
  { name: "host", role: "parameter", occurrence: "once", type: "string" },
  { name: "label", role: "parameter", occurrence: "once", type: "string" },
  { name: "T_lat", role: "result", occurrence: "multiple", type: "float", unit: parseUnit("us"), better: "lower" },
  { name: "day", role: "result", occurrence: "multiple", type: "date" },
  { name: "wall", role: "result", occurrence: "multiple", type: "duration" },
];
const experiment: Experiment = { name: "net", readers: [], writers: [], variables };

const condition = (text: string) => parseCondition(text, (name) => findVariable(name, experiment));

describe("conditions", () => {
  test.each([
    ["S_size>=1KiByte", "S_size", ">=", { value: 1024 }],
    ["S_size >= 1 KiByte", "S_size", ">=", { value: 1024 }],
    ["s_SIZE<8", "S_size", "<", { value: 8 }],
    ["S_size != 3", "S_size", "<>", { value: 3 }],
    ["S_size<>3", "S_size", "<>", { value: 3 }],
    ["S_size==3", "S_size", "=", { value: 3 }],
    ["T_lat<=1.5ms", "T_lat", "<=", { value: 1500 }],
    ["T_lat>=1e2", "T_lat", ">=", { value: 100 }],
    ["S_size>=1e2", "S_size", ">=", { value: 100 }],
    ["S_size>1.0005KiByte", "S_size", ">", { value: 1024.512 }],
    ["T_lat=nan", "T_lat", "=", { value: Number.NaN }],
    ["op=write", "op", "=", { value: "write" }],
    ["op=", "op", "=", { value: "" }],
    ['op=" a "', "op", "=", { value: " a " }],
    ["op=a=b", "op", "=", { value: "a=b" }],
    ["op~rit", "op", "regexp", { text: "rit" }],
    ["op!~rit", "op", "notregexp", { text: "rit" }],
    ["op~^w.*e$", "op", "regexp", { text: "^w.*e$" }],
    ["op contains a,b", "op", "contain", { text: "a,b" }],
    ['op LACKS " in "', "op", "notcontain", { text: " in " }],
    ["op like w%", "op", "like", { text: "w%" }],
    ["S_size not in 1,2", "S_size", "notin", { values: [1, 2] }],
    ["op=a contains b", "op", "=", { value: "a contains b" }],
    ["S_size in 1,2, 4KByte", "S_size", "in", { values: [1, 2, 4000] }],
    ['op in (a,"b,c")', "op", "in", { values: ["a", "b,c"] }],
    ["op is null", "op", "null", {}],
    ["op IS NOT NULL", "op", "notnull", {}],
    ["op=is null", "op", "=", { value: "is null" }],
    ["day>2024-02-29", "day", ">", { value: 19782 }],
    ["wall>1 h", "wall", ">", { value: 3600 }],
    ["wall <= 90s", "wall", "<=", { value: 90 }],
    ["wall=1:00:05", "wall", "=", { value: 3605 }],
    ["wall in 5 min 3 s, 250 ms", "wall", "in", { values: [303, 0.25] }],
    ["commit=0123", "commit", "=", { value: "0123" }],
  ])("%s", (text, name, kind, bound) => {
    expect(condition(text)).toEqual({ kind, variable: findVariable(name, experiment), ...bound });
  });

  test.each([
    ["S_size", "bad-condition"],
    ["=3", "bad-condition"],
    ["", "bad-condition"],
    ["S_size~3", "bad-condition"],
    ["S_size contains 3", "bad-condition"],
    ["S_size like 3", "bad-condition"],
    ["S_size=x", "bad-content"],
    ["S_size=", "bad-content"],
    ["S_size>1s", "unit-mismatch"],
    ["S_size>1Bite", "unknown-unit"],
    ["S_sice=1", "unknown-variable"],
  ])("rejects %s", (text, code) => expect(failureLine(() => condition(text))).toContain(code));
});

describe("statistics", () => {
  test.each([
    "min",
    "max",
    "mean",
    "median",
    "stddev",
    "variance",
    "sum",
    "count",
    "mode",
    "mad",
    "geomean",
    "trim10",
    "trim2.5",
    "q95",
    "q99.9",
    "q0",
    "q100",
  ])("%s", (word) => expect(statisticName(parseStatistic(word))).toBe(word));
  test.each([
    ["p95", "q95"],
    ["P99.9", "q99.9"],
    ["quantile=0.95", "q95"],
    ["quantile=.07", "q7"],
    ["quantile=0.999", "q99.9"],
    ["quantile=1", "q100"],
    ["avg", "mean"],
  ])("%s is %s", (word, name) => expect(parseStatistic(word)).toEqual(parseStatistic(name)));
  test.each([
    "p101",
    "p",
    "quantile=95",
    "quantile=1.01",
    "quantile=",
    "quantile=-1",
    "q101",
    "q",
    "q-1",
    "meen",
    "constructor",
    "",
  ])("rejects %s", (word) => expect(failureLine(() => parseStatistic(word))).toContain("unknown-statistic"));
});

const columns = (question: QuerySpec) =>
  plan(question, experiment).outputs.map(({ variable }) => `${variable.name} ${formatUnit(variable.unit)}`.trim());

describe("plans", () => {
  test("name their columns and keep units", () => {
    expect(columns({})).toEqual(["S_size Byte", "op", "host", "label", "T_lat us", "day", "wall"]);
    expect(columns({ by: ["op"], results: ["T_lat"], statistics: ["mean", "variance", "count"] })).toEqual([
      "op",
      "T_lat.mean us",
      "T_lat.variance us^2",
      "T_lat.count",
    ]);
    expect(columns({ by: ["op"], results: ["T_lat"] })).toEqual(["op", "T_lat.mean us"]);
    expect(columns({ by: ["op"] })).toEqual(["op"]);
    expect(columns({ statistics: ["count", "max"] })).toEqual(["count", "T_lat.max us", "wall.max"]);
  });

  test("distinguish variables of the experiment from run properties", () => {
    expect(findVariable("label", experiment)).toBe(variables[3]);
    expect(findVariable("@label", experiment)).not.toBe(variables[3]);
  });

  test("take rows from runs if all variables occur once", () => {
    expect(plan({ results: ["host"] }, experiment).of).toBe("runs");
    expect(plan({ results: ["host"], where: ["op=a"] }, experiment).of).toBe("data");
    expect(plan({ statistics: ["count"], by: ["host"] }, experiment).of).toBe("data");
  });

  test.each<[QuerySpec, string]>([
    [
      { results: ["T_lta"] },
      "unknown-variable: experiment 'net' has no parameter or result 'T_lta', did you mean T_lat?",
    ],
    [{ results: ["op"], statistics: ["mean"] }, "statistic-not-possible: there is no mean of 'op', which is a string"],
    [{ results: ["op"], sort: ["T_lat"] }, "unknown-sort-key: cannot sort by 'T_lat'"],
  ])("reject %j", (question, message) => expect(failureLine(() => plan(question, experiment))).toContain(message));

  test("sort by result columns", () => {
    expect(plan({ by: ["op"], results: ["T_lat"], sort: ["-t_LAT.mean", "op"] }, experiment).sort).toEqual([
      { output: 1, descending: true },
      { output: 0, descending: false },
    ]);
  });
});

describe("values to store", () => {
  const narrow: Variable = {
    name: "n",
    role: "parameter",
    occurrence: "multiple",
    type: "integer",
    size: 2,
    unit: parseUnit("Byte"),
  };
  const wide: Variable = { ...narrow, size: 8 };
  const time: Variable = { ...narrow, name: "T", size: 8, type: "float", unit: parseUnit("us") };
  test.each<[string, Variable, number | bigint]>([
    ["2.01GByte", wide, 2_010_000_000],
    ["1e2", wide, 100],
    ["9007199254740993", wide, 9007199254740993n],
    ["1KiByte", narrow, 1024],
    ["1e2", time, 100],
    ["1.5e-1 ms", time, 150],
  ])("%s", (text, variable, value) => expect(parseInputValue(text, variable)).toBe(value));
  test.each([
    ["1.0005KiByte", wide, "it is not an integer number of Byte"],
    ["40KByte", narrow, "it does not fit into 2 bytes"],
    ["4e4", narrow, "it does not fit into 2 bytes"],
    ["1e7GByte", wide, "it is too large to be converted exactly"],
    ["1.5", wide, "it is no whole number"],
    ["1e400", time, "it is larger than any float"],
  ])("rejects %s", (text, variable, problem) =>
    expect(failureLine(() => parseInputValue(text, variable))).toContain(problem),
  );
});
