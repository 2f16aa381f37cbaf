import { between, copies, type MutationRule, type Random } from "./rule.ts";
import { editText, pickCharacter, pickLine, pickOffset, replaced, type Span } from "./sample-text.ts";

function binaryRule(name: string, synopsis: string, apply: MutationRule["apply"]): MutationRule {
  return Object.freeze<MutationRule>({ name, synopsis, family: "binary", apply });
}

/** Rules for bytes regardless of their meaning. The last one is not from Perun. */
export const binaryRules: readonly MutationRule[] = [
  binaryRule("remove-zero-byte", "remove a zero byte", (bytes, random) => {
    const at = pickZero(bytes, random);
    return at < 0 ? bytes : spliced(bytes, at, 1, []);
  }),
  binaryRule("insert-zero-byte", "insert a zero byte", (bytes, random) =>
    spliced(bytes, between(0, bytes.length, random), 0, [0]),
  ),
  binaryRule("insert-byte", "insert a random byte", (bytes, random) =>
    spliced(bytes, between(0, bytes.length, random), 0, [between(0, 255, random)]),
  ),
  binaryRule("remove-byte", "remove a byte", (bytes, random) =>
    bytes.length === 0 ? bytes : spliced(bytes, between(0, bytes.length - 1, random), 1, []),
  ),
  binaryRule("swap-bytes", "swap two bytes", swappedBytes),
  binaryRule("flip-bit", "flip a bit", (bytes, random) => {
    const at = between(0, bytes.length - 1, random);
    const flipped = bytes.slice();
    if (bytes.length > 0) flipped[at] = (bytes[at] ?? 0) ^ (1 << between(0, 7, random));
    return flipped;
  }),
  binaryRule("repeat-bytes", "repeat up to 64 bytes 10 to 100 times", repeatedBytes),
];

function spliced(bytes: Uint8Array, at: number, removed: number, inserted: ArrayLike<number>): Uint8Array {
  const made = new Uint8Array(bytes.length - removed + inserted.length);
  made.set(bytes.subarray(0, at));
  made.set(inserted, at);
  made.set(bytes.subarray(at + removed), at + inserted.length);
  return made;
}

/** Offset of the first zero byte at or after a random offset, else of the first one; -1 if there is none. */
function pickZero(bytes: Uint8Array, random: Random): number {
  const next = bytes.indexOf(0, between(0, Math.max(0, bytes.length - 1), random));
  return next >= 0 ? next : bytes.indexOf(0);
}

function swappedBytes(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.length < 2) return bytes;
  const [a, b] = [between(0, bytes.length - 1, random), between(0, bytes.length - 1, random)];
  const made = bytes.slice();
  [made[a], made[b]] = [bytes[b] ?? 0, bytes[a] ?? 0];
  return made;
}

const longestSpan = 64;

function repeatedBytes(bytes: Uint8Array, random: Random, limit: number): Uint8Array {
  if (bytes.length === 0) return bytes;
  const at = between(0, bytes.length - 1, random);
  const span = bytes.subarray(at, at + between(1, longestSpan, random));
  const times = copies(between(10, 100, random), span.length, limit);
  const repeated = new Uint8Array(span.length * times);
  for (let time = 0; time < times; time++) repeated.set(span, time * span.length);
  return spliced(bytes, at, span.length, repeated);
}

/** Returns the replacement for a line. */
type LineEdit = (line: string, random: Random, limit: number) => string;

/** Returns the text after an edit at the given line. */
type TextEdit = (text: string, line: Span, random: Random, limit: number) => string;

function textRule(name: string, synopsis: string, edit: TextEdit): MutationRule {
  const apply: MutationRule["apply"] = (bytes, random, limit) =>
    editText(bytes, (text) => edit(text, pickLine(text, random), random, limit));
  return Object.freeze<MutationRule>({ name, synopsis, family: "text", apply });
}

function lineRule(name: string, synopsis: string, edit: LineEdit): MutationRule {
  return textRule(name, synopsis, (text, line, random, limit) =>
    replaced(text, line, edit(text.slice(line.start, line.end), random, limit)),
  );
}

/** Rules for text. Each edits a randomly chosen line. The last two are not from Perun. */
export const textRules: readonly MutationRule[] = [
  textRule("change-character", "replace a character with another", (text, line, random) => {
    const character = pickCharacter(text, line, random);
    return character ? replaced(text, character, printable(random)) : text;
  }),
  textRule("insert-blanks", "insert 100 to 1000 blanks somewhere in a line", (text, line, random) => {
    const offset = pickOffset(text, line, random);
    return replaced(text, { start: offset, end: offset }, blanks(random));
  }),
  textRule("split-line", "insert a line break into a line", (text, line, random) => {
    const offset = pickOffset(text, line, random);
    return replaced(text, { start: offset, end: offset }, "\n");
  }),
  lineRule("double-line", "append a copy of a line to itself", (line) => line + line),
  lineRule("append-blanks", "append 100 to 1000 blanks to a line", (line, random) => line + blanks(random)),
  lineRule("prepend-blanks", "prepend 100 to 1000 blanks to a line", (line, random) => blanks(random) + line),
  lineRule("strip-blanks", "trim the blanks at both ends of a line", (line) => line.trim()),
  lineRule("multiply-blanks", "multiply each blank of a line by ten", multipliedBlanks),
  lineRule("duplicate-line", "duplicate a line", (line) => `${line}\n${line}`),
  lineRule("sort-words", "sort the words of a line", (line) => sortedWords(line, 1)),
  lineRule("reverse-words", "sort the words of a line in descending order", (line) => sortedWords(line, -1)),
  textRule("repeat-word", "repeat a word of a line a hundred times", (text, line, random, limit) => {
    const word = pickWord(text, line, random);
    if (!word) return text;
    const repeated = text.slice(word.start, word.end);
    return replaced(text, word, `${repeated} `.repeat(copies(100, repeated.length + 1, limit)).trimEnd());
  }),
  textRule("delete-line", "delete a line", (text, { start, end }) =>
    replaced(text, { start, end: Math.min(end + 1, text.length) }, ""),
  ),
  textRule("delete-word", "delete a word of a line", (text, line, random) => {
    const word = pickWord(text, line, random);
    return word ? replaced(text, word, "") : text;
  }),
  textRule("delete-character", "delete a character of a line", (text, line, random) => {
    const character = pickCharacter(text, line, random);
    return character ? replaced(text, character, "") : text;
  }),
  textRule("repeat-character", "repeat a character of a line 100 to 1000 times", (text, line, random) => {
    const character = pickCharacter(text, line, random);
    return character
      ? replaced(text, character, text.slice(character.start, character.end).repeat(between(100, 1000, random)))
      : text;
  }),
  textRule("repeat-lines", "repeat up to 10 lines 10 to 100 times", repeatedLines),
];

function printable(random: Random): string {
  return String.fromCharCode(between(0x20, 0x7e, random));
}

function blanks(random: Random): string {
  return " ".repeat(between(100, 1000, random));
}

/** Stops multiplying once the line reaches the limit. */
function multipliedBlanks(line: string, _: Random, limit: number): string {
  let made = "";
  let from = 0;
  for (let at = line.indexOf(" "); at >= 0 && made.length < limit; at = line.indexOf(" ", from)) {
    let end = at;
    while (line[end] === " ") end++;
    made += line.slice(from, at) + " ".repeat(copies(10, end - at, limit) * (end - at));
    from = end;
  }
  return made + line.slice(from);
}

/** Sorts words and keeps the blanks between them. If all words are integers, sorts numerically. */
function sortedWords(line: string, direction: 1 | -1): string {
  const words = line.match(/\S+/g) ?? [];
  const compare = words.every((word) => /^-?\d{1,15}$/.test(word))
    ? (a: string, b: string) => Number(a) - Number(b)
    : (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  const ordered = words.toSorted((a, b) => direction * compare(a, b));
  let next = 0;
  return line.replaceAll(/\S+/g, () => ordered[next++] ?? "");
}

function pickWord(text: string, { start, end }: Span, random: Random): Span | null {
  const words = [...text.slice(start, end).matchAll(/\S+/g)];
  const word = words[between(0, words.length - 1, random)];
  return word ? { start: start + word.index, end: start + word.index + word[0].length } : null;
}

const mostLines = 10;

function repeatedLines(text: string, line: Span, random: Random, limit: number): string {
  let { end } = line;
  for (let more = between(0, mostLines - 1, random); more > 0 && end < text.length; more--) {
    const next = text.indexOf("\n", end + 1);
    end = next < 0 ? text.length : next;
  }
  const block = `${text.slice(line.start, end)}\n`;
  const repeated = block.repeat(copies(between(10, 100, random), block.length, limit)).slice(0, -1);
  return replaced(text, { start: line.start, end }, repeated);
}
