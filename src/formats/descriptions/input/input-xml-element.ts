import { isFailure } from "../../../core/failures/index.ts";
import { parseUnit, type Unit } from "../../../core/values/index.ts";
import { isName } from "../../../core/variables/index.ts";
import type { Origin, TextMark } from "./location-parts.ts";
import {
  compilePattern,
  checkShape,
  childOf,
  childrenOf,
  choiceOf,
  textPosition,
  requiredChild,
  quoteForMessage,
  textOf,
  type XmlTextKind,
  xmlError,
  type XmlElement,
} from "../../text/index.ts";

/** The trimmed text, or the full text if `xml:space` is `preserve`. */
export function trimmedText(element: XmlElement): string {
  return element.attributes.get("xml:space") === "preserve" ? element.text : element.text.trim();
}

/** The text of a child without children; undefined if the child is absent. */
export function childText(element: XmlElement, name: string, kind: XmlTextKind): string | undefined {
  const child = childOf(element, name);
  return child && textOf(child, kind);
}

/** The element's `<name>`, which names a parameter or a result. */
export function nameIn(element: XmlElement): string {
  const child = requiredChild(element, "name");
  checkShape(child, {});
  return variableName(child);
}

export function variableName(element: XmlElement): string {
  const name = element.text.trim();
  if (isName(name)) return name;
  throw xmlError(textPosition(element), `'${quoteForMessage(name)}' is not a valid name of a parameter or result`);
}

export function originOf({ line, column }: XmlElement): Origin {
  return { line, column };
}

/** An integer in a text or an attribute of the element. */
export function wholeNumber(element: XmlElement, what: string, text: string, least = 0): number {
  const value = /^\s*[+-]?\d{1,9}\s*$/.test(text) ? Number(text) + 0 : Number.NaN;
  if (value >= least) return value;
  throw xmlError(
    element,
    `${what} '${quoteForMessage(text)}' is not an integer${least > -Infinity ? ` >= ${least}` : ""}`,
  );
}

export function numberIn(element: XmlElement, name: string, least = 0): number | undefined {
  const child = childOf(element, name);
  return child && wholeNumber(child, name, textOf(child, "word"), least);
}

export function numberAttribute(element: XmlElement, name: string, least = 0): number | undefined {
  const text = element.attributes.get(name);
  return text === undefined ? undefined : wholeNumber(element, name, text, least);
}

export function flag(element: XmlElement, name: string): boolean | undefined {
  const found = choiceOf(element, name, ["yes", "no"]);
  return found === undefined ? undefined : found === "yes";
}

/** A text to search for; blanks are significant. */
export function markText(element: XmlElement): string {
  if (element.text !== "" && !/[\r\n]/.test(element.text)) return element.text;
  throw xmlError(textPosition(element), `<${element.name}> needs a text within one line`);
}

export function patternIn(element: XmlElement): string {
  const source = markText(element);
  const { file, textStart } = element;
  compilePattern(source, { file, ...textStart });
  return source;
}

/** The mark of a `<match>` or `<regexp>`. */
export function textMark(element: XmlElement): TextMark {
  return element.name === "regexp"
    ? { kind: "pattern", source: patternIn(element) }
    : { kind: "keyword", text: markText(element) };
}

/** The mark of the required single `<match>` or `<regexp>`. */
export function onlyMark(element: XmlElement): TextMark {
  const [mark, second] = childrenOf(element, "match", "regexp");
  if (!mark || second) throw xmlError(second ?? element, `<${element.name}> needs one <match> or <regexp>`);
  checkShape(mark, {});
  return textMark(mark);
}

/** The unit of an attribute; reports `unknown-unit` at its position. */
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
