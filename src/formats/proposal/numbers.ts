import { findUnit, sameDimension, type Unit } from "../../core/values/index.ts";

/** A number of a line, as printed. Offsets are in UTF-16 units; `end` excludes the unit. */
export interface NumberToken {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Unit directly after the number, as in `5ms`. */
  readonly suffix: string;
  /** A second number after a slash belongs to it, which no rule reads: `8361/1` calls, of which 1 is no recursion. */
  readonly hasPart?: true;
}

/** A word of a line. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Matches a number in patterns of RE2 and JavaScript alike. */
export const numberPattern = String.raw`[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+|[dD][-+]?[0-9]{2,3}\b)?`;

/** A number in the patterns of a proposal: short, since users read them. */
export const shortNumber = String.raw`[-+.]*\d[-+.\deEdD]*`;

/** The same for the numbers of lines, some of which may have prefixes or be factors. */
export function numbersPattern(lines: readonly { readonly numbers: readonly NumberToken[] }[]): string {
  const isScaled = lines.some(({ numbers }) => numbers.some(({ text }) => /[kKMGTix]$/.test(text)));
  const number = isScaled ? `${shortNumber}[kKMGTix]*` : shortNumber;
  return lines.some(({ numbers }) => numbers.some(({ hasPart }) => hasPart)) ? `${number}(?:${partPattern})?` : number;
}

/** The part after a slash of a number, as in `8361/1`. */
export const partPattern = String.raw`/\d+`;

const wholeNumber = new RegExp(`^(${numberPattern})(.*)$`);
const weekdays = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*";
const months = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*";

/** Dates, times, versions, addresses, hashes and paths: their digits are no measurements. */
const masked = new RegExp(
  [
    String.raw`\b${weekdays},? +${months} +\d+(?: +\d+:\d+(?::\d+)?)?(?: +[A-Z]{3,4})?(?:,? +\d{4})?`,
    String.raw`\b${months}\.? +\d{1,2}(?:,? +\d{4}\b)?`,
    String.raw`\b\d{1,2} +${months}(?: +\d{4})?`,
    String.raw`\b${months} +\d{4}\b`,
    String.raw`\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d+:\d+(?::\d+(?:[.,]\d+)?)?)?(?:Z|[-+]\d{2}:?\d{2})?`,
    String.raw`\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b`,
    String.raw`\b\d+:\d{2}(?::\d{2})?(?:[.,]\d+)?\b`,
    String.raw`\bv?\d+(?:\.\d+){2,}[-+.\w]*`,
    String.raw`\bv\d[-.\w]*`,
    String.raw`(?<![\d.])\b(?=[\da-f]*[a-f])(?=[\da-f]*\d)(?!\d+e[-+]?\d+\b)[\da-f]{8,}\b`,
    String.raw`\b0x[\da-fA-F]+\b`,
    String.raw`\b[\da-fA-F]{8}-[\da-fA-F-]{20,}`,
    String.raw`(?:^|(?<=[\s'"=(]))(?:[a-z]+:/|[.~$][\w-]*|[\w-]+(?=/[^\s/]+/[^\s/]+/))?/[^\s]*[A-Za-z][^\s]*`,
  ].join("|"),
  "g",
);

/** Characters that may stand directly next to a number without being part of it. */
const glue = /[\s=:,;|()[\]{}<>"'/@#~*$`]/;

/** The words of a line: separated by white space and the characters of `blanks`. */
export function wordsOf(line: string, blanks = ""): Word[] {
  const words: Word[] = [];
  const pattern = new RegExp(`[^\\s${escapeInClass(blanks)}]+`, "g");
  for (const match of line.matchAll(pattern))
    words.push({ start: match.index, end: match.index + match[0].length, text: match[0] });
  return words;
}

function escapeInClass(characters: string): string {
  return characters.replaceAll(/[\\\]^-]/g, "\\$&");
}

/** Escapes a text for patterns of RE2 and JavaScript alike. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** True for what scales the number before it: a prefix, or the sign of a factor. Both belong to the number. */
function isScale(suffix: string): boolean {
  return /^(?:[kKMGT]i?|x)$/.test(suffix);
}

/** The number of a word as importers read it: without brackets around it and punctuation after it. */
export function numberOf(word: string): { readonly text: string; readonly suffix: string } | undefined {
  const bare = word.replace(/^[([{<]+/, "").replace(/[,;:)\]}>]+$/, "");
  const match = wholeNumber.exec(bare);
  if (!match) return undefined;
  const [, text = "", suffix = ""] = match;
  if (isScale(suffix)) return { text: text + suffix, suffix: "" };
  return suffix === "" || unitNamed(suffix) !== undefined ? { text, suffix } : undefined;
}

/** Replaces the characters of dates, versions, paths and the like with U+E000. */
export function maskedLine(line: string): string {
  return line.replaceAll(masked, (text) => "\uE000".repeat(text.length));
}

/** The numbers of a line, except for those in dates, versions, paths and the like. */
export function numbersIn(line: string): NumberToken[] {
  if (!/\d/.test(line)) return [];
  const bare = maskedLine(line);
  const tokens: NumberToken[] = [];
  for (const match of bare.matchAll(/[-+.\w%\u00b5\u03bc\uE000]+/g)) {
    const token = tokenOf(bare, match.index, match[0]);
    if (token) tokens.push(token);
  }
  return withoutGroups(bare, tokens);
}

function tokenOf(line: string, start: number, piece: string): NumberToken | undefined {
  const [, text = "", word = ""] = wholeNumber.exec(piece.replace(/[.]+$/, "")) ?? [];
  if (text === "" || isName(line.slice(start + piece.length))) return undefined;
  const isScaled = isScale(word);
  if (isScaled && isInLabel(line, start, start + piece.length)) return undefined;
  const suffix = isScaled ? "" : withRate(word, line.slice(start + text.length + word.length));
  const before = line[start - 1] ?? " ";
  const after = line[start + Math.max(piece.length, text.length + suffix.length)] ?? " ";
  if (!glue.test(before) || (!glue.test(after) && after !== "\u00b1")) return undefined;
  if (suffix !== "" && unitNamed(suffix) === undefined) return undefined;
  const number = isScaled ? text + word : text;
  return { start, end: start + number.length, text: number, suffix };
}

/** In `1T CPU Freq (MHz): 5012` and `128K random read: 7` the first number is a part of the label. */
function isInLabel(line: string, start: number, end: number): boolean {
  return line.slice(0, start).trim() === "" && /^\s+[A-Za-z][^:=\d]*[:=]/.test(line.slice(end));
}

/** In `50=0.01%` the first number is a name. */
function isName(after: string): boolean {
  return /^\s*=(?!=)/.test(after);
}

/** The unit directly after a number with its time: `MiB` and `/s`. */
function withRate(word: string, after: string): string {
  const [time = ""] = word === "" ? [] : (/^\/[A-Za-z]+/.exec(after) ?? []);
  return time !== "" && unitNamed(word + time) !== undefined ? word + time : word;
}

/** Drops the pieces of numbers with thousands separators, such as `1,234`. */
function withoutGroups(line: string, tokens: readonly NumberToken[]): NumberToken[] {
  const groups = [...line.matchAll(/(?<![\d,])\d{1,3}(?:,\d{3})+(?![\d,])/g)];
  return tokens.filter(
    ({ start }) => !groups.some(({ index, 0: text }) => start >= index && start <= index + text.length),
  );
}

/** Units whose names are unlikely to be anything else after a number. */
const bareUnits = new Set(["s", "ms", "us", "ns", "h", "%", "B", "Hz"]);

const known = new Map<string, Unit | undefined>();

/**
 * The unit that a text names, in the spellings of benchmarks: `usec`, `MB/s`, `(Gbytes)`, `ops/sec`. Short names that
 * may be something else, such as `K` and `m`, are no units.
 */
export function unitNamed(text: string): Unit | undefined {
  const name = text.replace(/^[([]+/, "").replace(/[)\],;:.]+$/, "");
  if (name === "" || name.length > 24) return undefined;
  if (!known.has(name)) known.set(name, readUnit(name));
  return known.get(name);
}

/**
 * The unit in the word after a number. After a fraction, `B` more likely means billions than bytes.
 */
export function unitAfter(number: string, word: string): Unit | undefined {
  return word === "B" && number.includes(".") ? undefined : unitNamed(word);
}

/** False if an entry has another unit than that above it: `10.27ms` above `396.20`. */
export function haveSameUnits(above: readonly Word[], below: readonly Word[]): boolean {
  return above.every(({ text }, at) => {
    const [one, other] = [numberOf(text), numberOf(below[at]?.text ?? "")];
    if (!one || !other || Number(one.text) === 0 || Number(other.text) === 0) return true;
    const [first, second] = [unitNamed(one.suffix), unitNamed(other.suffix)];
    return first && second ? sameDimension(first, second) : !first && !second;
  });
}

/** Spellings of benchmarks that the unit syntax does not have. */
function readUnit(name: string): Unit | undefined {
  const spelled = name
    .replaceAll(/msecs?\b|milliseconds?\b/g, "ms")
    .replaceAll(/[uµμ]secs?\b|microseconds?\b/g, "us")
    .replaceAll(/nsecs?\b|nanoseconds?\b/g, "ns")
    .replaceAll(/\b(?:secs|seconds?)\b/gi, "s")
    .replaceAll(/\b([KMGT])(i?)bytes?\b/gi, (_, scale: string, binary: string) => `${scale.toUpperCase()}${binary}Byte`)
    .replaceAll(/\b([KMGT])bits?\b/gi, (_, scale: string) => `${scale.toUpperCase()}bit`)
    .replaceAll(/\bkB\b/g, "KB")
    .replaceAll(/\b([KMGT]?)flops?\/s\b/gi, (_, scale: string) => `${scale.toUpperCase()}FlOP/s`)
    .replaceAll(/\b([KMGT])flops\b/gi, (_, scale: string) => `${scale.toUpperCase()}FlOP/s`)
    .replaceAll(/\b([KMG])ops?\b/gi, (_, scale: string) => `${scale.toUpperCase()}OP`);
  const parts = spelled.split(/[*/]/);
  if (parts.some((part) => part.length < 2 && !bareUnits.has(part) && part !== "1")) return undefined;
  if (!parts.every((part) => bareUnits.has(part) || isMeasureUnit(part))) return undefined;
  return parsed(spelled);
}

const measureBases = new Set(["Byte", "bit", "FlOP", "OP", "s", "Hz", "h", "d", "event", "cycle", "instruction"]);

function isMeasureUnit(part: string): boolean {
  return part === "1" || (parsed(part)?.factors.every(({ base }) => measureBases.has(base)) ?? false);
}

function parsed(text: string): Unit | undefined {
  const unit = findUnit(text);
  return unit?.factors.length === 0 ? undefined : unit;
}
