import { escapeXml, xmlError, type XmlElement } from "./xml.ts";

/** The allowed attributes and children of an element. */
export interface XmlShape {
  readonly attributes?: readonly string[];
  readonly children?: readonly string[];
}

/**
 * How the text of an element is normalized unless it has `xml:space="preserve"`: as one word or value, one line, or a
 * block of lines.
 */
export type XmlTextKind = "word" | "line" | "block";

/**
 * Refuses attributes, children and text that the shape does not allow, and suggests similar names. `xml:space` is
 * always allowed.
 */
export function checkShape(element: XmlElement, { attributes = [], children = [] }: XmlShape): void {
  for (const name of element.attributes.keys()) {
    if (attributes.includes(name) || name === "xml:space") continue;
    const advice = attributes.length > 0 ? `it may have ${attributes.join(", ")}` : "omit it";
    throw xmlError(element, `<${element.name}> has no attribute '${quoteForMessage(name)}'`, {
      word: name,
      candidates: attributes,
      advice,
    });
  }
  for (const child of element.children) {
    if (children.includes(child.name)) continue;
    const advice =
      children.length > 0 ? `it may hold ${children.map((name) => `<${name}>`).join(" ")}` : "it holds text only";
    throw xmlError(child, `<${quoteForMessage(child.name)}> is not allowed in <${element.name}>`, {
      word: child.name,
      candidates: children,
      advice,
    });
  }
  const unexpected = children.length > 0 ? quoteForMessage(element.text) : "";
  if (unexpected !== "")
    throw xmlError(textPosition(element), `the text '${unexpected}' is not allowed in <${element.name}>`, {
      advice: "put it into an element",
    });
}

export function childrenOf(element: XmlElement, ...names: readonly string[]): XmlElement[] {
  return element.children.filter((child) => names.includes(child.name));
}

/** The child of that name; refuses a second one. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  const [first, second] = childrenOf(element, name);
  if (second) throw xmlError(second, `a second <${name}> in <${element.name}>`, { advice: "omit one of them" });
  return first;
}

export function requiredChild(element: XmlElement, name: string): XmlElement {
  const child = childOf(element, name);
  if (!child) throw xmlError(element, `<${element.name}> needs a <${name}>`);
  return child;
}

/** One of the choices; undefined if the attribute is absent. */
export function choiceOf<T extends string>(
  element: XmlElement,
  attribute: string,
  choices: readonly T[],
): T | undefined {
  const text = element.attributes.get(attribute);
  if (text === undefined) return undefined;
  const choice = choices.find((each) => each === text.trim().toLowerCase());
  if (choice) return choice;
  throw xmlError(element, `${attribute} '${quoteForMessage(text)}' is none of ${choices.join(", ")}`, {
    word: text,
    candidates: choices,
  });
}

/** Where the text of an element begins. */
export function textPosition({ file, textStart }: XmlElement): { file: string; line: number; column: number } {
  return { file, line: textStart.line, column: textStart.column };
}

/** The trimmed and shortened form of a text for messages. */
export function quoteForMessage(text: string): string {
  return text.trim().slice(0, 80);
}

/** The text of an element without children. */
export function textOf(element: XmlElement, kind: XmlTextKind, attributes: readonly string[] = []): string {
  checkShape(element, { attributes });
  return preservesSpace(element) ? element.text : normal[kind](element.text);
}

/** True for an element without text that does not declare the empty text by `xml:space`. */
export function isEmpty(element: XmlElement): boolean {
  return element.children.length === 0 && element.text.trim() === "" && !preservesSpace(element);
}

function preservesSpace(element: XmlElement): boolean {
  return element.attributes.get("xml:space") === "preserve";
}

const normal: Readonly<Record<XmlTextKind, (text: string) => string>> = {
  word: (text) => text.trim(),
  line: (text) => {
    const lines = text.split("\n").map((line) => line.trim());
    return lines.filter((line) => line !== "").join(" ");
  },
  block: withoutIndent,
};

/** Removes common indentation and surrounding blank lines. */
function withoutIndent(text: string): string {
  const [first = "", ...rest] = text.split("\n").map((line) => line.trimEnd());
  const indents = rest.filter((line) => line !== "").map((line) => line.length - line.trimStart().length);
  const indent = indents.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  const lines = [first.trimStart(), ...rest.map((line) => line.slice(indent))];
  const begin = lines.findIndex((line) => line !== "");
  return begin < 0 ? "" : lines.slice(begin, lines.findLastIndex((line) => line !== "") + 1).join("\n");
}

/**
 * `<name>text</name>`, with `xml:space` if reading would otherwise change the text. Each attribute starts with a
 * blank.
 */
export function printText(name: string, text: string, kind: XmlTextKind, attributes = ""): string {
  const space = text !== "" && normal[kind](text) === text ? "" : ' xml:space="preserve"';
  return `<${name}${attributes}${space}>${escapeXml(text)}</${name}>`;
}

/** An element with nested pieces, each indented by two blanks. The lines of texts are never indented. */
export interface XmlPiece {
  readonly open: string;
  readonly close: string;
  readonly inside: readonly (string | XmlPiece)[];
}

export function xmlPiece(name: string, inside: readonly (string | XmlPiece)[], attributes = ""): XmlPiece {
  return { open: `<${name}${attributes}>`, close: `</${name}>`, inside };
}

/** The document of a root element. */
export function printDocument(root: XmlPiece): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${printPiece(root, "")}\n`;
}

function printPiece(piece: string | XmlPiece, indent: string): string {
  if (typeof piece === "string") return indent + piece;
  const inside = piece.inside.map((each) => printPiece(each, `${indent}  `));
  return [indent + piece.open, ...inside, indent + piece.close].join("\n");
}
