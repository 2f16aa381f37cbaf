import type { ContentFilter, ContentMap, Cut, Effects, Position, RowUpdate, TextMark } from "./input-description.ts";
import { flag, numberAttribute, patternIn, soughtText, unitAttribute, wholeNumber } from "./input-xml-element.ts";
import { checkShape, childOf, childrenOf, choiceOf, requiredChild, shown } from "../../text/xml-children.ts";
import { xmlError, type XmlElement } from "../../text/xml.ts";

export const cutAttributes = ["len", "scale", "unit", "escapes"];
export const cutChildren = ["filter", "map"];
export const effectAttributes = ["is_separator", "store_set", "sticky", "retrigger", "update"];

/** How text becomes content, but for blanks; `ignoreCase` is what filters do that do not say it. */
export function readCut(element: XmlElement, ignoreCase = false): Omit<Cut, "blanks"> {
  const length = numberAttribute(element, "len", -999_999_999);
  const unit = unitAttribute(element);
  const scale = readScale(element);
  const filters = childrenOf(element, "filter").map((filter) => readFilter(filter, ignoreCase));
  const maps = childrenOf(element, "map").flatMap(readMap);
  return {
    ...(length === undefined || length < 0 ? {} : { length }),
    ...(unit === undefined ? {} : { unit }),
    ...(scale === undefined ? {} : { scale }),
    ...(flag(element, "escapes") ? { escapes: true } : {}),
    ...(filters.length > 0 ? { filters } : {}),
    ...(maps.length > 0 ? { maps } : {}),
  };
}

function readScale(element: XmlElement): number | undefined {
  const text = element.attributes.get("scale");
  if (text === undefined) return undefined;
  const scale = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(scale)) return scale + 0;
  throw xmlError(element, `scale '${shown(text)}' is no number`);
}

function readFilter(element: XmlElement, otherwise: boolean): ContentFilter {
  checkShape(element, { attributes: ["case"] });
  const found = choiceOf(element, "case", ["ignore", "respect"]);
  return { source: patternIn(element), ignoreCase: found === undefined ? otherwise : found === "ignore" };
}

/** One pair directly inside (what perfbase reads), or any number of `<mapping>` (what its DTD says). */
export function readMap(element: XmlElement): ContentMap[] {
  checkShape(element, { children: ["content_in", "content_out", "mapping"] });
  const mappings = childrenOf(element, "mapping");
  if (mappings.length > 0 && mappings.length === element.children.length) return mappings.flatMap(readPairs);
  if (mappings.length > 0)
    throw xmlError(element, "<map> holds either <mapping> or one <content_in> and <content_out>");
  return [readPair(element)];
}

function readPairs(element: XmlElement): ContentMap[] {
  checkShape(element, { children: ["content_in", "content_out"] });
  return [readPair(element)];
}

function readPair(element: XmlElement): ContentMap {
  const from = requiredChild(element, "content_in");
  const to = requiredChild(element, "content_out");
  checkShape(from, { attributes: ["match", "value"] });
  checkShape(to, {});
  const pattern = choiceOf(from, "match", ["literal", "regexp"]) === "regexp";
  const mark: TextMark = pattern
    ? { kind: "pattern", source: patternIn(from) }
    : { kind: "keyword", text: soughtText(from) };
  return { from: mark, to: to.text };
}

/** Further characters that count as blanks; blanks do in any case. */
export function readBlanks(element: XmlElement, name: string): Pick<Cut, "blanks"> {
  const child = childOf(element, name);
  if (!child) return {};
  checkShape(child, {});
  const blanks = child.text.replaceAll(/\s/g, "");
  return blanks === "" ? {} : { blanks };
}

export function readEffects(element: XmlElement): Effects {
  const retrigger = choiceOf(element, "retrigger", ["yes", "no", "auto"]) ?? "auto";
  return {
    ...(flag(element, "is_separator") ? { separates: true } : {}),
    ...(flag(element, "store_set") ? { storesSet: true } : {}),
    ...readUpdate(element),
    ...(flag(element, "sticky") === false ? { sticky: false } : {}),
    ...(retrigger === "auto" ? {} : { retrigger: retrigger === "yes" }),
  };
}

export function readUpdate(element: XmlElement): { update?: RowUpdate } {
  const update = choiceOf(element, "update", ["yes", "auto", "no"]) ?? "no";
  return update === "no" ? {} : { update };
}

/** Which occurrence of a keyword counts, and whether only entries of the variable's type do. */
export function readCounting(element: XmlElement, position: Position): { repetition: number; typed: boolean } {
  const child = childOf(element, "rep");
  if (child) checkShape(child, {});
  if (child && position.kind !== "keyword") throw xmlError(child, "<rep> needs a keyword as position");
  return { repetition: child ? wholeNumber(child, "rep", child.text, 1) : 1, typed: flag(element, "typed") ?? false };
}
