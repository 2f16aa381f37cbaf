import { isName } from "../../../core/variables/index.ts";
import {
  checkShape,
  childOf,
  childrenOf,
  choiceOf,
  requiredChild,
  quoteForMessage,
  xmlError,
  type XmlElement,
} from "../../text/index.ts";
import { readTermXml } from "./expression-xml.ts";
import type { DerivedLocation, SplitLocation, SplitStore, InputLocation } from "./input-description.ts";
import type { ValueMap, ValueFilter, Cut, Effects, Position, RowUpdate, TextMark } from "./location-parts.ts";
import {
  flag,
  nameIn,
  originOf,
  variableName,
  numberAttribute,
  patternIn,
  markText,
  unitAttribute,
  wholeNumber,
} from "./input-xml-element.ts";
import { notationKeys, readNotation } from "./value-notation.ts";

export const cutAttributes = ["len", "scale", "unit", ...notationKeys, "escapes"];
export const cutChildren = ["filter", "map"];
export const effectAttributes = ["is_separator", "store_set", "sticky", "retrigger", "update"];

/** Reads how a text is converted to a value, except blanks. `ignoreCase` is the default of filters. */
export function readCutXml(element: XmlElement, ignoreCase = false): Omit<Cut, "blanks"> {
  const length = numberAttribute(element, "len", -999_999_999);
  const unit = unitAttribute(element);
  const scale = readScale(element);
  const filters = childrenOf(element, "filter").map((filter) => readFilter(filter, ignoreCase));
  const maps = childrenOf(element, "map").flatMap(readMap);
  return {
    ...(length === undefined || length < 0 ? {} : { length }),
    ...(unit === undefined ? {} : { unit }),
    ...(scale === undefined ? {} : { scale }),
    ...readNotation(
      (key) => element.attributes.get(key),
      (_, problem) => xmlError(element, problem),
    ),
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
  throw xmlError(element, `scale '${quoteForMessage(text)}' is not a number`);
}

function readFilter(element: XmlElement, otherwise: boolean): ValueFilter {
  checkShape(element, { attributes: ["case"] });
  const found = choiceOf(element, "case", ["ignore", "respect"]);
  return { source: patternIn(element), ignoreCase: found === undefined ? otherwise : found === "ignore" };
}

/** One pair directly inside (as perfbase reads), or any number of `<mapping>` (as in its DTD). */
function readMap(element: XmlElement): ValueMap[] {
  checkShape(element, { children: ["content_in", "content_out", "mapping"] });
  const mappings = childrenOf(element, "mapping");
  if (mappings.length > 0 && mappings.length === element.children.length) return mappings.flatMap(readPairs);
  if (mappings.length > 0)
    throw xmlError(element, "<map> holds either <mapping> or one <content_in> and <content_out>");
  return [readPair(element)];
}

function readPairs(element: XmlElement): ValueMap[] {
  checkShape(element, { children: ["content_in", "content_out"] });
  return [readPair(element)];
}

function readPair(element: XmlElement): ValueMap {
  const from = requiredChild(element, "content_in");
  const to = requiredChild(element, "content_out");
  checkShape(from, { attributes: ["match", "value"] });
  checkShape(to, {});
  const pattern = choiceOf(from, "match", ["literal", "regexp"]) === "regexp";
  const mark: TextMark = pattern
    ? { kind: "pattern", source: patternIn(from) }
    : { kind: "keyword", text: markText(from) };
  return { from: mark, to: to.text };
}

/** Further characters that count as blanks. */
export function readBlanks(element: XmlElement, name: string): Pick<Cut, "blanks"> {
  const child = childOf(element, name);
  if (!child) return {};
  checkShape(child, {});
  const blanks = child.text.replaceAll(/\s/g, "");
  return blanks === "" ? {} : { blanks };
}

export function readEffectsXml(element: XmlElement): Effects {
  const retrigger = choiceOf(element, "retrigger", ["yes", "no", "auto"]) ?? "auto";
  return {
    ...(flag(element, "is_separator") ? { startsRun: true } : {}),
    ...(flag(element, "store_set") ? { storesRow: true } : {}),
    ...readUpdateXml(element),
    ...(flag(element, "sticky") === false ? { sticky: false } : {}),
    ...(retrigger === "auto" ? {} : { retrigger: retrigger === "yes" }),
  };
}

export function readUpdateXml(element: XmlElement): { update?: RowUpdate } {
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

/** Reads `<derived_parameter>`. */
export function readDerived(element: XmlElement): DerivedLocation {
  checkShape(element, { attributes: ["store_set", "retrigger", "update"], children: ["name", "term", "map"] });
  const retrigger = choiceOf(element, "retrigger", ["yes", "no", "sticky", "auto"]) ?? "auto";
  return {
    kind: "derived",
    name: nameIn(element),
    from: readFrom(element),
    ...(flag(element, "store_set") ? { storesRow: true } : {}),
    ...readUpdateXml(element),
    ...(retrigger === "auto" ? {} : { retrigger: retrigger === "sticky" ? "sticky" : retrigger === "yes" }),
    origin: originOf(element),
  };
}

function readFrom(element: XmlElement): DerivedLocation["from"] {
  const term = childOf(element, "term");
  const maps = childrenOf(element, "map");
  const [map] = maps;
  if ((term === undefined) === (map === undefined))
    throw xmlError(element, "<derived_parameter> needs either <term> or <map>");
  return term
    ? { term: readTermXml(term) }
    : { parameter: mappedParameter(element, maps), maps: maps.flatMap(readMapOf) };
}

/** The mapped parameter: `value` of `<map>`, or of its `<content_in>`. */
function mappedParameter(element: XmlElement, maps: readonly XmlElement[]): string {
  const inputs = maps
    .flatMap((map) => [map, ...childrenOf(map, "mapping")])
    .flatMap((each) => childrenOf(each, "content_in"));
  const names = new Set([...maps, ...inputs].flatMap((each) => each.attributes.get("value")?.trim() ?? []));
  const [name, second] = names;
  const problem = "<map> of a derived parameter needs value=, the name of one parameter";
  if (name === undefined || second !== undefined) throw xmlError(maps[0] ?? element, problem);
  if (isName(name)) return name;
  throw xmlError(maps[0] ?? element, `'${quoteForMessage(name)}' is not a valid name of a parameter`);
}

function readMapOf(element: XmlElement): ValueMap[] {
  const attributes = new Map([...element.attributes].filter(([name]) => name !== "value"));
  return readMap({ ...element, attributes });
}

const stores = ["current", "enter", "leave", "max", "min", "diff", "sum"] as const;

/** Reads `<split_location>`; `readLocation` reads the children of `<enter>` and `<leave>`. */
export function readSplit(element: XmlElement, readLocation: (child: XmlElement) => InputLocation): SplitLocation {
  checkShape(element, { attributes: ["update"], children: ["name", "enter", "leave", "store"] });
  const part = (name: string): InputLocation[] => {
    const child = requiredChild(element, name);
    checkShape(child, { children: ["named_location", "explicit_location", "tabular_location"] });
    if (child.children.length === 0) throw xmlError(child, `<${name}> needs a location`);
    return child.children.map(readLocation);
  };
  const found = childrenOf(element, "store").flatMap(readStore);
  if (found.length === 0) throw xmlError(element, "<split_location> needs <store>");
  return {
    kind: "split",
    name: nameIn(element),
    enter: part("enter"),
    leave: part("leave"),
    stores: found,
    ...readUpdateXml(element),
    origin: originOf(element),
  };
}

function readStore(element: XmlElement): SplitStore[] {
  checkShape(element, { children: ["name"] });
  if (element.children.length === 0) throw xmlError(element, "<store> needs <name>");
  return element.children.map((child) => {
    checkShape(child, { attributes: ["store"] });
    return { name: variableName(child), store: choiceOf(child, "store", stores) ?? "current" };
  });
}
