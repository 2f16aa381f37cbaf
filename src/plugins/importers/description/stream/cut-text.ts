import type { Cut } from "../../../../formats/descriptions/index.ts";
import type { Extent } from "../values/value-extent.ts";
import type { Spot } from "../finders/finder.ts";

/** Characters that end a value, in the order in which they are tried; those of the location come after them. */
const blanks = [" ", "\r", "\f", "\v", "\n", "\t"];

/**
 * The value in the text next to a mark: up to the terminator, a fixed number of characters, or one word; as many words
 * as `extent` says. A text that is the value as a whole is not cut without a reason.
 */
export function valueText(
  { text, terminator, isWhole }: Spot,
  { length, blanks: own = "" }: Cut,
  leads: boolean,
  extent?: Extent,
): string {
  const stripped = printable(text).trim();
  if (terminator) return cutAt(stripped, terminator, leads);
  if (length !== undefined) return length === 0 ? stripped : stripped.slice(0, length).trim();
  if (isWhole && own === "") return stripped;
  const blank = blanks.find((each) => stripped.includes(each)) ?? lastIn(stripped, own);
  if (blank === undefined) return stripped;
  const words = stripped
    .split(blank)
    .map((word) => word.trim())
    .filter((word) => word !== "");
  if (!extent) return words.at(leads ? -1 : 0) ?? "";
  return (leads ? lastWords(words, extent) : words.slice(0, extent(words, false))).join(" ");
}

/** Most words of a value before its mark. */
const mostWords = 6;

/** The longest value that ends with the last word, else that word. */
function lastWords(words: readonly string[], extent: Extent): readonly string[] {
  for (let count = Math.min(mostWords, words.length); count > 1; count--) {
    const last = words.slice(-count);
    if (extent(last, false) === count) return last;
  }
  return words.slice(-1);
}

/** The last character of the list that the text contains. */
function lastIn(text: string, characters: string): string | undefined {
  for (let at = characters.length; at > 0;) {
    const before = at - (isSecondHalf(characters, at - 1) ? 2 : 1);
    const character = characters.slice(before, at);
    if (text.includes(character)) return character;
    at = before;
  }
  return undefined;
}

function isSecondHalf(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

function cutAt(text: string, terminator: string, leads: boolean): string {
  const at = leads ? text.lastIndexOf(terminator) : text.indexOf(terminator);
  if (at < 0) return text;
  return (leads ? text.slice(at + terminator.length) : text.slice(0, at)).trim();
}

// eslint-disable-next-line no-control-regex -- matches control characters
const controls = /[\u0000-\u0008\u000e-\u001f\u007f]/;
const allControls = new RegExp(controls, "g");

/** Removes control characters other than blanks. */
function printable(text: string): string {
  return controls.test(text) ? text.replaceAll(allControls, "") : text;
}
