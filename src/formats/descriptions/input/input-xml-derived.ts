import { readTerm } from "./expression-xml.ts";
import type { ContentMap, DerivedLocation, SplitLocation, SplitStore } from "./input-description.ts";
import type { InputLocation } from "./input-description.ts";
import { readMap, readUpdate } from "./input-xml-content.ts";
import { flag, nameIn, originOf, variableName } from "./input-xml-element.ts";
import { checkShape, childOf, childrenOf, choiceOf, requiredChild, shown } from "../../text/xml-children.ts";
import { isName } from "../../../core/variables/variable.ts";
import { xmlError, type XmlElement } from "../../text/xml.ts";

/** Reads `<derived_parameter>`. */
export function readDerived(element: XmlElement): DerivedLocation {
  checkShape(element, { attributes: ["store_set", "retrigger", "update"], children: ["name", "term", "map"] });
  const retrigger = choiceOf(element, "retrigger", ["yes", "no", "sticky", "auto"]) ?? "auto";
  return {
    kind: "derived",
    name: nameIn(element),
    from: readFrom(element),
    ...(flag(element, "store_set") ? { storesSet: true } : {}),
    ...readUpdate(element),
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
  return term ? { term: readTerm(term) } : { parameter: mappedParameter(element, maps), maps: maps.flatMap(readMapOf) };
}

/** The parameter whose content is mapped: `value` of `<map>`, or of its `<content_in>`. */
function mappedParameter(element: XmlElement, maps: readonly XmlElement[]): string {
  const inputs = maps
    .flatMap((map) => [map, ...childrenOf(map, "mapping")])
    .flatMap((each) => childrenOf(each, "content_in"));
  const names = new Set([...maps, ...inputs].flatMap((each) => each.attributes.get("value")?.trim() ?? []));
  const [name, second] = names;
  const problem = "<map> of a derived parameter needs value=, the name of one parameter";
  if (name === undefined || second !== undefined) throw xmlError(maps[0] ?? element, problem);
  if (isName(name)) return name;
  throw xmlError(maps[0] ?? element, `'${shown(name)}' is no name of a parameter`);
}

function readMapOf(element: XmlElement): ContentMap[] {
  const attributes = new Map([...element.attributes].filter(([name]) => name !== "value"));
  return readMap({ ...element, attributes });
}

const stores = ["current", "enter", "leave", "max", "min", "diff", "sum"] as const;

/** Reads `<split_location>`; `readLocation` reads what stands in `<enter>` and `<leave>`. */
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
    ...readUpdate(element),
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
