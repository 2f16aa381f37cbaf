import { binaryRules, textRules } from "./built-in-rules.ts";
import { type MutationRule, between, copies, type Random } from "./rule.ts";
import { decodedUtf8, editText, replaced, type Span } from "./sample-text.ts";

/**
 * An attribute of a tag, from the blanks before its name to its end. A value includes its quotes.
 */
interface Attribute extends Span {
  readonly name: Span;
  readonly value: Span | null;
}

/**
 * The spans of element tags, also in malformed documents, without comments and declarations. Linear in the length of
 * the text.
 */
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

type Pick<T> = (text: string, random: Random) => T | null;

function rule<T extends Span>(
  name: string,
  synopsis: string,
  pick: Pick<T>,
  edit: (text: string, picked: T, random: Random, limit: number) => string,
): MutationRule {
  const apply: MutationRule["apply"] = (bytes, random, limit) =>
    editText(bytes, (text) => {
      const picked = pick(text, random);
      return picked === null ? text : edit(text, picked, random, limit);
    });
  return Object.freeze<MutationRule>({ name, synopsis, family: "xml", apply });
}

/** Rules for tags. The last one is not from Perun. */
const xmlRules: readonly MutationRule[] = [
  rule("drop-attribute-value", "empty the value of an attribute", pickAttribute, (text, { value }) =>
    value === null ? text : replaced(text, value, '""'),
  ),
  rule("drop-attribute-name", "drop the name of an attribute and keep its value", pickAttribute, (text, { name }) =>
    replaced(text, name, ""),
  ),
  rule("drop-attribute", "drop an attribute", pickAttribute, (text, attribute) => replaced(text, attribute, "")),
  rule("drop-tag", "drop a tag", pickTag, (text, tag) => replaced(text, tag, "")),
  rule("repeat-tag", "repeat a tag 10 to 100 times", pickTag, (text, tag, random, limit) => {
    const source = text.slice(tag.start, tag.end);
    return replaced(text, tag, source.repeat(copies(between(10, 100, random), source.length, limit)));
  }),
];

function pickTag(text: string, random: Random): Span | null {
  const tags = tagsOf(text);
  return tags[between(0, tags.length - 1, random)] ?? null;
}

/** An attribute of any tag that has one. */
function pickAttribute(text: string, random: Random): Attribute | null {
  const attributes = tagsOf(text).flatMap((tag) => attributesOf(text, tag));
  return attributes[between(0, attributes.length - 1, random)] ?? null;
}

export type SampleKind = "text" | "xml" | "binary";

const xmlEndings = new Set(["xml", "html", "htm", "svg", "xhtml", "xul", "xsl", "xsd", "rss", "atom", "plist"]);

/** Matches the head of an XML or HTML document. */
const xmlHead = /^\uFEFF?\s{0,100}<(?:\?xml|!doctype\s+html|html)\b/i;

/** Bytes of a sample that are examined to detect its kind. */
const headLength = 65_536;

/** XML by file extension or first bytes; text if it is UTF-8 without control characters; else binary. */
export function kindOfSample(name: string, bytes: Uint8Array): SampleKind {
  const head = headText(bytes);
  if (head === undefined) return "binary";
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return xmlEndings.has(ending) || xmlHead.test(head) ? "xml" : "text";
}

/** The beginning of a text. The last character may be truncated. */
function headText(bytes: Uint8Array): string | undefined {
  for (let cut = 0; cut < 4; cut++) {
    const text = decodedUtf8(bytes.subarray(0, Math.min(bytes.length, headLength) - cut));
    // oxlint-disable-next-line no-control-regex -- control characters are searched.
    if (text !== undefined) return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
    if (bytes.length <= headLength) return undefined;
  }
  return undefined;
}

/** All rules, the user's first. */
export function allRules(own: readonly MutationRule[]): readonly MutationRule[] {
  return [...own, ...xmlRules, ...textRules, ...binaryRules];
}

const families: Readonly<Record<SampleKind, readonly MutationRule["family"][]>> = {
  text: ["pattern", "text"],
  xml: ["pattern", "xml", "text"],
  binary: ["pattern", "binary"],
};

/** Whether a rule applies to that kind of sample. */
export function suits(rule: MutationRule, kind: SampleKind): boolean {
  return families[kind].includes(rule.family);
}
