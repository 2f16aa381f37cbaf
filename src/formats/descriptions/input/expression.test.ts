import fc from "fast-check";
import { expect, test } from "vitest";
import { refusesWith, understandsOrRefuses } from "../../../../test/contracts/description-language.ts";
import { evaluate } from "../../../core/variables/expression.ts";
import { expression } from "../../../../test/contracts/expression-arbitrary.ts";
import { printExpression } from "./input-print.ts";
import { printTermXml, readTermXml } from "./expression-xml.ts";
import { parseExpression } from "./expression.ts";
import { readXml } from "../../text/xml.ts";

function parse(text: string): ReturnType<typeof parseExpression> {
  return parseExpression({ file: "i", number: 1, text }, 0);
}

test.each<[string, number | null]>([
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["7 / 2", 3.5],
  ["10 - 4 - 3", 3],
  ["2 ^ 3 ^ 2", 512],
  ["-2 ^ 2", -4],
  ["2 ^ -1", 0.5],
  ["7 % 4 * 2", 6],
  ["-a + +3", 1],
  ["- -3", 3],
  ['"e" + pi - pi', 5],
  ["max(1, a, 2 * 4)", 8],
  ["1.5e1 + .5", 15.5],
  ["a / (a - 2)", null],
])("%s", (text, value) => {
  expect(
    evaluate(parse(text), (name) => {
      if (name === "a") return 2;
      return name === "e" ? 5 : null;
    }),
  ).toBe(value);
});

test.each<[string, string]>([
  ["", "i:1:1: the expression ends where a number, a name or ( should follow"],
  ["1 +", "i:1:4: the expression ends"],
  ["1 2", "i:1:3: '2' is not expected there"],
  ["(1 + 2", "i:1:7: a closing parenthesis is missing here"],
  ["sqr(2)", "i:1:1: unknown function 'sqr', did you mean sqrt?"],
  ["fmod(2)", "i:1:1: fmod takes 2 arguments, not 1"],
  ["a ; b", "i:1:3: ';' is not expected there"],
  ['1 + "a', "i:1:5: this quote is not closed"],
  ['"1a"', "i:1:1: '1a' is not a valid name"],
  ["1e999", "i:1:1: '1e999' is too large"],
  ["(".repeat(200), "nested deeper than 30 operations"],
  [`${"-".repeat(40)}a`, "i:1:1: the expression is nested deeper than 30 operations"],
  [Array.from({ length: 1001 }, () => "1").join("+"), "the expression has more than 1000 operands"],
])("reports the position: %j", (text, message) => {
  refusesWith(message, () => parse(text));
});

test("parse(print(x)) = x in both syntaxes", () => {
  fc.assert(
    fc.property(expression, (each) => {
      expect(parse(printExpression(each))).toEqual(each);
      expect(readTermXml(readXml(`<term>${printTermXml(each)}</term>`, "i"))).toEqual(each);
    }),
    { numRuns: 500 },
  );
});

test("prints only necessary parentheses", () => {
  for (const text of [
    "a - b - c",
    "a - (b - c)",
    "(a + b) * c",
    "a / b * c",
    "a / (b * c)",
    "-a^2",
    "(-a)^2",
    "a^-b",
    "(a^b)^c",
    "a + b - c + d",
  ]) {
    expect(printExpression(parse(text))).toBe(text);
  }
});

test("any text gives an expression or a description error", () => {
  understandsOrRefuses(parse, [
    "1",
    "a",
    "e",
    "(",
    ")",
    "+",
    "-",
    "^",
    "*",
    ",",
    "max(",
    '"',
    " ",
    "%",
    "\u0000",
    "e9",
  ]);
});

test("perfbase's terms", () => {
  const term = (inner: string): number | null => evaluate(readTermXml(readXml(`<term>${inner}</term>`, "i")), () => 3);
  expect(
    term("<fraction><dividend><parameter>a</parameter></dividend><divisor><constant>2</constant></divisor></fraction>"),
  ).toBe(1.5);
  expect(
    term(
      "<function type='fmod'><argument><constant>7</constant></argument>" +
        "<argument><constant>4</constant></argument></function>",
    ),
  ).toBe(3);
  expect(term("<sum><summand><constant>pi</constant></summand></sum>")).toBe(Math.PI);
});
