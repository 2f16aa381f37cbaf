import { Failure } from "../../core/failures/index.ts";
import { columnNamed, type Run } from "../../core/profiles/index.ts";
import { type FlatColumn, takeRows } from "../../core/tables/index.ts";
import type { Values } from "../../core/values/index.ts";
import { withDefaults, option } from "../plugin.ts";
import { afterStep, type Postprocessor } from "./postprocessor.ts";

/** Longer operators first, since `<=` starts with `<`. */
const comparisons: readonly (readonly [operator: string, holds: (a: number, b: number) => boolean])[] = [
  ["!=", (a, b) => a !== b],
  ["<=", (a, b) => a <= b],
  [">=", (a, b) => a >= b],
  ["=", (a, b) => a === b],
  ["<", (a, b) => a < b],
  [">", (a, b) => a > b],
];

/** Keeps matching rows; models fitted to all rows are unchanged. */
export const filter = Object.freeze<Postprocessor>({
  kind: "postprocessor",
  name: "filter",
  recorded: "filter",
  synopsis: "keep only rows that match all conditions",
  options: [
    option("where", "string", null, "condition such as uid:function=main or amount>=10; several are combined with and"),
  ],
  spellings: { "-w": ["where"] },
  repeated: ["where"],
  apply,
});

function apply(run: Run, given: Values): Run {
  const options = withDefaults(filter, given);
  const conditions = String(options.get("where") ?? "").split(",");
  if (run.data.length === 0) return afterStep(filter, run, options, []);
  const tests = conditions.map((text) => testOf(text, (name) => columnNamed(run.data, name)));
  const rows = Uint32Array.from({ length: run.data.length }, (_, row) => row).filter((row) =>
    tests.every((holds) => holds(row)),
  );
  return afterStep(filter, { ...run, data: takeRows(run.data, rows) }, options, []);
}

/**
 * Compares numbers by value, and other values for equality. A missing value matches only `!=`.
 */
function testOf(text: string, columnOf: (name: string) => FlatColumn): (row: number) => boolean {
  const match = /^([^=<>!]+)(!=|<=|>=|=|<|>)(.*)$/s.exec(text);
  const [, name = "", operator = "", value = ""] = match ?? [];
  const isOrder = operator.startsWith("<") || operator.startsWith(">");
  const number = value.trim() === "" ? Number.NaN : Number(value);
  if (!match || (isOrder && Number.isNaN(number))) {
    const expected = "a condition NAME=VALUE or NAME<NUMBER (also !=, <=, >, >=)";
    throw new Failure("bad-collector-option", {
      plugin: filter.name,
      option: "where",
      value: text.slice(0, 80),
      expected,
      example: "amount>=10",
    });
  }
  const column = columnOf(name.trim());
  const holds = comparisons.find(([one]) => one === operator)![1];
  const isNumber = column.numeric && !Number.isNaN(number);
  return (row) => (isNumber ? holds(column.number(row), number) : (column.text(row) === value) === (operator === "="));
}
