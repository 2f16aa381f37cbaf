import { checkShape, childOf, childrenOf, choiceOf, xmlError, type XmlElement } from "../../text/index.ts";
import { namedProblem } from "./value-descriptors.ts";
import type {
  ExplicitLocation,
  Position,
  RowMark,
  TableLocation,
  TableValue,
  BlockMark,
  Match,
  NamedLocation,
  Trigger,
} from "./input-description.ts";
import {
  cutAttributes,
  cutChildren,
  effectAttributes,
  readBlanks,
  readCounting,
  readCutXml,
  readEffectsXml,
  readUpdateXml,
} from "./input-xml-values.ts";
import {
  flag,
  nameIn,
  numberAttribute,
  numberIn,
  originOf,
  markText,
  textMark,
  wholeNumber,
  patternIn,
} from "./input-xml-element.ts";

const attributes = ["lines", "mode", "content", "match", ...cutAttributes, ...effectAttributes];
const children = ["name", "alias", "match", "regexp", "trigger", "ws", "ignore", ...cutChildren];
const modes = ["assign", "set", "count", "boolean", "accumulate", "abort"] as const;

/** Reads `<named_location>`; `notify` gets the warnings that perfbase also reports. */
export function readNamedXml(
  element: XmlElement,
  notify: (location: XmlElement, notice: string) => void,
): NamedLocation {
  checkShape(element, { attributes, children });
  const [ignored] = childrenOf(element, "ignore");
  if (ignored) throw xmlError(ignored, "<ignore> has no effect", { advice: "write the characters in <ws>" });
  if (choiceOf(element, "match", ["exact", "fuzzy"]) === "fuzzy")
    notify(element, "match='fuzzy' affects file names only");
  const mode = choiceOf(element, "mode", modes) ?? "assign";
  if (mode === "set") notify(element, "mode='set' is an old spelling of store_set='yes'");
  const location: NamedLocation = {
    kind: "named",
    name: nameIn(element),
    ...readMarks(element),
    ...readCutXml(element),
    ...readBlanks(element, "ws"),
    ...readEffectsXml(element),
    ...(mode === "set" ? { storesRow: true } : {}),
    ...(mode === "set" || mode === "assign" ? {} : { mode }),
    origin: originOf(element),
  };
  const problem = namedProblem(location);
  if (problem !== undefined) throw xmlError(element, problem);
  return location;
}

type Marks = Pick<NamedLocation, "aliases" | "patterns" | "matches" | "triggers" | "block" | "lines" | "leads">;

function readMarks(element: XmlElement): Marks {
  const marks = childrenOf(element, "match", "regexp");
  const aliases = childrenOf(element, "alias");
  for (const alias of aliases) checkShape(alias, {});
  const plain = marks.filter((mark) => !mark.attributes.has("marker"));
  const matches = plain.filter((mark) => mark.name === "match").map(readMatch);
  const triggers = childrenOf(element, "trigger").flatMap(readTrigger);
  const lines = numberAttribute(element, "lines");
  return {
    aliases: aliases.map(markText),
    patterns: plain.filter((mark) => mark.name === "regexp").map(readPattern),
    ...(matches.length > 0 ? { matches } : {}),
    ...(triggers.length > 0 ? { triggers } : {}),
    ...readBlock(
      element,
      marks.filter((mark) => mark.attributes.has("marker")),
    ),
    ...(lines === undefined ? {} : { lines }),
    ...readSide(element, marks),
  };
}

function readPattern(element: XmlElement): string {
  checkShape(element, { attributes: ["content"] });
  return patternIn(element);
}

function readMatch(element: XmlElement): Match {
  checkShape(element, { attributes: ["terminator", "match", "content"] });
  const terminator = element.attributes.get("terminator");
  return { text: markText(element), ...(terminator ? { terminator } : {}) };
}

/** Each mark of a trigger is a trigger of its own. */
function readTrigger(element: XmlElement): Trigger[] {
  checkShape(element, { children: ["match", "regexp", "skip"] });
  const marks = childrenOf(element, "match", "regexp");
  for (const mark of marks) checkShape(mark, {});
  if (marks.length === 0) throw xmlError(element, "<trigger> needs <match> or <regexp>");
  const skip = numberIn(element, "skip", -1_000_000) ?? 0;
  return marks.map((mark) => ({ mark: textMark(mark), skip }));
}

function readBlock(element: XmlElement, marks: readonly XmlElement[]): Pick<NamedLocation, "block"> {
  if (marks.length === 0) return {};
  const at = (side: "begin" | "end"): BlockMark[] =>
    marks.filter((mark) => choiceOf(mark, "marker", ["begin", "end"]) === side).map(readBlockMark);
  const block = { begin: at("begin"), end: at("end") };
  if (block.begin.length > 0 && block.end.length > 0) return { block };
  throw xmlError(element, `<named_location> has no mark with marker='${block.begin.length > 0 ? "end" : "begin"}'`);
}

function readBlockMark(element: XmlElement): BlockMark {
  checkShape(element, { attributes: ["marker", "skip", "match"] });
  const skip = numberAttribute(element, "skip") ?? 0;
  if (skip > 0 && choiceOf(element, "marker", ["begin", "end"]) === "end")
    throw xmlError(element, "skip counts lines after a begin");
  return { mark: textMark(element), skip };
}

/** The side of the value is a property of the location; a mark may only repeat it. */
function readSide(element: XmlElement, marks: readonly XmlElement[]): Pick<NamedLocation, "leads"> {
  const sides = ["follows", "leads"] as const;
  const side = choiceOf(element, "content", sides) ?? choiceOf(marks[0] ?? element, "content", sides) ?? "follows";
  for (const mark of marks) {
    if ((choiceOf(mark, "content", sides) ?? side) !== side)
      throw xmlError(mark, "all marks of a location have their value on the same side");
  }
  return side === "leads" ? { leads: true } : {};
}

/** Reads `<explicit_location>`: rows and entries are counted from 1, as in the text syntax. */
export function readExplicitXml(element: XmlElement): ExplicitLocation {
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
    ...readCutXml(element),
    ...readBlanks(element, "ws"),
    ...readEffectsXml(element),
    origin: originOf(element),
  };
}

function explicitPosition(element: XmlElement): Position {
  const child = childOf(element, "pos");
  if (!child) throw xmlError(element, "<explicit_location> needs <pos>, a number from 1 on or a keyword");
  return positionKeyword(child) ?? { kind: "number", number: wholeNumber(child, "pos", child.text, 1) };
}

/** `<pos><match>:</match></pos>`, or a text that is not a number. */
function positionKeyword(element: XmlElement): Position | undefined {
  const [match] = element.children;
  checkShape(element, { children: match ? ["match"] : [] });
  if (match) checkShape(match, {});
  if (match) return { kind: "keyword", text: markText(childOf(element, "match") ?? match) };
  const text = element.text.trim();
  return text === "" || /^[+-]?\d+$/.test(text) ? undefined : { kind: "keyword", text: markText({ ...element, text }) };
}

/** Reads `<tabular_location>`: `<skip>` counts from the matched row, columns count from 0. */
export function readTableXml(element: XmlElement): TableLocation {
  checkShape(element, {
    attributes: ["columns", "rows", "is_separator", "skip_blank", "skip_heads"],
    children: ["match", "regexp", "row", "skip", "skip_regexp", "ws", "blanks", "tabular_value"],
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
    ...(flag(element, "is_separator") ? { startsRun: true } : {}),
    ...readSkipped(element),
    values,
    origin: originOf(element),
  };
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

function readSeparator(element: XmlElement): Pick<TableLocation, "separator"> {
  const child = childOf(element, "ws");
  if (!child) return {};
  checkShape(child, {});
  return { separator: markText(child) };
}

/**
 * The rows that a location belongs to. An empty `<match>` matches every line and is omitted unless lines are skipped
 * after it.
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
  return { kind: "keyword", text: markText({ ...element, text }) };
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
    ...readCutXml(element),
    ...readUpdateXml(element),
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
  if (match) return { kind: "keyword", text: markText(match) };
  if (!pos) return { kind: "relative", offset: 1 };
  checkShape(pos, { attributes: ["back"] });
  const back = flag(pos, "back") ?? false;
  const number = wholeNumber(pos, "pos", pos.text, back ? 0 : -999_999_999);
  if (!back && number >= 0) return { kind: "number", number: number + 1 };
  return { kind: "relative", offset: 0 - number };
}
