import { expect, test } from "vitest";
import { generatorContract, paperWorld } from "../../../test/contracts/generator.ts";
import type { Value, Values } from "../../core/values/value.ts";
import { external, readFormat } from "./external.ts";
import type { Generator } from "./generator.ts";
import { integer, singleton, string } from "./simple-words.ts";
import { textfile } from "./textfile.ts";

const values = (given: Readonly<Record<string, Value>>): Values => new Map(Object.entries(given));

const whole = (generator: Generator, given: Readonly<Record<string, Value>>): Values =>
  new Map([...generator.options.map((option) => [option.name, option.default ?? null] as const), ...values(given)]);

generatorContract(singleton, { good: values({ value: "small.txt" }), bad: [values({}), values({ value: "" })] });

generatorContract(integer, {
  good: values({ "min-range": -3, "max-range": 9, step: 4 }),
  bad: [
    values({ "min-range": 1 }),
    values({ "min-range": 2, "max-range": 1 }),
    values({ "min-range": 1, "max-range": 2, step: 0 }),
    values({ "min-range": 1, "max-range": 1e6 }),
  ],
});

generatorContract(string, {
  good: values({ "min-len": 1, "max-len": 40, "step-len": 13 }),
  bad: [values({ "min-len": 0, "max-len": 4 }), values({ "min-len": 1, "max-len": 1e6, "step-len": 1000 })],
});

generatorContract(textfile, {
  good: values({ "min-lines": 0, "max-lines": 20, step: 10 }),
  bad: [
    values({ "min-lines": 5 }),
    values({ "min-lines": 1, "max-lines": 2, "min-rows": 90 }),
    values({ "min-lines": 1e9, "max-lines": 1e9 }),
  ],
});

const made = ["in_10xA.txt", "in_2.5x-B.txt", "other"];

const inputs = { "external-generator": "./make inputs", "output-dir": "inputs", "file-format": "in_{rows}x{name}.txt" };

generatorContract(external, {
  good: values(inputs),
  bad: [
    values({ ...inputs, "file-format": "none_{rows}" }),
    values({ ...inputs, "file-format": "in_{amount}" }),
    values({ ...inputs, delimiters: "{" }),
    values({ "output-dir": "inputs" }),
  ],
  made,
});

test("numbers include both ends", async () => {
  const made2 = await integer.generate(whole(integer, { "min-range": 1, "max-range": 7, step: 3 }), paperWorld());
  expect(made2.map(({ words, facts }) => [words, facts.get("workload")])).toEqual([
    ["1", 1],
    ["4", 4],
    ["7", 7],
  ]);
});

test("words grow by step-len and contain letters and digits; another seed gives others", async () => {
  const make = async (seed: number): Promise<string[]> => {
    const workloads = await string.generate(
      whole(string, { "min-len": 8, "max-len": 24, "step-len": 8, seed }),
      paperWorld(),
    );
    return workloads.map(({ words }) => words);
  };
  const words = await make(1);
  expect(words.map((word) => word.length)).toEqual([8, 16, 24]);
  expect(words.every((word) => /^[A-Za-z0-9]+$/.test(word))).toBe(true);
  expect(await make(2)).not.toEqual(words);
});

test("files have the number of lines in their names, of the requested length", async () => {
  const world = paperWorld();
  const given = { "min-lines": 3, "max-lines": 5, "min-rows": 2, "max-rows": 6 };
  const workloads = await textfile.generate(whole(textfile, given), world);
  expect(workloads.map(({ words, facts }) => [words, facts.get("lines")])).toEqual([
    ["/scratch/3-lines.txt", 3],
    ["/scratch/4-lines.txt", 4],
    ["/scratch/5-lines.txt", 5],
  ]);
  for (const [name, text] of world.written) {
    const lines = text.split("\n").slice(0, -1);
    expect(lines).toHaveLength(Number.parseInt(name, 10));
    expect(lines.every((line) => line.length >= 2 && line.length <= 6)).toBe(true);
  }
  const even = paperWorld();
  await textfile.generate(whole(textfile, { ...given, "randomize-rows": false }), even);
  expect(
    [...even.written.values()].every((text) => text.split("\n").every((line) => line === "" || line.length === 6)),
  ).toBe(true);
});

test("values are parsed from names of an external generator's files; others are skipped", async () => {
  const world = paperWorld("/tree", made);
  const workloads = await external.generate(whole(external, inputs), world);
  expect(world.commands).toEqual(["./make inputs"]);
  expect(workloads.map(({ words, facts }) => [words, Object.fromEntries(facts)])).toEqual([
    ["/tree/inputs/in_10xA.txt", { workload: "in_10xA.txt", rows: 10, name: "A" }],
    ["/tree/inputs/in_2.5x-B.txt", { workload: "in_2.5x-B.txt", rows: 2.5, name: "-B" }],
  ]);
});

test.each([
  ["{a}", "12", { a: 12 }],
  ["{a}.txt", ".txt", null],
  ["x{a}", "y1", null],
  ["plain", "plain", {}],
  ["plain", "plainer", null],
  ["{a}-{b}", "1-2-3", { a: 1, b: "2-3" }],
  ["{a}_{b}.t", "x_y.t.t", { a: "x", b: "y.t" }],
  ["{a}aa{b}", "aaaa", { a: "a", b: "a" }],
])("the form %s reads %s as %j", (format, name, expected) => {
  const found = readFormat(format, ["{", "}"]).read(name);
  expect(found === null ? null : Object.fromEntries(found)).toEqual(expected);
});

test.each(["{a", "{}", "{a}{b}", "{a}-{a}", "{uid}"])("the pattern %s is refused", (format) => {
  expect(() => readFormat(format, ["{", "}"])).toThrow("file-format");
});
