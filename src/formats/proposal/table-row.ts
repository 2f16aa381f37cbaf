import { isRuleLine } from "./headings.ts";
import { isNumberEntry, isSpecialNumber } from "./missing-marks.ts";
import { wordsOf, type Word } from "./numbers.ts";
import type { SampleLine } from "./sample.ts";

/** The words of a line. */
export interface Row {
  readonly words: Word[];
  readonly numeric: boolean[];
  /** Whether each entry is a number; undefined: it stands for a missing one. */
  readonly kinds: readonly (boolean | undefined)[];
}

/** `name: value` and `name = value unit`. */
const namedNumber = /^[^=:|]*\p{L}[^=:|]*[=:]\s*[-+.\d][^\s=:|]*(?:\s+[^\s\d]+)?\s*$/u;

/** The words of a line that can be a row: it has a number, and no number is only part of a word. */
export function rowOf(line: SampleLine | undefined, isNext = false): Row | undefined {
  if (!line || isRuleLine(line.text)) return undefined;
  // A further row may have `nan` in all of its columns.
  const isSpecial = isNext && wordsOf(line.text).some(({ text }) => isSpecialNumber(text));
  if (line.numbers.length === 0 && !isSpecial) return undefined;
  if (line.numbers.length === 1 && namedNumber.test(line.text)) return undefined;
  if (line.numbers.length > 1 && line.numbers.every(({ start }) => /[=:]\s*$/.test(line.text.slice(0, start))))
    return undefined;
  const words = wordsOf(line.text);
  const kinds = words.map(({ text }) => isNumberEntry(text));
  const numeric = kinds.map((kind) => kind === true);
  return words.length > 1 && numeric.includes(true) ? { words, numeric, kinds } : undefined;
}
