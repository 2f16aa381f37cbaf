import { expect, test } from "vitest";
import type { Setting } from "../../core/values/setting.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { optionsOf } from "./plugin-options.ts";

const option = (name: string, type: Variable["type"], rest: Partial<Variable> = {}): Variable => ({
  name,
  role: "parameter",
  occurrence: "once",
  type,
  ...rest,
});

const plugin = {
  kind: "collector",
  name: "probe",
  synopsis: "",
  options: [
    option("repeat", "integer", { default: 10 }),
    option("allow-failure", "boolean", { default: false }),
    option("timeout", "float", { default: null }),
    option("mode", "string", { default: "a", valid: ["a", "b"] }),
    option("names", "text", { default: null }),
  ],
};

const given = (entries: Readonly<Record<string, Setting>>) => optionsOf(plugin, new Map(Object.entries(entries)));

test("uses defaults", () => {
  expect([...given({})]).toEqual([
    ["repeat", 10],
    ["allow-failure", false],
    ["timeout", null],
    ["mode", "a"],
    ["names", null],
  ]);
});

test("converts settings to the type of the option", () => {
  expect([...given({ repeat: "3", allow_failure: "yes", timeout: 1.5, mode: "b", names: "x" }).values()]).toEqual([
    3,
    true,
    1.5,
    "b",
    "x",
  ]);
  expect([...given({ repeat: 4, "allow-failure": true, timeout: null, names: ["x", 2] }).values()]).toEqual([
    4,
    true,
    null,
    "a",
    "x\n2",
  ]);
});

test("reports unknown names and invalid values", () => {
  expect(() => given({ repeats: 1 })).toThrow("collector probe has no option 'repeats', did you mean repeat?");
  expect(() => given({ constructor: 1 })).toThrow("no option 'constructor'");
  expect(() => given({ repeat: 1.5 })).toThrow("option repeat of probe: '1.5' is not a value of type integer");
  expect(() => given({ repeat: ["1"] })).toThrow("option repeat of probe: '' is not");
  expect(() => given({ mode: "c" })).toThrow("is not one of a, b");
});
