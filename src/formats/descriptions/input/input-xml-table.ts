import type { ExplicitLocation, Position, RowMark, TableLocation, TableValue } from "./input-description.ts";
import {
  cutAttributes,
  cutChildren,
  effectAttributes,
  readBlanks,
  readCounting,
  readCut,
  readEffects,
  readUpdate,
} from "./input-xml-content.ts";
import {
  flag,
  nameIn,
  numberAttribute,
  numberIn,
  originOf,
  soughtText,
  textMark,
  wholeNumber,
} from "./input-xml-element.ts";
import { checkShape, childOf, childrenOf } from "../../text/xml-children.ts";
import { xmlError, type XmlElement } from "../../text/xml.ts";

/** Reads `<explicit_location>`: rows and entries are counted from 1, as in the text spelling. */
export function readExplicit(element: XmlElement): ExplicitLocation {
  checkShape(element, {
    attributes: ["typed", ...cutAttributes, ...effectAttributes],
    children: ["name", "row", "match", "regexp", "pos", "rep", "ws", ...cutChildren],
  });
  const [row, second] = readRows(element);
  if (!row || second || (row.kind === "number" && row.number === 0))
    throw xmlError(element, "<explicit_location> needs one <row> from 1 on, <match> or <regexp>");
  const position = explicitPosition(element);
  return {
    kind: "explicit",
    name: nameIn(element),
    row,
    position,
    ...readCounting(element, position),
    ...readCut(element),
    ...readBlanks(element, "ws"),
    ...readEffects(element),
    origin: originOf(element),
  };
}

function explicitPosition(element: XmlElement): Position {
  const child = childOf(element, "pos");
  if (!child) throw xmlError(element, "<explicit_location> needs <pos>, a number from 1 on or a keyword");
  return positionKeyword(child) ?? { kind: "number", number: wholeNumber(child, "pos", child.text, 1) };
}

/** `<pos><match>:</match></pos>`, or a text that is no number. */
function positionKeyword(element: XmlElement): Position | undefined {
  const [match] = element.children;
  checkShape(element, { children: match ? ["match"] : [] });
  if (match) checkShape(match, {});
  if (match) return { kind: "keyword", text: soughtText(childOf(element, "match") ?? match) };
  const text = element.text.trim();
  return text === "" || /^[+-]?\d+$/.test(text)
    ? undefined
    : { kind: "keyword", text: soughtText({ ...element, text }) };
}

/** Reads `<tabular_location>`: `<skip>` counts from the row that is found, columns count from 0. */
export function readTable(element: XmlElement): TableLocation {
  checkShape(element, {
    attributes: ["columns", "rows", "is_separator"],
    children: ["match", "regexp", "row", "skip", "ws", "blanks", "tabular_value"],
  });
  const start = numberIn(element, "skip") ?? 0;
  const columns = numberAttribute(element, "columns", 1);
  const most = numberAttribute(element, "rows", 1);
  const values = childrenOf(element, "tabular_value").map(readValue);
  if (values.length === 0) throw xmlError(element, "<tabular_location> needs a <tabular_value>");
  const rows = readRows(element, start);
  if (start > 1 && rows.length === 0) throw xmlError(element, "<skip> needs <match>, <regexp> or <row>");
  return {
    kind: "table",
    rows,
    start,
    ...(columns === undefined ? {} : { columns }),
    ...(most === undefined ? {} : { most }),
    ...readBlanks(element, "blanks"),
    ...readSeparator(element),
    ...(flag(element, "is_separator") ? { separates: true } : {}),
    values,
    origin: originOf(element),
  };
}

function readSeparator(element: XmlElement): Pick<TableLocation, "separator"> {
  const child = childOf(element, "ws");
  if (!child) return {};
  checkShape(child, {});
  return { separator: soughtText(child) };
}

/**
 * The rows a location belongs to. An empty `<match>` is in every line: nothing has to be looked for, unless lines are
 * skipped behind it.
 */
function readRows(element: XmlElement, start = 0): RowMark[] {
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
  return { kind: "keyword", text: soughtText({ ...element, text }) };
}

function readValue(element: XmlElement): TableValue {
  checkShape(element, {
    attributes: ["typed", "update", ...cutAttributes],
    children: ["name", "pos", "match", "rep", ...cutChildren],
  });
  const position = columnPosition(element);
  return {
    name: nameIn(element),
    position,
    ...readCounting(element, position),
    ...readCut(element),
    ...readUpdate(element),
    origin: originOf(element),
  };
}

/**
 * `<pos>` counts from 0; -2 is two columns behind the previous value, with back='yes' 2 is two before it; without
 * `<pos>` the next column is meant.
 */
function columnPosition(element: XmlElement): Position {
  const [pos, match] = [childOf(element, "pos"), childOf(element, "match")];
  if (pos && match) throw xmlError(match, "<pos> and <match> exclude each other");
  if (match) checkShape(match, {});
  if (match) return { kind: "keyword", text: soughtText(match) };
  if (!pos) return { kind: "relative", offset: 1 };
  checkShape(pos, { attributes: ["back"] });
  const back = flag(pos, "back") ?? false;
  const number = wholeNumber(pos, "pos", pos.text, back ? 0 : -999_999_999);
  if (!back && number >= 0) return { kind: "number", number: number + 1 };
  return { kind: "relative", offset: 0 - number };
}
