import { checkShape, childrenOf, requiredChild, xmlError, type XmlElement } from "../../text/index.ts";
import { flag, nameIn, numberAttribute, numberIn, onlyMark, originOf, patternIn } from "./input-xml-element.ts";
import {
  cutAttributes,
  cutChildren,
  effectAttributes,
  readBlanks,
  readCutXml,
  readEffectsXml,
} from "./input-xml-values.ts";
import { patternGroups } from "./pattern-groups.ts";
import type {
  MatrixLocation,
  MatrixValue,
  PatternGroup,
  PatternLocation,
  TransposedLocation,
} from "./row-locations.ts";
import { layoutAttributes, layoutChildren, readLayoutXml, readMissingXml, readRows } from "./table-xml.ts";

/** Reads `<pattern_location>`: a `<regexp>`, and a `<group>` for each group with descriptors. */
export function readPatternXml(element: XmlElement): PatternLocation {
  checkShape(element, {
    attributes: ["rows", ...effectAttributes.filter((name) => name !== "update")],
    children: ["regexp", "group"],
  });
  const regexp = requiredChild(element, "regexp");
  checkShape(regexp, {});
  const source = patternIn(regexp);
  const groups = childrenOf(element, "group");
  const given = groups.map(readGroup);
  const result = patternGroups(source, given, regexp.textStart);
  if (typeof result === "string") throw xmlError(regexp, result);
  if ("group" in result) throw xmlError(groups[given.indexOf(result.group)] ?? element, result.problem);
  const rows = flag(element, "rows") ?? false;
  const effects = readEffectsXml(element);
  if (rows && Object.keys(effects).length > 0)
    throw xmlError(element, "rows excludes is_separator, store_set, sticky, retrigger");
  return {
    kind: "pattern",
    source,
    ...(rows ? { rows } : {}),
    groups: result.groups,
    ...effects,
    origin: originOf(element),
  };
}

function readGroup(element: XmlElement): PatternGroup {
  checkShape(element, { attributes: cutAttributes, children: ["name", "ws", ...cutChildren] });
  return { name: nameIn(element), ...readCutXml(element), ...readBlanks(element, "ws"), origin: originOf(element) };
}

/** Reads `<transposed_location>`. */
export function readTransposedXml(element: XmlElement): TransposedLocation {
  checkShape(element, { attributes: layoutAttributes, children: [...layoutChildren, "transposed_value"] });
  const children = childrenOf(element, "transposed_value");
  if (children.length === 0) throw xmlError(element, "<transposed_location> needs a <transposed_value>");
  const values = children.map((child) => {
    checkShape(child, { attributes: cutAttributes, children: ["name", "match", "regexp", "missing", ...cutChildren] });
    const row = onlyMark(child);
    return { name: nameIn(child), row, ...readMissingXml(child), ...readCutXml(child), origin: originOf(child) };
  });
  return { kind: "transposed", ...readLayoutXml(element), values, origin: originOf(element) };
}

/** Reads `<matrix_location>`; `<skip>` counts from the line of the headings. */
export function readMatrixXml(element: XmlElement): MatrixLocation {
  checkShape(element, {
    attributes: ["rows", "optional", ...layoutAttributes],
    children: ["match", "regexp", "row", "skip", "missing", "cell", "across", "down", ...layoutChildren],
  });
  const start = numberIn(element, "skip", 1) ?? 1;
  const rows = readRows(element, start);
  if (rows.length === 0) throw xmlError(element, "<matrix_location> needs <match>, <regexp> or <row>");
  const most = numberAttribute(element, "rows", 1);
  const layout = readLayoutXml(element);
  const down = requiredChild(element, "down");
  const label = flag(down, "label") ?? false;
  if (label && Object.keys(layout).some((key) => key !== "blanks"))
    throw xmlError(down, "label needs entries that are separated by blanks");
  return {
    kind: "matrix",
    rows,
    start,
    ...(most === undefined ? {} : { most }),
    ...layout,
    cell: readPart(requiredChild(element, "cell")),
    across: readPart(requiredChild(element, "across")),
    down: readPart(down, ["label"]),
    ...(label ? { label } : {}),
    ...(flag(element, "optional") ? { optional: true } : {}),
    ...readMissingXml(element),
    origin: originOf(element),
  };
}

function readPart(element: XmlElement, more: readonly string[] = []): MatrixValue {
  checkShape(element, { attributes: [...more, ...cutAttributes], children: ["name", ...cutChildren] });
  return { name: nameIn(element), ...readCutXml(element), origin: originOf(element) };
}
