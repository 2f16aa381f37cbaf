import { expect, test } from "vitest";
import { helpText } from "./help.ts";

const long = `It is printed ${"so ".repeat(30)}in`;

test("joins lines of prose, but not labelled lines or ends of paragraphs", () => {
  const text = `${long}\ntwo lines.\nStatistics: mean.\nConditions: a=b.\nThat is all.`;
  expect(helpText(text, 1000).split("\n")).toEqual([
    `${long} two lines.`,
    "Statistics: mean.",
    "Conditions: a=b.",
    "That is all.",
  ]);
  expect(helpText("one two three four", 9)).toBe("one two\nthree\nfour");
  expect(helpText("a\n\n\nb", 80)).toBe("a\n\nb");
});

test("never wraps examples", () => {
  const examples = `Examples: perfkeep export ${"x".repeat(90)} y\n          perfkeep query ${"z ".repeat(60)}end`;
  expect(helpText(`Prose.\n\n${examples}`, 40)).toBe(`Prose.\n\n${examples}`);
  expect(helpText(`Example: a ${long}\nExample: b`, 40)).toBe(`Example: a ${long}\nExample: b`);
});

test("puts a word wider than the terminal on its own line", () => {
  expect(helpText("an extraordinarily long one", 5)).toBe("an\nextraordinarily\nlong\none");
});
