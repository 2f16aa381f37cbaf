import { expect, test } from "vitest";
import { mergeDeclarations, extendedExperiment } from "./experiment-from-report.ts";
import { parseUnit } from "../values/unit.ts";
import type { Variable } from "../variables/variable.ts";

const time: Variable = {
  name: "time",
  role: "result",
  occurrence: "multiple",
  type: "float",
  unit: parseUnit("s"),
  default: null,
};
const size: Variable = { name: "size", role: "parameter", occurrence: "multiple", type: "float", default: null };
const fresh = { name: "bench", synopsis: "of a tool" };

test("creates an experiment from declarations, or adds missing variables", () => {
  const made = extendedExperiment(undefined, [time], fresh);
  expect(made).toEqual({ ...fresh, readers: [], writers: [], variables: [time] });
  const extended = extendedExperiment({ ...made, synopsis: "mine" }, [{ ...time, name: "TIME" }, size], fresh);
  expect(extended).toEqual({ ...made, synopsis: "mine", variables: [time, size] });
});

test("compatible units and other types fit; incompatible units and once variables do not", () => {
  const made = extendedExperiment(undefined, [time, { ...size, occurrence: "once" }], fresh);
  const both = [
    { ...time, unit: parseUnit("ms") },
    { ...size, type: "string", occurrence: "once" },
  ] as const;
  expect(extendedExperiment(made, both, fresh)).toEqual(made);
  expect(() => extendedExperiment(made, [{ ...time, unit: parseUnit("Byte") }], fresh)).toThrow(
    "it is in s there, and in Byte here",
  );
  expect(() => extendedExperiment(made, [size], fresh)).toThrow("'size' does not fit experiment 'bench'");
  const many = Array.from({ length: 1001 }, (_, at) => ({ ...size, name: `v${at}` }));
  expect(() => extendedExperiment(undefined, many, fresh)).toThrow("more than 1000");
});

test("merges declarations of several reports: numbers and texts become texts", () => {
  const joined = mergeDeclarations([
    [time, size],
    [{ ...size, name: "Size", type: "string" }],
    [{ ...size, type: "integer" }],
  ]);
  expect(joined).toEqual([time, { ...size, type: "string" }]);
  expect(mergeDeclarations([[{ ...size, type: "integer" }], [size]])).toEqual([size]);
});
