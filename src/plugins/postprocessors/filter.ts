import { Failure } from "../../core/failures/failure.ts";
import { columnNamed } from "../../core/profiles/location-points.ts";
import type { FlatColumn } from "../../core/tables/flat-table.ts";
import type { Run } from "../../core/profiles/run.ts";
import { takeRows } from "../../core/tables/table-rows.ts";
import type { Values } from "../../core/values/value.ts";
import { completed, option } from "../plugin.ts";
import { afterStep, type Postprocessor } from "./postprocessor.ts";

/** Longer operators first, since `<=` begins with `<`. */
const comparisons: readonly (readonly [sign: string, holds: (a: number, b: number) => boolean])[] = [
  ["!=", (a, b) => a !== b],
  ["<=", (a, b) => a <= b],
  [">=", (a, b) => a >= b],
  ["=", (a, b) => a === b],
  ["<", (a, b) => a < b],
  [">", (a, b) => a > b],
];

/** Keeps the rows that are asked for. Models that were fitted to all rows stay as they are. */
export const filter = Object.freeze<Postprocessor>({
  kind: "postprocessor",
  name: "filter",
  recorded: "filter",
  synopsis: "keep only the rows for which conditions hold",
  options: [
    option("where", "string", null, "a condition such as uid:function=main or amount>=10; of several all hold"),
  ],
  spellings: { "-w": ["where"] },
  repeated: ["where"],
  apply,
});

function apply(run: Run, given: Values): Run {
  const options = completed(filter, given);
  const conditions = String(options.get("where") ?? "").split(",");
  if (run.data.length === 0) return afterStep(filter, run, options, []);
  const tests = conditions.map((text) => testOf(text, (name) => columnNamed(run.data, name)));
  const rows = Uint32Array.from({ length: run.data.length }, (_, row) => row).filter((row) =>
    tests.every((holds) => holds(row)),
  );
  return afterStep(filter, { ...run, data: takeRows(run.data, rows) }, options, []);
}

/**
 * Numbers are compared as numbers; everything else is equal or not. A row without content fulfils no condition but
 * `!=`.
 */
function testOf(text: string, columnOf: (name: string) => FlatColumn): (row: number) => boolean {
  const found = /^([^=<>!]+)(!=|<=|>=|=|<|>)(.*)$/s.exec(text);
  const [, name = "", sign = "", content = ""] = found ?? [];
  const isOrder = sign.startsWith("<") || sign.startsWith(">");
  const wanted = content.trim() === "" ? Number.NaN : Number(content);
  if (!found || (isOrder && Number.isNaN(wanted))) {
    const expected = "a condition NAME=CONTENT or NAME<NUMBER (!=, <=, >, >= too)";
    throw new Failure("bad-collector-option", {
      plugin: filter.name,
      option: "where",
      value: text.slice(0, 80),
      expected,
      example: "amount>=10",
    });
  }
  const column = columnOf(name.trim());
  const holds = comparisons.find(([one]) => one === sign)![1];
  const isNumber = column.numeric && !Number.isNaN(wanted);
  return (row) => (isNumber ? holds(column.number(row), wanted) : (column.text(row) === content) === (sign === "="));
}
