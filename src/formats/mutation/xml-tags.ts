import type { Span } from "./sample-text.ts";

/** An attribute of a tag: from the blanks before its name to its end, and its value where it has one, quotes included. */
export interface Attribute extends Span {
  readonly name: Span;
  readonly value: Span | null;
}

/** Where tags of elements stand, whether or not the document is well-formed; comments and declarations are none. Linear in the text. */
export function tagsOf(text: string): Span[] {
  const tags: Span[] = [];
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    const end = endOfTag(text, at);
    if (end !== null) tags.push({ start: at, end });
  }
  return tags;
}

const nameStart = /[\p{L}_:]/u;

function endOfTag(text: string, at: number): number | null {
  const first = text[at + 1] === "/" ? at + 2 : at + 1;
  if (!nameStart.test(text[first] ?? "")) return null;
  for (let end = first; end < text.length; end++) {
    if (text[end] === ">") return end + 1;
    if (text[end] === "<") return null;
  }
  return null;
}

/** The attributes of a tag, in order. */
export function attributesOf(text: string, tag: Span): Attribute[] {
  const attributes: Attribute[] = [];
  const end = text.endsWith("/>", tag.end) ? tag.end - 2 : tag.end - 1;
  let at = skip(text, tag.start, end, (character) => !isBlank(character));
  while (at < end) {
    const attribute = attributeAt(text, at, end);
    if (attribute.name.end > attribute.name.start) attributes.push(attribute);
    at = Math.max(attribute.end, at + 1);
  }
  return attributes;
}

function attributeAt(text: string, start: number, end: number): Attribute {
  const nameAt = skip(text, start, end, isBlank);
  const nameEnd = skip(text, nameAt, end, (character) => !isBlank(character) && character !== "=");
  const name = { start: nameAt, end: nameEnd };
  const equals = skip(text, nameEnd, end, isBlank);
  if (text[equals] !== "=" || equals >= end) return { start, end: nameEnd, name, value: null };
  const value = valueAt(text, skip(text, equals + 1, end, isBlank), end);
  return { start, end: value.end, name, value };
}

function valueAt(text: string, start: number, end: number): Span {
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return { start, end: skip(text, start, end, (character) => !isBlank(character)) };
  const close = skip(text, start + 1, end, (character) => character !== quote);
  return { start, end: Math.min(close + 1, end) };
}

function skip(text: string, from: number, end: number, passes: (character: string) => boolean): number {
  let at = from;
  while (at < end && passes(text[at] ?? "")) at++;
  return at;
}

function isBlank(character: string): boolean {
  return character === " " || character === "\t" || character === "\n" || character === "\r";
}
