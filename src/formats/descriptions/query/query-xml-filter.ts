import {
  comparisons,
  type FilterCondition,
  type FilterGroup,
  type FilterMember,
  type Junction,
} from "../../../core/experiments/index.ts";
import { trimmedText } from "../input/input-xml-element.ts";
import { checkShape, choiceOf, escapeXml, xmlError, type XmlElement } from "../../text/index.ts";

const bare: readonly string[] = ["all", "null", "notnull"];

export function booleanOf(element: XmlElement): { boolean?: Junction } {
  const found = choiceOf(element, "boolean", ["and", "or"]);
  return found === undefined ? {} : { boolean: found };
}

/** A `<filter>` of a parameter with nested conditions and filters. */
export function readFilter(element: XmlElement): FilterGroup {
  return readGroup(element, false);
}

/** A `<filter>` of a source; each condition names its variable: `<equal of="op">write</equal>`. */
export function readSourceFilter(element: XmlElement): FilterGroup {
  return readGroup(element, true);
}

function readGroup(element: XmlElement, isNamed: boolean): FilterGroup {
  checkShape(element, { attributes: ["boolean"], children: ["filter", ...comparisons] });
  return {
    kind: "filter",
    ...booleanOf(element),
    members: element.children.map((child) => readMember(child, isNamed)),
  };
}

function readMember(element: XmlElement, isNamed: boolean): FilterMember {
  if (element.name === "filter") return readGroup(element, isNamed);
  checkShape(element, isNamed ? { attributes: ["of"] } : {});
  const of = element.attributes.get("of");
  if (isNamed && !of) throw xmlError(element, `<${element.name}> in a source needs the attribute of`);
  const kind = comparisons.find((each) => each === element.name);
  if (kind === undefined)
    throw xmlError(element, `unknown comparison <${element.name}>`, { word: element.name, candidates: comparisons });
  const value = trimmedText(element);
  if (bare.includes(kind) !== (value === "") && kind !== "equal" && kind !== "notequal")
    throw xmlError(element, bare.includes(kind) ? `<${kind}> takes no value` : `<${kind}> needs a value`);
  return { kind, ...(of === undefined ? {} : { of }), value };
}

export function printFilter(filter: FilterGroup, indent: string): string[] {
  const boolean = filter.boolean === undefined ? "" : ` boolean="${filter.boolean}"`;
  const members = filter.members.flatMap((member) =>
    member.kind === "filter" ? printFilter(member, `${indent}  `) : [`${indent}  ${printCondition(member)}`],
  );
  return [`${indent}<filter${boolean}>`, ...members, `${indent}</filter>`];
}

function printCondition({ kind, of, value }: FilterCondition): string {
  const attributes = (of === undefined ? "" : ` of="${attributeText(of)}"`) + spaceAttribute(value);
  return `<${kind}${attributes}>${escapeXml(value)}</${kind}>`;
}

/** The attribute that preserves leading and trailing blanks, if there are any. */
export function spaceAttribute(text: string): string {
  return text.trim() === text ? "" : ' xml:space="preserve"';
}

/** Escapes white space, which XML readers would normalize to blanks. */
export function attributeText(text: string): string {
  return escapeXml(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}
