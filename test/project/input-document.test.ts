import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { InputDescription } from "../../src/formats/descriptions/input/input-description.ts";
import { readInput } from "../../src/formats/descriptions/input/input.ts";

const page = readFileSync(new URL("../../docs/input-descriptions.md", import.meta.url), "utf8");

function withoutOrigins({ locations, rules }: InputDescription): unknown {
  return JSON.parse(
    JSON.stringify({ locations, rules }, (key, value: unknown) => (key === "origin" ? undefined : value)),
  );
}

test("every example of docs/input-descriptions.md is a description", () => {
  const examples = [...page.matchAll(/```(?:xml)?\n(.*?)```/gs)].map((match) => match[1] ?? "");
  expect(examples.map((example) => readInput(example, "page").locations.length)).toEqual([5, 1, 2, 3, 1, 3, 4]);
});

test("both columns of the table of spellings say the same", () => {
  const rows = [...page.matchAll(/^\| `([A-Z]+ .*?)` \| `(<.*>)` \|$/gm)];
  expect(rows.length).toBeGreaterThan(15);
  for (const [, text = "", xml = ""] of rows) {
    const fromText = readInput(`RULES stream\n${text}`, "page");
    expect(withoutOrigins(readInput(`<input>${xml}</input>`, "page")), text).toEqual(withoutOrigins(fromText));
  }
});

test("the page names every function", () => {
  const names = /the functions\n`([a-z0-9 ]+)` of one argument,\n`([a-z0-9 ]+)` of two, `(max min)`/
    .exec(page)
    ?.slice(1)
    .join(" ");
  const expression = names
    ?.split(" ")
    .map((name) => `${name}(${/^(?:atan2|fmod|hypot|ldexp|pow|max|min)$/.test(name) ? "a, b" : "a"})`);
  expect(expression).toHaveLength(28);
  for (const each of expression ?? []) expect(readInput(`DERIVED x = ${each}`, "page").locations).toHaveLength(1);
});
