import type { Experiment } from "../../../core/experiments/index.ts";
import { formatValue } from "../../../core/values/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import { xmlPiece, printDocument, printText, type XmlPiece } from "../../text/index.ts";
import { missingValue, perfbaseLongest } from "./experiment-xml-variable.ts";
import { printUnitXml } from "./unit-xml.ts";

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
export function printAccess(name: string, users: readonly string[]): XmlPiece {
  return xmlPiece(
    name,
    users.map((user) =>
      user.startsWith("@") ? printText("group", user.slice(1), "word") : printText("user", user, "word"),
    ),
  );
}

/** A `<parameter>` or `<result>`; each attribute starts with a blank. */
export function printVariableXml(variable: Variable, attributes = ""): XmlPiece {
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
export function printDatatype(
  type: Variable["type"] | undefined,
  size?: Variable["size"],
  longest?: number | null,
): string {
  const attributes = (size === undefined ? "" : ` size="${size}"`) + printLongest(type, longest);
  return `<datatype${attributes}>${type ?? ""}</datatype>`;
}

/** An unspecified string has perfbase's length, so an update has to write `keep` to leave the length unchanged. */
function printLongest(type: Variable["type"] | undefined, longest: number | null | undefined): string {
  if (longest === (type === "string" ? perfbaseLongest : undefined)) return "";
  return ` longest="${longest === undefined ? "keep" : (longest ?? "none")}"`;
}

export function printValid(texts: readonly string[], missing: boolean): string[] {
  const all = missing && texts.length > 0 ? [...texts, missingValue] : texts;
  return all.map((text) => printText("valid", text, "word"));
}

export function printDefault(text: string | null): string {
  return text === null ? "<default/>" : printText("default", text, "word");
}
