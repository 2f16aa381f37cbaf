import { formatUnit } from "../../../core/values/unit.ts";
import type { ContentMap, Cut, Effects, NamedLocation, TextMark } from "./input-description.ts";
import { around, type XmlPiece } from "../../text/xml-children.ts";
import { escapeXml } from "../../text/xml.ts";

type Attributes = Readonly<Record<string, string | number | undefined>>;

/**
 * Attributes with a blank before each; white space in them is escaped, because whoever reads them would make it blanks.
 */
export function attributes(contents: Attributes): string {
  return Object.entries(contents)
    .map(([name, content]) => (content === undefined ? "" : ` ${name}="${attributeText(String(content))}"`))
    .join("");
}

function attributeText(text: string): string {
  return escapeXml(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

/** An element whose text is read as it is written. */
export function raw(name: string, text: string | number, attributes = ""): string {
  return `<${name}${attributes}>${escapeXml(String(text))}</${name}>`;
}

export function printMarkXml(mark: TextMark, attributes = ""): string {
  return mark.kind === "keyword" ? raw("match", mark.text, attributes) : raw("regexp", mark.source, attributes);
}

export function cutAttributes({ length, scale, unit, escapes }: Cut): Attributes {
  return {
    len: length,
    scale,
    escapes: escapes ? "yes" : undefined,
    unit: unit === undefined || unit === "text" ? unit : formatUnit(unit),
  };
}

export function effectAttributes({ separates, storesSet, sticky, retrigger, update }: Effects): Attributes {
  return {
    is_separator: separates ? "yes" : undefined,
    store_set: storesSet ? "yes" : undefined,
    sticky: sticky === false ? "no" : undefined,
    retrigger: retrigger === undefined ? undefined : retrigger ? "yes" : "no",
    update,
  };
}

/** Filters, maps and blanks. */
export function printCutXml({ filters = [], maps = [], blanks }: Cut): (string | XmlPiece)[] {
  return [
    ...filters.map(({ source, ignoreCase }) =>
      raw("filter", source, attributes({ case: ignoreCase ? "ignore" : undefined })),
    ),
    ...maps.map((map) => printMapXml("map", map)),
    ...(blanks === undefined ? [] : [raw("ws", blanks)]),
  ];
}

export function printMapXml(name: "map" | "mapping", { from, to }: ContentMap): XmlPiece {
  const source =
    from.kind === "keyword"
      ? raw("content_in", from.text)
      : raw("content_in", from.source, attributes({ match: "regexp" }));
  return around(name, [source, raw("content_out", to)]);
}

export function printNamedXml(location: NamedLocation): XmlPiece {
  const { name, lines, mode, leads } = location;
  const inside = [raw("name", name), ...printMarks(location), ...printCutXml(location)];
  const own = { lines, mode, content: leads ? "leads" : undefined };
  return around(
    "named_location",
    inside,
    attributes({ ...own, ...cutAttributes(location), ...effectAttributes(location) }),
  );
}

function printMarks({ aliases, matches = [], patterns, block, triggers = [] }: NamedLocation): (string | XmlPiece)[] {
  return [
    ...aliases.map((alias) => raw("alias", alias)),
    ...matches.map(({ text, terminator }) => raw("match", text, attributes({ terminator }))),
    ...patterns.map((source) => raw("regexp", source)),
    ...(block?.begin ?? []).map(({ mark, skip }) =>
      printMarkXml(mark, attributes({ marker: "begin", skip: skip === 0 ? undefined : skip })),
    ),
    ...(block?.end ?? []).map(({ mark }) => printMarkXml(mark, attributes({ marker: "end" }))),
    ...triggers.map(({ mark, skip }) =>
      around("trigger", [printMarkXml(mark), ...(skip === 0 ? [] : [raw("skip", skip)])]),
    ),
  ];
}
