import type {
  AccessChange,
  ExperimentUpdate,
  VariableAlteration,
  VariableChange,
  Experiment,
} from "../../../core/experiments/index.ts";
import { formatValue } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { xmlPiece, printDocument, printText, type XmlPiece, type XmlTextKind } from "../../text/index.ts";
import { missingValue, perfbaseLongest } from "./experiment-xml-variable.ts";
import { printUnitXml } from "./unit-xml.ts";

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

/**
 * Prints an experiment as perfbase's XML; `parseExperimentXml` reads it back. Fails with `not-in-xml` on control
 * characters.
 */
export function printExperimentXml(experiment: Experiment): string {
  const { name, database, admins, readers, writers, variables } = experiment;
  const info = printInfo(experiment);
  const pieces = [
    printText("name", name, "word"),
    ...(info.length === 0 ? [] : [xmlPiece("info", info)]),
    ...(database ? [printDatabase(database)] : []),
    ...(admins ? [printAccess("admin_access", admins)] : []),
    ...(writers.length === 0 ? [] : [printAccess("input_access", writers)]),
    ...(readers.length === 0 ? [] : [printAccess("query_access", readers)]),
    ...variables.map((variable) => printVariableXml(variable)),
  ];
  return printDocument(xmlPiece("experiment", pieces));
}

function printInfo({ performedBy, organization, project, synopsis, description }: Experiment): (string | XmlPiece)[] {
  const performed = [
    ...(performedBy === undefined ? [] : [printText("name", performedBy, "line")]),
    ...(organization === undefined ? [] : [printText("organization", organization, "line")]),
  ];
  return [
    ...(performed.length === 0 ? [] : [xmlPiece("performed_by", performed)]),
    ...(project === undefined ? [] : [printText("project", project, "line")]),
    ...printTexts({ synopsis, description }),
  ];
}

function printTexts({
  synopsis,
  description,
}: { readonly [Field in "synopsis" | "description"]?: string | undefined }): string[] {
  return [
    ...(synopsis === undefined ? [] : [printText("synopsis", synopsis, "line")]),
    ...(description === undefined ? [] : [printText("description", description, "block")]),
  ];
}

function printDatabase({ host, port, user, name }: NonNullable<Experiment["database"]>): XmlPiece {
  return xmlPiece("database", [
    ...(host === undefined ? [] : [printText("host", host, "word")]),
    ...(port === undefined ? [] : [printText("port", String(port), "word")]),
    ...(user === undefined ? [] : [printText("user", user, "word")]),
    printText("name", name, "word"),
  ]);
}

/** An element that names users and groups. */
function printAccess(name: string, users: readonly string[]): XmlPiece {
  return xmlPiece(
    name,
    users.map((user) =>
      user.startsWith("@") ? printText("group", user.slice(1), "word") : printText("user", user, "word"),
    ),
  );
}

/** A `<parameter>` or `<result>`; each attribute starts with a blank. */
function printVariableXml(variable: Variable, attributes = ""): XmlPiece {
  const { role, name, type, size, longest, unit, valid, occurrence, numeric, better } = variable;
  const marks = [
    ...(occurrence === "once" ? [' occurrence="once"'] : []),
    ...(numeric ? [' is_numeric="yes"'] : []),
    ...(better ? [` better="${better}"`] : []),
  ];
  const pieces = [
    printText("name", name, "word"),
    ...printTexts(variable),
    printDatatype(type, size, longest ?? (type === "string" ? null : undefined)),
    ...(unit && unit.factors.length > 0 ? [printUnitXml(unit)] : []),
    ...printValid(valid?.map((value) => formatValue(value, type)) ?? [], variable.default === null),
    ...(variable.default === undefined
      ? []
      : [printDefault(variable.default === null ? null : formatValue(variable.default, type))]),
  ];
  return xmlPiece(role, pieces, attributes + marks.join(""));
}

/** `longest`: null is unlimited, undefined is unspecified. */
function printDatatype(type: Variable["type"] | undefined, size?: Variable["size"], longest?: number | null): string {
  const attributes = (size === undefined ? "" : ` size="${size}"`) + printLongest(type, longest);
  return `<datatype${attributes}>${type ?? ""}</datatype>`;
}

/** An unspecified string has perfbase's length, so an update has to write `keep` to leave the length unchanged. */
function printLongest(type: Variable["type"] | undefined, longest: number | null | undefined): string {
  if (longest === (type === "string" ? perfbaseLongest : undefined)) return "";
  return ` longest="${longest === undefined ? "keep" : (longest ?? "none")}"`;
}

function printValid(texts: readonly string[], missing: boolean): string[] {
  const all = missing && texts.length > 0 ? [...texts, missingValue] : texts;
  return all.map((text) => printText("valid", text, "word"));
}

function printDefault(text: string | null): string {
  return text === null ? "<default/>" : printText("default", text, "word");
}
