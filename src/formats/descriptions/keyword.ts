import { nearest } from "../../core/text/index.ts";
import { descriptionError, type DescriptionLine } from "./lexical-syntax.ts";

/**
 * The keyword at the start of a line in upper case, and its 1-based column. Fails with `description-error` on an
 * unknown keyword.
 */
export function keywordOf(line: DescriptionLine, keywords: readonly string[]): { keyword: string; column: number } {
  const start = line.text.search(/\S/);
  const word = /^\S+/.exec(line.text.slice(start))?.[0] ?? "";
  const keyword = keywords.find((each) => each === word.toUpperCase());
  if (keyword !== undefined) return { keyword, column: start + 1 };
  const near = nearest(word.slice(0, 40), keywords);
  const guess = near.length > 0 ? `, did you mean ${near.join(", ")}?` : "";
  throw descriptionError(line, start + 1, `unknown keyword '${word.slice(0, 40)}'${guess}`, {
    advice: `keywords are ${keywords.join(", ")}`,
  });
}
