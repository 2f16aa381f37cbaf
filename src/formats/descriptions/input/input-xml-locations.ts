import { checkShape, childOf, childrenOf, choiceOf, xmlError, type XmlElement } from "../../text/index.ts";
import { namedProblem } from "./value-descriptors.ts";
import type { ExplicitLocation, BlockMark, Match, NamedLocation, Trigger } from "./input-description.ts";
import type { Position } from "./location-parts.ts";
import { readCharacters, readRows } from "./table-xml.ts";
import {
  cutAttributes,
  cutChildren,
  effectAttributes,
  readBlanks,
  readCounting,
  readCutXml,
  readEffectsXml,
} from "./input-xml-values.ts";
import {
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
    children: ["name", "row", "match", "regexp", "pos", "chars", "rep", "ws", ...cutChildren],
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
  const characters = readCharacters(element, child);
  if (characters) return characters;
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
