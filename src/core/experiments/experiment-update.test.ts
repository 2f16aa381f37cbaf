import { describe, expect, test } from "vitest";
import { isFailure } from "../failures/failure.ts";
import type { Experiment } from "./experiment.ts";
import { resolveChanges, updatedExperiment } from "./apply-update.ts";
import { diffExperiments } from "./experiment-diff.ts";
import type { ExperimentUpdate, VariableChange } from "./experiment-update.ts";
import { parseUnit } from "../values/unit.ts";
import type { Variable } from "../variables/variable.ts";

const parameter: Variable = {
  name: "mode",
  role: "parameter",
  occurrence: "once",
  type: "string",
  valid: ["a", "b"],
  default: "a",
};
const count: Variable = { name: "N", role: "parameter", occurrence: "multiple", type: "integer" };
const result: Variable = { name: "T", role: "result", occurrence: "multiple", type: "float", unit: parseUnit("s") };
const current: Experiment = {
  name: "ping",
  project: "p",
  readers: ["anna"],
  writers: [],
  variables: [parameter, count, result],
};

function update(...changes: VariableChange[]): ExperimentUpdate {
  return { experiment: "ping", about: {}, changes, access: [] };
}

function after(...changes: VariableChange[]): readonly Variable[] {
  return updatedExperiment(current, update(...changes)).variables;
}

describe("updatedExperiment", () => {
  test("adds, drops and alters, and keeps the order", () => {
    const added: Variable = { name: "V", role: "result", occurrence: "once", type: "version" };
    expect(
      after(
        { kind: "drop", name: "n" },
        { kind: "add", variable: added },
        {
          kind: "alter",
          name: "T",
          newName: "T_pp",
          unit: parseUnit("us"),
          better: "lower",
          default: { value: "1.5" },
        },
        { kind: "alter", name: "mode", valid: { add: ["c", "a"] }, default: { value: "c" }, synopsis: "how" },
      ),
    ).toEqual([
      { ...parameter, valid: ["a", "b", "c"], default: "c", synopsis: "how" },
      { ...result, name: "T_pp", unit: parseUnit("us"), better: "lower", default: 1.5 },
      added,
    ]);
  });

  test("removes null fields and reuses freed names", () => {
    expect(
      after(
        { kind: "alter", name: "mode", default: "none", valid: "any", newName: "N" },
        { kind: "alter", name: "N", newName: "mode", default: { value: null } },
        { kind: "alter", name: "T", unit: null },
      ),
    ).toEqual([
      { name: "N", role: "parameter", occurrence: "once", type: "string" },
      { ...count, name: "mode", default: null },
      { name: "T", role: "result", occurrence: "multiple", type: "float" },
    ]);
  });

  test("auto alters existing variables and adds others", () => {
    const there: VariableChange = { kind: "auto", name: "n", role: "result", type: "integer" };
    const fresh: VariableChange = {
      kind: "auto",
      name: "B",
      role: "result",
      type: "float",
      default: { value: null },
    };
    expect(resolveChanges(current, update(there, fresh))).toEqual([
      { ...there, kind: "alter" },
      { kind: "add", variable: { name: "B", role: "result", occurrence: "multiple", type: "float", default: null } },
    ]);
  });

  test("changes metadata and access", () => {
    const changed = updatedExperiment(current, {
      experiment: "ping",
      about: { project: null, synopsis: "new" },
      changes: [],
      access: [
        { action: "grant", level: "read", who: "bert" },
        { action: "grant", level: "read", who: "bert" },
        { action: "revoke", level: "read", who: "anna" },
        { action: "grant", level: "admin", who: "@staff" },
        { action: "revoke", level: "write", who: "stranger" },
      ],
    });
    expect(changed).toEqual({ ...current, project: undefined, synopsis: "new", readers: ["bert"], admins: ["@staff"] });
  });

  test.each<[string, VariableChange[], string]>([
    ["an unknown name", [{ kind: "drop", name: "mod" }], "has no parameter or result 'mod', did you mean mode?"],
    [
      "an unknown name without a type",
      [{ kind: "auto", name: "nodes", role: "result" }],
      "has no parameter or result 'nodes'",
    ],
    ["another type", [{ kind: "alter", name: "N", type: "float" }], "'N' is integer, it cannot become float"],
    ["another size", [{ kind: "alter", name: "N", size: 4 }], "it cannot become integer of 4 bytes"],
    ["another occurrence", [{ kind: "alter", name: "N", occurrence: "once" }], "'N' has a value in each row"],
    ["an existing name", [{ kind: "alter", name: "N", newName: "MODE" }], "there would be two variables 'MODE'"],
    ["an existing variable", [{ kind: "add", variable: { ...count, name: "n" } }], "there would be two variables 'n'"],
    ["the last result", [{ kind: "drop", name: "T" }], "it would have no result"],
    [
      "a default outside of the valid values",
      [{ kind: "alter", name: "mode", default: { value: "c" } }],
      "the default 'c' of 'mode'",
    ],
    [
      "valid values without the default",
      [{ kind: "alter", name: "mode", valid: { only: ["b"] } }],
      "the default 'a' of 'mode'",
    ],
    [
      "a default of another type",
      [{ kind: "alter", name: "N", default: { value: "ten" } }],
      "'ten' is no value for 'N' (integer)",
    ],
    [
      "a longer default",
      [{ kind: "alter", name: "mode", longest: 2, valid: { add: ["abc"] } }],
      "it is longer than 2 characters",
    ],
    [
      "a unit of text",
      [{ kind: "alter", name: "mode", unit: parseUnit("s") }],
      "'mode' is a string, which has no unit",
    ],
    [
      "a change of a dropped variable",
      [
        { kind: "drop", name: "N" },
        { kind: "alter", name: "N" },
      ],
      "'N' is both dropped and changed",
    ],
  ])("refuses %s", (_, changes, message) => {
    try {
      after(...changes);
      expect.unreachable();
    } catch (error) {
      if (!isFailure(error)) throw error;
      expect(error.message).toContain(message);
    }
  });
});

describe("diffExperiments", () => {
  test("is empty for equal experiments", () => {
    expect(diffExperiments(current, current)).toEqual({ experiment: "ping", about: {}, changes: [], access: [] });
  });

  test("refuses the description of another experiment, and another type", () => {
    expect(() => diffExperiments(current, { ...current, name: "pong" })).toThrow("the description is that of 'pong'");
    const other = { ...current, variables: [parameter, { ...count, type: "float" as const }, result] };
    expect(() => updatedExperiment(current, diffExperiments(current, other))).toThrow("it cannot become float");
  });
});
