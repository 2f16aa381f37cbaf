import { namedProblem } from "./input-content.ts";
import type { BlockMark, Match, NamedLocation, Trigger } from "./input-description.ts";
import { cutAttributes, cutChildren, effectAttributes, readBlanks, readCut, readEffects } from "./input-xml-content.ts";
import { nameIn, numberAttribute, numberIn, originOf, patternIn, soughtText, textMark } from "./input-xml-element.ts";
import { checkShape, childrenOf, choiceOf } from "../../text/xml-children.ts";
import { xmlError, type XmlElement } from "../../text/xml.ts";

const attributes = ["lines", "mode", "content", "match", ...cutAttributes, ...effectAttributes];
const children = ["name", "alias", "match", "regexp", "trigger", "ws", "ignore", ...cutChildren];
const modes = ["assign", "set", "count", "boolean", "accumulate", "abort"] as const;

/** Reads `<named_location>`; `notify` is told of what perfbase itself warns of. */
export function readNamed(element: XmlElement, notify: (place: XmlElement, notice: string) => void): NamedLocation {
  checkShape(element, { attributes, children });
  const [ignored] = childrenOf(element, "ignore");
  if (ignored) throw xmlError(ignored, "<ignore> never did anything", { advice: "write the characters in <ws>" });
  if (choiceOf(element, "match", ["exact", "fuzzy"]) === "fuzzy")
    notify(element, "match='fuzzy' makes a difference in file names only");
  const mode = choiceOf(element, "mode", modes) ?? "assign";
  if (mode === "set") notify(element, "mode='set' is an old spelling of store_set='yes'");
  const location: NamedLocation = {
    kind: "named",
    name: nameIn(element),
    ...readMarks(element),
    ...readCut(element),
    ...readBlanks(element, "ws"),
    ...readEffects(element),
    ...(mode === "set" ? { storesSet: true } : {}),
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
    aliases: aliases.map(soughtText),
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
  return { text: soughtText(element), ...(terminator ? { terminator } : {}) };
}

/** A trigger may have several marks: each of them is one. */
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
    throw xmlError(element, "skip counts lines behind a begin");
  return { mark: textMark(element), skip };
}

/** The side of the content belongs to the location: a mark may only repeat it. */
function readSide(element: XmlElement, marks: readonly XmlElement[]): Pick<NamedLocation, "leads"> {
  const sides = ["follows", "leads"] as const;
  const side = choiceOf(element, "content", sides) ?? choiceOf(marks[0] ?? element, "content", sides) ?? "follows";
  for (const mark of marks) {
    if ((choiceOf(mark, "content", sides) ?? side) !== side)
      throw xmlError(mark, "all marks of a location have their content on one side");
  }
  return side === "leads" ? { leads: true } : {};
}
