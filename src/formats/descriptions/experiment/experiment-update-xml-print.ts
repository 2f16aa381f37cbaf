import type {
  AccessChange,
  ExperimentUpdate,
  VariableAlteration,
  VariableChange,
} from "../../../core/experiments/index.ts";
import { xmlPiece, printDocument, printText, type XmlPiece, type XmlTextKind } from "../../text/index.ts";
import { printUnitXml } from "./unit-xml.ts";
import { printVariableXml, printDatatype, printValid, printDefault, printAccess } from "./experiment-xml-print.ts";

/**
 * Prints an update as perfbase's XML; `parseExperimentUpdateXml` reads it back. Fails with `not-in-xml` on control
 * characters.
 */
export function printExperimentUpdateXml({ experiment, about, changes, access }: ExperimentUpdate): string {
  const info = printAbout(about);
  const pieces = [
    printText("experiment", experiment, "word"),
    ...(info.length === 0 ? [] : [xmlPiece("info", info)]),
    ...changes.map(printChange),
    ...access.map(printAccessChange),
  ];
  return printDocument(xmlPiece("experiment_update", pieces));
}

function printAbout({
  performedBy,
  organization,
  project,
  synopsis,
  description,
}: ExperimentUpdate["about"]): (string | XmlPiece)[] {
  const performed = [...printOrTake("name", performedBy, "line"), ...printOrTake("organization", organization, "line")];
  return [
    ...(performed.length === 0 ? [] : [xmlPiece("performed_by", performed)]),
    ...printOrTake("project", project, "line"),
    ...printOrTake("synopsis", synopsis, "line"),
    ...printOrTake("description", description, "block"),
  ];
}

/** Nothing for an unchanged text, an empty element for a removed one. */
function printOrTake(name: string, text: string | null | undefined, kind: XmlTextKind): string[] {
  if (text === undefined) return [];
  return [text === null ? `<${name}/>` : printText(name, text, kind)];
}

function printChange(change: VariableChange): XmlPiece {
  if (change.kind === "add") return printVariableXml(change.variable, ' action="add"');
  if (change.kind === "drop") return xmlPiece("parameter", [printText("name", change.name, "word")], ' action="drop"');
  return printAlteration(change, change.kind === "alter" ? ' action="replace"' : "");
}

function printAlteration(change: VariableAlteration & { readonly name: string }, action: string): XmlPiece {
  const {
    name,
    newName,
    role = "variable",
    type,
    size,
    longest,
    unit,
    synopsis,
    description,
    default: fallback,
  } = change;
  const stated = type !== undefined || size !== undefined || longest !== undefined;
  const pieces = [
    printText("name", name, "word"),
    ...(newName === undefined ? [] : [printText("new_name", newName, "word")]),
    ...printOrTake("synopsis", synopsis, "line"),
    ...printOrTake("description", description, "block"),
    ...(stated ? [printDatatype(type, size, longest)] : []),
    ...(unit === undefined ? [] : [unit === null ? "<unit/>" : printUnitXml(unit)]),
    ...printAlteredValid(change),
    ...(fallback === undefined
      ? []
      : [fallback === "none" ? '<default mandatory="yes"/>' : printDefault(fallback.value)]),
  ];
  return xmlPiece(role, pieces, action + printMarks(change));
}

function printMarks({ occurrence, numeric, better, valid }: VariableAlteration): string {
  return [
    ...(occurrence === undefined ? [] : [` occurrence="${occurrence}"`]),
    ...(numeric === undefined ? [] : [` is_numeric="${numeric ? "yes" : "no"}"`]),
    ...(better === undefined ? [] : [` better="${better ?? "none"}"`]),
    ...(valid === undefined || (valid !== "any" && "add" in valid) ? [] : [' valid="only"']),
  ].join("");
}

function printAlteredValid({ valid, default: fallback }: VariableAlteration): string[] {
  if (valid === undefined || valid === "any") return [];
  const missing = typeof fallback === "object" && fallback.value === null;
  return printValid("add" in valid ? valid.add : valid.only, missing);
}

const elements = { read: "query_access", write: "input_access", admin: "admin_access" } as const;

function printAccessChange({ action, level, who }: AccessChange): XmlPiece {
  return xmlPiece(action === "grant" ? "access_add" : "access_revoke", [printAccess(elements[level], [who])]);
}
