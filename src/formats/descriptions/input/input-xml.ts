import { isName } from "../../../core/variables/index.ts";
import type {
  FilenameLocation,
  FixedLocation,
  InputDescription,
  InputLocation,
  Separation,
} from "./input-description.ts";
import { cutAttributes, cutChildren, readBlanks, readCutXml, readDerived, readSplit } from "./input-xml-values.ts";
import {
  childText,
  flag,
  nameIn,
  numberAttribute,
  numberIn,
  onlyMark,
  originOf,
  patternIn,
  markText,
  trimmedText,
  wholeNumber,
} from "./input-xml-element.ts";
import {
  checkShape,
  childOf,
  childrenOf,
  choiceOf,
  requiredChild,
  quoteForMessage,
  readXml,
  xmlError,
  type XmlElement,
} from "../../text/index.ts";
import { readNamedXml, readExplicitXml } from "./input-xml-locations.ts";
import { readMatrixXml, readPatternXml, readTransposedXml } from "./row-location-xml.ts";
import { readTableXml } from "./table-xml.ts";

/*
 * perfbase's input description. Its elements may be in any order. Extensions for parity with the text syntax: rules,
 * run, unit, typed, alias, blanks (docs/input-descriptions.md).
 */

const locationNames = [
  "set_separation",
  "fixed_value",
  "filename_location",
  "named_location",
  "explicit_location",
  "tabular_location",
  "pattern_location",
  "transposed_location",
  "matrix_location",
  "split_location",
  "derived_parameter",
];
const headNames = ["experiment", "synopsis", "description", "database", "attachment"];

/** Reads `<input>`. Fails with `description-error` at file:line:column. */
export function parseInputXml(text: string, file: string): InputDescription {
  const root = readXml(text, file);
  if (root.name !== "input")
    throw xmlError(root, `<${quoteForMessage(root.name)}> is not an input description`, {
      advice: "it begins with <input>",
    });
  checkShape(root, { attributes: ["id", "rules"], children: [...headNames, ...locationNames] });
  const rules = choiceOf(root, "rules", ["stream", "sets"]) ?? "stream";
  const head = readHead(root);
  const notices: string[] = [];
  const notify = (element: XmlElement, notice: string): void =>
    void notices.push(`${file}:${element.line}:${element.column}: ${notice}`);
  for (const attachment of childrenOf(root, "attachment"))
    notify(attachment, "<attachment> has no effect in an input description");
  const locations = childrenOf(root, ...locationNames).map((child) => readLocation(child, rules, notify));
  if (locations.length === 0)
    throw xmlError(root, "there is no location", { advice: `give ${locationNames.join(", ")}` });
  return { file, ...head, rules, ...(notices.length > 0 ? { notices } : {}), locations };
}

function readHead(root: XmlElement): Omit<InputDescription, "file" | "rules" | "locations"> {
  const id = root.attributes.get("id")?.trim();
  const experiment = childText(root, "experiment", "word");
  if (experiment !== undefined && !isName(experiment))
    throw xmlError(
      requiredChild(root, "experiment"),
      `'${quoteForMessage(experiment)}' is not a valid name of an experiment`,
    );
  const synopsis = childText(root, "synopsis", "line");
  const description = childText(root, "description", "block");
  return {
    ...(id ? { id } : {}),
    ...(experiment === undefined ? {} : { experiment }),
    ...(synopsis ? { synopsis } : {}),
    ...(description ? { description } : {}),
    ...readDatabase(root),
  };
}

function readDatabase(root: XmlElement): Pick<InputDescription, "database"> {
  const element = childOf(root, "database");
  if (!element) return {};
  const [secret] = childrenOf(element, "passwd");
  if (secret) throw xmlError(secret, "a password is not allowed in a description", { advice: "omit <passwd>" });
  checkShape(element, { children: ["host", "port", "user", "name"] });
  const port = childOf(element, "port");
  const number = port ? wholeNumber(port, "port", childText(element, "port", "word") ?? "", 1) : undefined;
  if (port && number !== undefined && number > 65_535) throw xmlError(port, `port '${number}' is above 65535`);
  const text = (name: "host" | "user" | "name"): { [key in typeof name]?: string } => {
    const found = childText(element, name, "line");
    return found ? { [name]: found } : {};
  };
  const database = {
    ...text("host"),
    ...(number === undefined ? {} : { port: number }),
    ...text("user"),
    ...text("name"),
  };
  return Object.keys(database).length > 0 ? { database } : {};
}

type Notify = (element: XmlElement, notice: string) => void;

function readLocation(element: XmlElement, rules: InputDescription["rules"], notify: Notify): InputLocation {
  switch (element.name) {
    case "set_separation":
      return readSeparation(element, rules, notify);
    case "fixed_value":
      return readFixed(element);
    case "filename_location":
      return readFilename(element);
    case "named_location":
      return readNamedXml(element, notify);
    case "explicit_location":
      return readExplicitXml(element);
    case "tabular_location":
      return readTableXml(element);
    case "pattern_location":
      return readPatternXml(element);
    case "transposed_location":
      return readTransposedXml(element);
    case "matrix_location":
      return readMatrixXml(element);
    case "split_location":
      return readSplit(element, (child) => readLocation(child, rules, notify));
    default:
      return readDerived(element);
  }
}

/** By default a separation begins a new run under `stream` (perfbase) and a new input set under `sets`. */
function readSeparation(element: XmlElement, rules: InputDescription["rules"], notify: Notify): Separation {
  checkShape(element, { attributes: ["run"], children: ["match", "regexp", "named_location", "skip"] });
  const named = childOf(element, "named_location");
  const [other] = childrenOf(element, "match", "regexp");
  if (named && other) throw xmlError(other, "<set_separation> needs one of <match>, <regexp> and <named_location>");
  const skip = numberIn(element, "skip");
  const mark = named ? readNamedXml(named, notify) : onlyMark(element);
  if ("startsRun" in mark) throw xmlError(named ?? element, "a separation excludes is_separator");
  return {
    kind: "separation",
    mark,
    run: flag(element, "run") ?? rules === "stream",
    ...(skip ? { skip } : {}),
    origin: originOf(element),
  };
}

function readFixed(element: XmlElement): FixedLocation {
  checkShape(element, { children: ["name", "content"] });
  const child = requiredChild(element, "content");
  checkShape(child, {});
  return { kind: "fixed", name: nameIn(element), value: trimmedText(child), origin: originOf(element) };
}

function readFilename(element: XmlElement): FilenameLocation {
  checkShape(element, {
    attributes: ["match", "mode", "case", "folder", ...cutAttributes],
    children: ["name", "match", "regexp", "key", "ws", ...cutChildren],
  });
  const fuzzy = choiceOf(element, "match", ["exact", "fuzzy"]) === "fuzzy";
  const patterns = childrenOf(element, "regexp");
  const keys = childrenOf(element, "key");
  for (const each of [...patterns, ...keys]) checkShape(each, {});
  const folder = numberAttribute(element, "folder");
  return {
    kind: "filename",
    name: nameIn(element),
    matches: childrenOf(element, "match").map((match) => readFileMatch(match, fuzzy)),
    patterns: patterns.map(patternIn),
    ...(keys.length === 0 ? {} : { keys: keys.map(markText) }),
    ...(folder === undefined ? {} : { folder }),
    ...readCutXml(element, choiceOf(element, "case", ["ignore", "respect"]) === "ignore"),
    ...readBlanks(element, "ws"),
    ...(choiceOf(element, "mode", ["assign", "boolean"]) === "boolean" ? { mode: "boolean" } : {}),
    origin: originOf(element),
  };
}

function readFileMatch(element: XmlElement, otherwise: boolean): FilenameLocation["matches"][number] {
  checkShape(element, { attributes: ["match", "terminator"] });
  const found = choiceOf(element, "match", ["exact", "fuzzy"]);
  const terminator = element.attributes.get("terminator");
  return {
    text: markText(element),
    ...(terminator ? { terminator } : {}),
    ...((found === undefined ? otherwise : found === "fuzzy") ? { fuzzy: true } : {}),
  };
}
