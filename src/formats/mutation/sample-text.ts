import { compilePattern, type Pattern, type PatternMatch } from "../text/index.ts";
import { between, type MutationRule, type Random } from "./rule.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Edits bytes as text: decoded if they are UTF-8, else as one character per byte, so no byte is lost.
 */
export function editText(bytes: Uint8Array, edit: (text: string) => string): Uint8Array {
  const text = decodedUtf8(bytes);
  if (text !== undefined) return encoder.encode(edit(text));
  return bytesOf(edit(characterPerByte(bytes)));
}

/** The text, or undefined if the bytes are not UTF-8. */
export function decodedUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The stack limits the arguments of one call. */
const piece = 8192;

function characterPerByte(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += piece) text += String.fromCharCode(...bytes.subarray(at, at + piece));
  return text;
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}

/** A part of a text, from `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A uniformly chosen line without its newline. The empty text has one empty line. */
export function pickLine(text: string, random: Random): Span {
  let wanted = between(0, countLines(text) - 1, random);
  let start = 0;
  for (; wanted > 0; wanted--) start = text.indexOf("\n", start) + 1;
  const end = text.indexOf("\n", start);
  return { start, end: end < 0 ? text.length : end };
}

/** A trailing newline does not start another line. */
function countLines(text: string): number {
  let [count, at] = [1, text.indexOf("\n")];
  for (; at >= 0 && at < text.length - 1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** A random character of the span, null if it is empty. Surrogate pairs stay together. */
export function pickCharacter(text: string, { start, end }: Span, random: Random): Span | null {
  if (end <= start) return null;
  const at = between(start, end - 1, random);
  const first = at > start && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1)) ? at - 1 : at;
  return { start: first, end: first + (isHigh(text.charCodeAt(first)) && isLow(text.charCodeAt(first + 1)) ? 2 : 1) };
}

/** An offset within the span, before or after any of its characters. */
export function pickOffset(text: string, span: Span, random: Random): number {
  const character = random() * (span.end - span.start + 1) < 1 ? null : pickCharacter(text, span, random);
  return character?.start ?? span.end;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

export function replaced(text: string, { start, end }: Span, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Limit on examined matches, which bounds the cost of texts with many of them. */
const mostMatches = 10_000;

/**
 * A user's rule: replaces one randomly chosen match of the pattern. In the replacement `\1` to `\9` are its groups and
 * `\\` is a backslash. Fails with `pattern-error`.
 */
export function patternRule(pattern: string, replacement: string): MutationRule {
  const compiled = compilePattern(pattern);
  return Object.freeze<MutationRule>({
    name: `pattern ${pattern}`,
    synopsis: `replace ${pattern} with ${replacement}`,
    family: "pattern",
    apply: (bytes, random) => editText(bytes, (text) => replacedAtOne(text, compiled, replacement, random)),
  });
}

function replacedAtOne(text: string, pattern: Pattern, replacement: string, random: Random): string {
  const matches: PatternMatch[] = [];
  for (const match of pattern.all(text)) if (matches.push(match) >= mostMatches) break;
  const match = matches[between(0, matches.length - 1, random)];
  return match ? replaced(text, match, expanded(replacement, match)) : text;
}

function expanded(replacement: string, { groups }: PatternMatch): string {
  return replacement.replaceAll(/\\([1-9\\])/g, (_, what: string) =>
    what === "\\" ? "\\" : (groups[Number(what) - 1] ?? ""),
  );
}
