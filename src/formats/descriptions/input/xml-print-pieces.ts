import { formatUnit } from "../../../core/values/index.ts";
import { escapeXml, xmlPiece, type XmlPiece } from "../../text/index.ts";
import { notationTexts } from "./value-notation.ts";
import type { Cut, Effects, RowLayout, RowMark, TextMark, ValueMap } from "./location-parts.ts";

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/**
 * Attributes, each after a blank. White space in them is escaped because XML readers would normalize it to blanks.
 */
export function attributes(values: Attributes): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? "" : ` ${name}="${attributeText(String(value))}"`))
    .join("");
}

function attributeText(text: string): string {
  return escapeXml(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

/** An element whose text is not trimmed. */
export function raw(name: string, text: string | number, attributes = ""): string {
  return `<${name}${attributes}>${escapeXml(String(text))}</${name}>`;
}

export function printMarkXml(mark: TextMark, attributes = ""): string {
  return mark.kind === "keyword" ? raw("match", mark.text, attributes) : raw("regexp", mark.source, attributes);
}

export function cutAttributes({ length, scale, unit, escapes, ...notation }: Cut): Attributes {
  return {
    len: length,
    scale,
    ...Object.fromEntries(notationTexts(notation)),
    escapes: escapes ? "yes" : undefined,
    unit: unit === undefined || unit === "text" ? unit : formatUnit(unit),
  };
}

export function effectAttributes({ startsRun, storesRow, sticky, retrigger, update }: Effects): Attributes {
  return {
    is_separator: startsRun ? "yes" : undefined,
    store_set: storesRow ? "yes" : undefined,
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

export function printMapXml(name: "map" | "mapping", { from, to }: ValueMap): XmlPiece {
  const source =
    from.kind === "keyword"
      ? raw("content_in", from.text)
      : raw("content_in", from.source, attributes({ match: "regexp" }));
  return xmlPiece(name, [source, raw("content_out", to)]);
}

export function printRowXml(row: RowMark): string {
  return row.kind === "number" ? raw("row", row.number) : printMarkXml(row);
}

export function layoutAttributes({ gap, grid }: RowLayout): Attributes {
  return { gap, grid: grid ? "yes" : undefined };
}

/** The separator and further blanks of a layout. */
export function printLayoutXml({ separator, blanks }: RowLayout): string[] {
  return [
    ...(separator === undefined ? [] : [raw("ws", separator)]),
    ...(blanks === undefined ? [] : [raw("blanks", blanks)]),
  ];
}

export function printMissingXml(missing: readonly string[] | undefined): string[] {
  return (missing ?? []).map((text) => raw("missing", text));
}
