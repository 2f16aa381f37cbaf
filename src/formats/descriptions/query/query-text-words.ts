import type { Word } from "../lexical-syntax.ts";
import type { LocationWords } from "../input/input-words.ts";
import { given } from "./query-xml-element.ts";

/** `PARAMETER id value …`: the first word is the id, the others are what the element is made from. */
export function idAnd(words: LocationWords, what: readonly string[]): string[] {
  const bare = words.bareWords(what.length + 1);
  const missing = ["id", ...what][bare.length];
  if (missing !== undefined) throw words.error(words, `${words.keyword} needs ${[`an id`, ...what].join(" and ")}`);
  return bare.map((word) => filled(words, word));
}

export function filled(words: LocationWords, word: Word): string {
  if (word.text !== "") return word.text;
  throw words.error(word, "an id or a name is empty");
}

export function text<K extends string>(words: LocationWords, key: string, as: K): { [P in K]?: string } {
  return given(as, words.one(key)?.text);
}
