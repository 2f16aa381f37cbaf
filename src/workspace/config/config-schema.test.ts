import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { knownKeys } from "./keys.ts";
import { localTemplate, sharedTemplate, templateNames } from "./templates.ts";

interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
}

const schema = JSON.parse(readFileSync("schemas/configuration-1.schema.json", "utf8")) as Node &
  Record<string, unknown>;
const isValid = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true }).compile(schema);

const keysOf = ({ properties }: Node, path = ""): string[] =>
  properties === undefined || knownKeys.has(path)
    ? [path]
    : Object.entries(properties).flatMap(([name, node]) => keysOf(node, path === "" ? name : `${path}.${name}`));

test("the schema has every configuration key and its aliases", () => {
  expect(keysOf(schema).toSorted()).toEqual([...knownKeys.keys(), "degradation.strategy"].toSorted());
});

test("every key is described equally in the schema and in docs/configuration.md", () => {
  const page = readFileSync("docs/configuration.md", "utf8").replaceAll(/\s+/g, " ");
  for (const key of knownKeys.keys()) {
    const node = key.split(".").reduce<Node>((at, name) => at.properties?.[name] ?? {}, schema);
    expect(page).toMatch(new RegExp(`\\| \`${key}\` \\| .*`));
    expect(page).toContain(node.description ?? `a description of ${key}`);
  }
});

test("generated files are valid, and invalid ones are not", () => {
  const facts = { type: "git", url: "../", commands: ["./a --b"], workloads: ["in.txt"] };
  const texts = [...templateNames.map((name) => localTemplate(name, facts)), sharedTemplate()];
  for (const text of [
    ...texts,
    "",
    "collectors: time\npostprocessors: [normalizer, {name: filter}]\n",
    "plugins: [a.mjs]\ngenerators:\n  workload:\n    - {id: a, type: integer}\n",
  ])
    expect([text, isValid(parse(text))]).toEqual([text, true]);
  for (const text of [
    "- a\n",
    "vcs: git\n",
    "cmds: [[a]]\n",
    "profiles:\n  register_after_run: [yes]\n",
    "collectors: [[time]]\n",
  ])
    expect([text, isValid(parse(text))]).toEqual([text, false]);
});
