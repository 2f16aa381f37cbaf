import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { printExperiment } from "../../src/formats/descriptions/experiment/experiment-print.ts";
import { parseExperiment } from "../../src/formats/descriptions/experiment/experiment.ts";
import { readExperiment, readExperimentUpdate } from "../../src/formats/descriptions/experiment/read-experiment.ts";
import { parseInput } from "../../src/formats/descriptions/input/input.ts";

/** The first example of a page. */
function exampleOf(page: string): string {
  const text = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), "utf8");
  return /```\n(.*?)```/s.exec(text)?.[1] ?? "";
}

test("the example of docs/input-descriptions.md is one", () => {
  expect(parseInput(exampleOf("input-descriptions"), "page").locations).toHaveLength(5);
});

test("the example of docs/experiment-descriptions.md is one, and is printed as it is read", () => {
  const experiment = parseExperiment(exampleOf("experiment-descriptions"), "page");
  expect(experiment.variables.map((variable) => variable.name)).toEqual(["S_msg", "mode", "N_nodes", "T_pp"]);
  expect(parseExperiment(printExperiment(experiment), "page")).toEqual(experiment);
});

test("the XML of docs/experiment-descriptions.md is an experiment, its update is one", () => {
  const page = readFileSync(new URL("../../docs/experiment-descriptions.md", import.meta.url), "utf8");
  const [, xml = "", update = ""] = /```xml\n(.*?)```.*?```\n(.*?)```/s.exec(page) ?? [];
  expect(readExperiment(xml, "page").variables.map(({ name }) => name)).toEqual(["mode", "T_pp"]);
  expect(readExperimentUpdate(update, "page").changes.map(({ kind }) => kind)).toEqual([
    "add",
    "auto",
    "alter",
    "alter",
    "drop",
  ]);
});
