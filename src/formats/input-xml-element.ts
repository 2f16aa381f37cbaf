import { isFailure } from "../core/errors.ts";
import { parseUnit, type Unit } from "../core/unit.ts";
import { isName } from "../core/variable.ts";
import type { Origin, TextMark } from "./input-description.ts";
import { compilePattern } from "./pattern.ts";
import { textOf, type XmlTextKind } from "./xml-children.ts";
import { xmlError, type XmlElement } from "./xml.ts";

/** What may stand in an element; one without children has text. */
export interface Content {
  readonly attributes?: readonly string[];
  readonly children?: readonly string[];
}

/** Fails at what the element must not have, so that nothing in a description is passed over. */
export function checkElement(element: XmlElement, { attributes = [], children = [] }: Content): void {
  for (const name of element.attributes.keys()) {
    if (attributes.includes(name) || name === "xml:space") continue;
    const advice = attributes.length > 0 ? `it takes ${attributes.join(", ")}` : "it takes none";
    throw xmlError(element, `<${element.name}> has no attribute '${name}'`, { word: name, candidates: attributes, advice });
  }
  for (const child of element.children) {
    if (children.includes(child.name)) continue;
    const advice = children.length > 0 ? `it holds ${children.join(", ")}` : "it holds a text only";
    throw xmlError(child, `<${element.name}> holds no <${child.name}>`, { word: child.name, candidates: children, advice });
  }
  const stray = children.length > 0 ? element.text.trim() : "";
  if (stray !== "") throw xmlError({ ...element.content, file: element.file }, `<${element.name}> holds no text '${shown(stray)}'`);
}

export function childrenOf(element: XmlElement, ...names: readonly string[]): XmlElement[] {
  return element.children.filter((child) => names.includes(child.name));
}

/** The only child of that name. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  const [child, second] = childrenOf(element, name);
  if (second) throw xmlError(second, `<${element.name}> holds a second <${name}>`);
  return child;
}

export function neededChild(element: XmlElement, name: string): XmlElement {
  const child = childOf(element, name);
  if (child) return child;
  throw xmlError(element, `<${element.name}> needs <${name}>`);
}

/** Blanks around it are not part of the text, unless `xml:space` is `preserve`. */
export function trimmedText(element: XmlElement): string {
  return element.attributes.get("xml:space") === "preserve" ? element.text : element.text.trim();
}

/** The text of a child that holds nothing else; undefined without such a child. */
export function childText(element: XmlElement, name: string, kind: XmlTextKind): string | undefined {
  const child = childOf(element, name);
  return child && textOf(child, kind);
}

/** The element's `<name>`, which names a parameter or a result. */
export function nameIn(element: XmlElement): string {
  const child = neededChild(element, "name");
  checkElement(child, {});
  return variableName(child);
}

export function variableName(element: XmlElement): string {
  const name = element.text.trim();
  if (isName(name)) return name;
  throw xmlError(inside(element), `'${shown(name)}' is no name of a parameter or result`);
}

export function originOf({ line, column }: XmlElement): Origin {
  return { line, column };
}

/** A whole number in a text or an attribute of the element. */
export function wholeNumber(element: XmlElement, what: string, text: string, least = 0): number {
  const value = /^\s*[+-]?\d{1,9}\s*$/.test(text) ? Number(text) + 0 : Number.NaN;
  if (value >= least) return value;
  throw xmlError(element, `${what} '${shown(text)}' is no whole number${least > -Infinity ? ` from ${least} on` : ""}`);
}

export function numberIn(element: XmlElement, name: string, least = 0): number | undefined {
  const child = childOf(element, name);
  return child && wholeNumber(child, name, textOf(child, "word"), least);
}

export function numberAttribute(element: XmlElement, name: string, least = 0): number | undefined {
  const text = element.attributes.get(name);
  return text === undefined ? undefined : wholeNumber(element, name, text, least);
}

export function choice<T extends string>(element: XmlElement, name: string, choices: readonly T[]): T | undefined {
  const text = element.attributes.get(name);
  if (text === undefined) return undefined;
  const found = choices.find((each) => each === text.trim().toLowerCase());
  if (found !== undefined) return found;
  throw xmlError(element, `${name} '${shown(text)}' is none of ${choices.join(", ")}`, { word: text, candidates: choices });
}

export function flag(element: XmlElement, name: string): boolean | undefined {
  const found = choice(element, name, ["yes", "no"]);
  return found === undefined ? undefined : found === "yes";
}

/** A text to look for, as it is written: blanks count. */
export function soughtText(element: XmlElement): string {
  if (element.text !== "" && !/[\r\n]/.test(element.text)) return element.text;
  throw xmlError(inside(element), `<${element.name}> needs a text within one line`);
}

export function patternIn(element: XmlElement): string {
  const source = soughtText(element);
  const { file, content } = element;
  compilePattern(source, { file, ...content });
  return source;
}

/** What `<match>` or `<regexp>` looks for. */
export function textMark(element: XmlElement): TextMark {
  return element.name === "regexp" ? { kind: "pattern", source: patternIn(element) } : { kind: "keyword", text: soughtText(element) };
}

/** The `<match>` or `<regexp>` that there has to be one of. */
export function onlyMark(element: XmlElement): TextMark {
  const [mark, second] = childrenOf(element, "match", "regexp");
  if (!mark || second) throw xmlError(second ?? element, `<${element.name}> needs one <match> or <regexp>`);
  checkElement(mark, {});
  return textMark(mark);
}

/** The unit of an attribute; any `unknown-unit` is told at its place. */
export function unitAttribute(element: XmlElement): Unit | "text" | undefined {
  const text = element.attributes.get("unit");
  if (text === undefined || text === "text") return text;
  try {
    return parseUnit(text);
  } catch (error) {
    if (isFailure(error, "unknown-unit")) throw xmlError(element, error.message, { advice: error.remedy });
    throw error;
  }
}

/** Where the text of an element begins. */
export function inside(element: XmlElement): { file: string; line: number; column: number } {
  return { file: element.file, line: element.content.line, column: element.content.column };
}

export function shown(text: string): string {
  return text.trim().slice(0, 80);
}
