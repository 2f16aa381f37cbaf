import {
  type AccessChange,
  type ExperimentUpdate,
  type VariableAlteration,
  type VariableChange,
  accessLevels,
} from "../../../core/experiments/index.ts";
import { unitOrNull } from "./experiment-update.ts";
import { infoChildren, readUsersXml } from "./experiment-xml.ts";
import {
  elementValue,
  isNumeric,
  variableNameOf,
  occurrenceOf,
  readDatatype,
  readVariableXml,
  validTexts,
  variableAttributes,
  variableChildren,
} from "./experiment-xml-variable.ts";
import { readUnitXml } from "./unit-xml.ts";
import {
  checkShape,
  childOf,
  choiceOf,
  isEmpty,
  requiredChild,
  textOf,
  type XmlTextKind,
  readXml,
  xmlError,
  type XmlElement,
} from "../../text/index.ts";

/*
 * perfbase's experiment_update. An empty element removes the text that it names. Extensions: `<variable>` for either a
 * parameter or a result, action="add", valid="only" (the list replaces the old one), `<default mandatory="yes"/>`,
 * better="none".
 */

const variableElements = ["parameter", "result", "variable"];
const accessElements = ["access_add", "access_change", "access_revoke"];
const levels = { query_access: "read", input_access: "write", admin_access: "admin" } as const;
const levelElements = Object.keys(levels) as (keyof typeof levels)[];

/** Reads an update's XML; fails with `description-error` at file:line:column. */
export function parseExperimentUpdateXml(text: string, file: string): ExperimentUpdate {
  return experimentUpdateOf(readXml(text, file));
}

/** The update that the root of a document describes. */
function experimentUpdateOf(root: XmlElement): ExperimentUpdate {
  if (root.name !== "experiment_update")
    throw xmlError(root, `<${root.name.slice(0, 40)}> is not an experiment update`, {
      word: root.name,
      candidates: ["experiment_update"],
    });
  checkShape(root, { children: ["experiment", "info", ...variableElements, ...accessElements] });
  const info = childOf(root, "info");
  return {
    experiment: variableNameOf(requiredChild(root, "experiment")),
    about: info ? readAbout(info) : {},
    changes: root.children.filter(({ name }) => variableElements.includes(name)).map(readChange),
    access: root.children.filter(({ name }) => accessElements.includes(name)).flatMap(readAccess),
  };
}

function readAbout(info: XmlElement): ExperimentUpdate["about"] {
  checkShape(info, { children: infoChildren });
  const performed = childOf(info, "performed_by");
  if (performed) checkShape(performed, { children: ["name", "organization"] });
  const about = {
    ...readTexts(info),
    performedBy: performed && textOrNull(performed, "name", "line"),
    organization: performed && textOrNull(performed, "organization", "line"),
    project: textOrNull(info, "project", "line"),
  };
  return Object.fromEntries(Object.entries(about).filter(([, text]) => text !== undefined));
}

function readTexts(element: XmlElement): Pick<VariableAlteration, "synopsis" | "description"> {
  const synopsis = textOrNull(element, "synopsis", "line");
  const description = textOrNull(element, "description", "block");
  return { ...(synopsis === undefined ? {} : { synopsis }), ...(description === undefined ? {} : { description }) };
}

/** undefined without the child, null if it is empty. */
function textOrNull(element: XmlElement, name: string, kind: XmlTextKind): string | null | undefined {
  const child = childOf(element, name);
  if (!child) return undefined;
  const lines = textOf(child, kind).split("\n");
  if (isEmpty(child)) return null;
  if (name === "synopsis") return lines.join(" ").trimEnd();
  return lines.map((line) => (name === "description" ? line.trimEnd() : line)).join("\n");
}

function readChange(element: XmlElement): VariableChange {
  const action = choiceOf(element, "action", ["auto", "replace", "drop", "add"]) ?? "auto";
  if (action === "drop") {
    checkShape(element, { attributes: ["action"], children: ["name"] });
    return { kind: "drop", name: variableNameOf(requiredChild(element, "name")) };
  }
  if (action === "add") {
    if (element.name === "variable") throw xmlError(element, "a new variable is a <parameter> or a <result>");
    return { kind: "add", variable: readVariableXml(element, ["action"]) };
  }
  return { kind: action === "auto" ? "auto" : "alter", ...readAlteration(element) };
}

function readAlteration(element: XmlElement): VariableAlteration & { readonly name: string } {
  checkShape(element, {
    attributes: [...variableAttributes, "action", "valid"],
    children: [...variableChildren, "new_name"],
  });
  const newName = childOf(element, "new_name");
  const datatype = childOf(element, "datatype");
  const unit = childOf(element, "unit");
  const occurrence = occurrenceOf(element);
  const numeric = isNumeric(element);
  const better = choiceOf(element, "better", ["lower", "higher", "none"]);
  const stated = datatype ? readDatatype(datatype) : {};
  return {
    name: variableNameOf(requiredChild(element, "name")),
    ...(newName ? { newName: variableNameOf(newName) } : {}),
    ...(element.name === "parameter" || element.name === "result" ? { role: element.name } : {}),
    ...stated,
    ...(occurrence === undefined ? {} : { occurrence }),
    ...(unit ? { unit: isEmpty(unit) ? null : unitOrNull(readUnitXml(unit)) } : {}),
    ...readTexts(element),
    ...readValues(element, stated),
    ...(numeric === undefined ? {} : { numeric }),
    ...(better === undefined ? {} : { better: better === "none" ? null : better }),
  };
}

function readValues(
  element: XmlElement,
  stated: ReturnType<typeof readDatatype>,
): Pick<VariableAlteration, "default" | "valid"> {
  const fallback = readDefault(element);
  const missing = typeof fallback === "object" && fallback.value === null;
  const elements = validTexts(element, missing);
  const checked = [
    ...elements,
    ...(typeof fallback === "object" && !missing ? [requiredChild(element, "default")] : []),
  ];
  const { type, size, longest } = stated;
  const limits = { ...(size === undefined ? {} : { size }), ...(longest ? { longest } : {}) };
  if (type !== undefined) for (const each of checked) elementValue(each, { type, ...limits });
  const texts = elements.map((each) => textOf(each, "word"));
  const only = choiceOf(element, "valid", ["more", "only"]) === "only";
  const valid = only ? (texts.length === 0 ? "any" : { only: texts }) : { add: texts };
  return { ...(fallback === undefined ? {} : { default: fallback }), ...(only || texts.length > 0 ? { valid } : {}) };
}

function readDefault(element: XmlElement): VariableAlteration["default"] {
  const child = childOf(element, "default");
  if (!child) return undefined;
  const text = textOf(child, "word", ["mandatory"]);
  const mandatory = choiceOf(child, "mandatory", ["yes", "no"]) === "yes";
  if (mandatory && !isEmpty(child)) throw xmlError(child, "a default excludes mandatory='yes'");
  if (mandatory) return "none";
  return { value: isEmpty(child) ? null : text };
}

/** `access_change` gives users exactly this level; `access_revoke` may name users of any level. */
function readAccess(element: XmlElement): AccessChange[] {
  const bare = element.name === "access_revoke" ? ["user", "group"] : [];
  checkShape(element, { children: [...levelElements, ...bare] });
  return element.children.flatMap((child) => {
    if (child.name === "user" || child.name === "group")
      return readUsersXml({ ...element, children: [child] }).flatMap(everyLevel);
    const level = levels[child.name as keyof typeof levels];
    return readUsersXml(child).flatMap((who): AccessChange[] => {
      if (element.name === "access_revoke") return [{ action: "revoke", level, who }];
      const others = element.name === "access_change" ? everyLevel(who).filter((each) => each.level !== level) : [];
      return [...others, { action: "grant", level, who }];
    });
  });
}

function everyLevel(who: string): AccessChange[] {
  return accessLevels.map((level) => ({ action: "revoke", level, who }));
}
