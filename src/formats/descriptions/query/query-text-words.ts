import type { Word } from "../lexical-syntax.ts";
import type { LineWords } from "../line-words.ts";
import { optionalProperty } from "./query-xml-element.ts";

/** `PARAMETER id value …`: the id of an element and its required names. */
export function idAndNames(words: LineWords, what: readonly string[]): string[] {
  const bare = words.bareWords(what.length + 1);
  const missing = ["id", ...what][bare.length];
  if (missing !== undefined) throw words.error(words, `${words.keyword} needs ${[`an id`, ...what].join(" and ")}`);
  return bare.map((word) => requiredText(words, word));
}

export function requiredText(words: LineWords, word: Word): string {
  if (word.text !== "") return word.text;
  throw words.error(word, "an id or a name is empty");
}

export function textDescriptor<K extends string>(words: LineWords, key: string, as: K): { [P in K]?: string } {
  return optionalProperty(as, words.one(key)?.text);
}
