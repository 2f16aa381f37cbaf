import fc from "fast-check";
import { expect, it } from "vitest";
import { tableOf } from "../../core/tables/table-builder.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { valueOutput } from "../plan/logical-plan.ts";
import { rowNumberInRun } from "../plan/run-variables.ts";
import type { MinePlan } from "./plan.ts";
import { type CollectedRows, RowCollector, rowsOfTable } from "./row-collector.ts";

const run: Variable = { name: "run", role: "parameter", occurrence: "once", type: "integer" };
const op: Variable = { name: "op", role: "parameter", occurrence: "multiple", type: "string" };
const size: Variable = { name: "size", role: "parameter", occurrence: "multiple", type: "integer" };
const time: Variable = { name: "time", role: "result", occurrence: "multiple", type: "float" };
const variables = [run, rowNumberInRun, op, size, time];
const plan: MinePlan = {
  results: [time],
  parameters: [op, size],
  query: { outputs: variables.map(valueOutput), grouped: false, where: [], sort: [], of: "data" },
};
const order = [{ number: 2 }, { number: 1 }];

/** All that is collected, in plain lists. */
function listed({ runs, rowNumbers, parameters, takeResult }: CollectedRows): unknown {
  const result = takeResult(0);
  const { values, missing } = result?.kind === "number" ? result : { values: [], missing: null };
  return {
    runs: [...runs],
    rowNumbers: [...(rowNumbers ?? [])],
    parameters: parameters.map((coded) => [coded.variable.name, coded.values, [...coded.codes]]),
    values: [...values].map((value, row) => (missing?.[row] === 1 ? null : value)),
  };
}

it("rows that are read in batches are those of one table, whatever number was expected", () => {
  const row = fc.tuple(
    fc.constantFrom(1, 2, 3),
    fc.nat(9),
    fc.constantFrom("read", "write", null),
    fc.constantFrom(1, 2, null, 2n ** 60n, 2n ** 60n + 1n),
    fc.option(fc.double({ noNaN: true }), { nil: null }),
  );
  const property = fc.property(fc.array(fc.array(row, { maxLength: 5 }), { maxLength: 5 }), fc.nat(30), (all, rows) => {
    const collector = new RowCollector(plan, order, rows);
    for (const batch of all) collector.add(tableOf(variables, batch));
    const whole = tableOf(variables, all.flat());
    expect(listed(collector.collected())).toEqual(listed(rowsOfTable(plan, order, whole)));
  });
  fc.assert(property, { seed: 3, numRuns: 300 });
});

it("has the values of the rows", () => {
  const collector = new RowCollector(plan, order, 1);
  collector.add(tableOf(variables, [[1, 1, "write", 8, 0.5]]));
  collector.add(tableOf(variables, [[3, 1, null, 4, null]]));
  collector.add(tableOf(variables, [[2, 7, "read", null, 2]]));
  expect(listed(collector.collected())).toEqual({
    runs: [1, -1, 0],
    rowNumbers: [1, 1, 7],
    parameters: [
      ["op", [null, "read", "write"], [2, 0, 1]],
      ["size", [null, 4, 8], [2, 1, 0]],
    ],
    values: [0.5, null, 2],
  });
});
