import { checkShape, childOf, childrenOf, quoteForMessage, xmlError, type XmlElement } from "../../text/index.ts";
import type { TableLocation, TableValue } from "./input-description.ts";
import type { Position, RowLayout, RowMark } from "./location-parts.ts";
import { cutAttributes, cutChildren, readBlanks, readCounting, readCutXml, readUpdateXml } from "./input-xml-values.ts";
import {
  flag,
  markText,
  nameIn,
  numberAttribute,
  numberIn,
  originOf,
  patternIn,
  textMark,
  wholeNumber,
} from "./input-xml-element.ts";
import { layoutProblem, readRange, tableProblem } from "./row-layout.ts";

/** Reads `<tabular_location>`: `<skip>` counts from the matched row, columns count from 0. */
export function readTableXml(element: XmlElement): TableLocation {
  checkShape(element, {
    attributes: ["columns", "rows", "header", "is_separator", "skip_blank", "skip_heads", ...layoutAttributes],
    children: ["match", "regexp", "row", "skip", "skip_regexp", "ws", "blanks", "tabular_value"],
  });
  const start = numberIn(element, "skip") ?? 0;
  const columns = numberAttribute(element, "columns", 1);
  const most = numberAttribute(element, "rows", 1);
  const values = childrenOf(element, "tabular_value").map(readValue);
  if (values.length === 0) throw xmlError(element, "<tabular_location> needs a <tabular_value>");
  const rows = readRows(element, start);
  if (start > 1 && rows.length === 0) throw xmlError(element, "<skip> needs <match>, <regexp> or <row>");
  const header = numberAttribute(element, "header", -99);
  if (header === 0) throw xmlError(element, "header counts lines, from 1 or -1 on");
  const table: TableLocation = {
    kind: "table",
    rows,
    start,
    ...(columns === undefined ? {} : { columns }),
    ...(most === undefined ? {} : { most }),
    ...readLayoutXml(element),
    ...(header === undefined ? {} : { header }),
    ...(flag(element, "is_separator") ? { startsRun: true } : {}),
    ...readSkipped(element),
    values,
    origin: originOf(element),
  };
  const problem = tableProblem(table);
  if (problem !== undefined) throw xmlError(element, problem);
  return table;
}

/** The lines inside a table that do not end it. */
function readSkipped(element: XmlElement): Pick<TableLocation, "skipsBlank" | "skipPatterns" | "skipsHeads"> {
  const patterns = childrenOf(element, "skip_regexp").map((child) => {
    checkShape(child, {});
    return patternIn(child);
  });
  return {
    ...(flag(element, "skip_blank") ? { skipsBlank: true } : {}),
    ...(patterns.length > 0 ? { skipPatterns: patterns } : {}),
    ...(flag(element, "skip_heads") ? { skipsHeads: true } : {}),
  };
}

/** Attributes and children of the layout of rows. */
export const layoutAttributes = ["gap", "grid"];
export const layoutChildren = ["ws", "blanks"];

export function readLayoutXml(element: XmlElement): RowLayout {
  const gap = numberAttribute(element, "gap", 2);
  const layout: RowLayout = {
    ...readBlanks(element, "blanks"),
    ...readSeparator(element),
    ...(gap === undefined ? {} : { gap }),
    ...(flag(element, "grid") ? { grid: true } : {}),
  };
  const problem = layoutProblem(layout);
  if (problem !== undefined) throw xmlError(element, problem);
  return layout;
}

function readSeparator(element: XmlElement): Pick<TableLocation, "separator"> {
  const child = childOf(element, "ws");
  if (!child) return {};
  checkShape(child, {});
  return { separator: markText(child) };
}

/** Entries that are missing values. */
export function readMissingXml(element: XmlElement): { missing?: readonly string[] } {
  const missing = childrenOf(element, "missing").map((child) => {
    checkShape(child, {});
    return markText(child).trim();
  });
  return missing.length > 0 ? { missing } : {};
}

/** `<chars>10-17</chars>`, which excludes `<pos>` and the like. */
export function readCharacters(element: XmlElement, other: XmlElement | undefined): Position | undefined {
  const child = childOf(element, "chars");
  if (!child) return undefined;
  checkShape(child, {});
  const more = other ?? childOf(element, "rep");
  if (more) throw xmlError(more, `<chars> and <${more.name}> exclude each other`);
  if (flag(element, "typed")) throw xmlError(element, "chars and typed exclude each other");
  const range = readRange(child.text);
  if (range) return range;
  throw xmlError(child, `chars '${quoteForMessage(child.text)}' is not a range of characters, as in 10-17 or 10-`);
}

/**
 * The rows that a location belongs to. An empty `<match>` matches every line and is omitted unless lines are skipped
 * after it.
 */
export function readRows(element: XmlElement, start = 0): RowMark[] {
  const row = childOf(element, "row");
  const marks = childrenOf(element, "match", "regexp");
  if (row && marks.length > 0) throw xmlError(row, "<row> and <match> or <regexp> exclude each other");
  if (row) return [readRow(row)];
  for (const mark of marks) checkShape(mark, {});
  if (element.name === "tabular_location" && marks.some((mark) => mark.text === ""))
    return start === 0 ? [] : [{ kind: "pattern", source: ".*" }];
  return marks.map(textMark);
}

function readRow(element: XmlElement): RowMark {
  checkShape(element, {});
  const text = element.text.trim();
  if (/^[+-]?\d+$/.test(text)) return { kind: "number", number: wholeNumber(element, "row", text) };
  return { kind: "keyword", text: markText({ ...element, text }) };
}

function readValue(element: XmlElement): TableValue {
  checkShape(element, {
    attributes: ["typed", "update", "optional", "label", ...cutAttributes],
    children: ["name", "pos", "chars", "match", "rep", "missing", ...cutChildren],
  });
  const position = columnPosition(element);
  return {
    name: nameIn(element),
    position,
    ...readCounting(element, position),
    ...readCutXml(element),
    ...readUpdateXml(element),
    ...(flag(element, "optional") ? { optional: true } : {}),
    ...readMissingXml(element),
    ...(flag(element, "label") ? { label: true } : {}),
    origin: originOf(element),
  };
}

/**
 * `<pos>` counts from 0; -2 is two columns after the previous value, with back='yes' 2 is two before it. Without
 * `<pos>` it is the next column.
 */
function columnPosition(element: XmlElement): Position {
  const [pos, match] = [childOf(element, "pos"), childOf(element, "match")];
  if (pos && match) throw xmlError(match, "<pos> and <match> exclude each other");
  if (match) checkShape(match, {});
  const characters = readCharacters(element, pos ?? match);
  if (characters) return characters;
  if (match) return { kind: "keyword", text: markText(match) };
  if (!pos) return { kind: "relative", offset: 1 };
  checkShape(pos, { attributes: ["back"] });
  const back = flag(pos, "back") ?? false;
  const number = wholeNumber(pos, "pos", pos.text, back ? 0 : -999_999_999);
  if (!back && number >= 0) return { kind: "number", number: number + 1 };
  return { kind: "relative", offset: 0 - number };
}
