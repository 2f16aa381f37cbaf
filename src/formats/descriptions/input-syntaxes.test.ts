import fc from "fast-check";
import { expect, test } from "vitest";
import { understandsOrRefuses } from "../../../test/contracts/description-language.ts";
import { inputDescription } from "../../../test/contracts/input-arbitrary.ts";
import { isFailure } from "../../core/failures/failure.ts";
import type { InputDescription } from "./input/input-description.ts";
import { printInput } from "./input/input-print.ts";
import { printInputXml } from "./input/input-xml-print.ts";
import { readInput } from "./input/input.ts";

/** The two syntaxes differ only in positions. */
function withoutOrigins(description: InputDescription): unknown {
  return JSON.parse(JSON.stringify(description, (key, value: unknown) => (key === "origin" ? undefined : value)));
}

/** Thousands of descriptions take long on a busy machine. */
const patient = { timeout: 60_000 };

test("both syntaxes are equivalent", patient, () => {
  fc.assert(
    fc.property(inputDescription, (description) => {
      const expected = withoutOrigins(description);
      const text = readInput(printInput(description), "i");
      expect(withoutOrigins(text)).toEqual(expected);
      const xml = readInput(printInputXml(text), "i");
      expect(withoutOrigins(xml)).toEqual(expected);
      expect(printInput(xml)).toBe(printInput(description));
    }),
    { numRuns: 200 },
  );
});

test("any text made of the words of the XML gives a description or a description error", patient, () => {
  const words = [
    "<",
    ">",
    "/",
    "=",
    "'",
    '"',
    "&",
    " ",
    "\n",
    "1",
    "-1",
    "&x;",
    "<!DOCTYPE x [",
    " mode='count'",
    "<input>",
    "</input>",
    "<named_location>",
    "</named_location>",
    "<name>x</name>",
    "<match>",
    "</match>",
    "<regexp>(</regexp>",
    "<term>",
    "<tabular_location>",
    "</tabular_location>",
    "<tabular_value>",
    "<pos>1</pos>",
    "<skip>",
    "</skip>",
  ];
  understandsOrRefuses((source) => readInput(`<${source}`, "x"), words);
  understandsOrRefuses((source) => readInput(`<input>${source}</input>`, "x"), words);
});

/** Removes or replaces a piece. */
const mutation = fc.record({
  at: fc.nat(),
  length: fc.integer({ min: 0, max: 12 }),
  with: fc.oneof(
    fc.constant(""),
    fc.string({ maxLength: 2 }),
    fc.constantFrom("<", '"', "\\", "=", "-1", "{", "\u0000", "9999999999"),
  ),
});

test("10,000 mutations of descriptions give a description or a description error", patient, () => {
  let refused = 0;
  fc.assert(
    fc.property(
      inputDescription,
      fc.boolean(),
      fc.array(fc.array(mutation, { minLength: 1, maxLength: 3 }), { minLength: 20, maxLength: 20 }),
      (description, xml, all) => {
        const source = xml ? printInputXml(description) : printInput(description);
        for (const mutations of all) refused += understands(mutations.reduce(mutated, source)) ? 0 : 1;
      },
    ),
    { numRuns: 500, seed: 1 },
  );
  expect(refused).toBeGreaterThan(1000);
  expect(refused).toBeLessThan(9900);
});

function mutated(source: string, { at, length, with: other }: { at: number; length: number; with: string }): string {
  const from = at % (source.length + 1);
  return source.slice(0, from) + other + source.slice(from + length);
}

function understands(source: string): boolean {
  try {
    readInput(source, "x");
    return true;
  } catch (error) {
    if (!isFailure(error, "description-error")) throw error;
    return false;
  }
}
