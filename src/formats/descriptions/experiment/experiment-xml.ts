import type { Experiment } from "../../../core/experiments/index.ts";
import { findVariable, mostVariables, type Variable } from "../../../core/variables/index.ts";
import { isHost, isPort, passwordAdvice } from "./experiment.ts";
import { variableNameOf, optionalText, optionalTexts, readVariableXml } from "./experiment-xml-variable.ts";
import { checkShape, childOf, requiredChild, textOf, readXml, xmlError, type XmlElement } from "../../text/index.ts";

/*
 * perfbase's experiment description. Extensions make both syntaxes equivalent: the attributes `better` and `longest`,
 * and `database/name`. `xml:space="preserve"` keeps the blanks around a text.
 */

const accessNames = ["query_access", "input_access", "admin_access"];
const children = ["name", "info", "database", "owner", ...accessNames, "parameter", "result"];
/** Elements of perfbase's document type that perfbase never reads. */
const unused = ["import", "attachment"];

/** Reads an experiment's XML; fails with `description-error` at file:line:column. */
export function parseExperimentXml(text: string, file: string): Experiment {
  return experimentOf(readXml(text, file));
}

/** The experiment that the root of a document describes. */
function experimentOf(root: XmlElement): Experiment {
  if (root.name !== "experiment")
    throw xmlError(root, `<${root.name.slice(0, 40)}> is not an experiment description`, {
      word: root.name,
      candidates: ["experiment"],
    });
  const dead = root.children.find((child) => unused.includes(child.name));
  if (dead) throw xmlError(dead, `<${dead.name}> was never used in experiment descriptions`, { advice: "omit it" });
  checkShape(root, { children });
  const name = variableNameOf(requiredChild(root, "name"));
  const info = childOf(root, "info");
  const database = childOf(root, "database");
  return {
    name,
    ...(info ? readInfo(info) : {}),
    ...(database ? { database: readDatabase(database, name) } : {}),
    ...readAccess(root),
    variables: readVariables(root),
  };
}

/** The properties of the experiment itself. */
function readInfo(info: XmlElement): Partial<Experiment> {
  checkShape(info, { children: infoChildren });
  const performed = childOf(info, "performed_by");
  if (performed) checkShape(performed, { children: ["name", "organization"] });
  const performedBy = performed && optionalText(performed, "name", "line");
  const organization = performed && optionalText(performed, "organization", "line");
  const project = optionalText(info, "project", "line");
  return {
    ...optionalTexts(info),
    ...(performedBy === undefined ? {} : { performedBy }),
    ...(organization === undefined ? {} : { organization }),
    ...(project === undefined ? {} : { project }),
  };
}

export const infoChildren = ["performed_by", "project", "synopsis", "description"];

/**
 * perfbase stores each experiment in its own database with a generated name; `name` overrides it, or is a path if it is
 * the only child.
 */
function readDatabase(element: XmlElement, experiment: string): NonNullable<Experiment["database"]> {
  const secret = childOf(element, "passwd") ?? childOf(element, "password");
  if (secret) throw xmlError(secret, "a password is not allowed in a description", passwordAdvice);
  checkShape(element, { children: ["host", "port", "user", "name"] });
  const [host, port, user] = ["host", "port", "user"].map((name) => optionalText(element, name, "word"));
  const name = optionalText(element, "name", "word") ?? `pb_${experiment.toLowerCase()}`;
  if (host === undefined && (port !== undefined || user !== undefined))
    throw xmlError(element, "<database> needs a <host>");
  if (host !== undefined && !isHost(host))
    throw xmlError(requiredChild(element, "host"), `'${host.slice(0, 80)}' is not a host`);
  if (port !== undefined && !isPort(port))
    throw xmlError(requiredChild(element, "port"), `'${port.slice(0, 80)}' is not a port`);
  if (user === "") throw xmlError(requiredChild(element, "user"), "<user> is empty");
  if (user?.includes(":"))
    throw xmlError(requiredChild(element, "user"), "a password is not allowed in a description", passwordAdvice);
  return {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(user === undefined ? {} : { user }),
    name,
  };
}

/** An owner is the first of the admins. */
function readAccess(root: XmlElement): Pick<Experiment, "readers" | "writers" | "admins"> {
  const [readers, writers, admins] = accessNames
    .map((name) => childOf(root, name))
    .map((element) => element && readUsersXml(element));
  const owner = childOf(root, "owner");
  const owners = owner && (owner.children.length > 0 ? readUsersXml(owner) : [userOf(owner)]);
  const all = owners || admins ? { admins: [...(owners ?? []), ...(admins ?? [])] } : {};
  return { readers: readers ?? [], writers: writers ?? [], ...all };
}

/** The users and, with a leading `@`, the groups that an element names. */
export function readUsersXml(element: XmlElement): string[] {
  checkShape(element, { children: ["user", "group"] });
  return element.children.map(userOf);
}

function userOf(element: XmlElement): string {
  const text = textOf(element, "word");
  if (element.name === "group") return `@${text}`;
  if (text !== "" && !text.startsWith("@")) return text;
  throw xmlError(element, text === "" ? `<${element.name}> is empty` : `'${text.slice(0, 80)}' is not a user`, {
    advice: "groups are named by <group>, without @",
  });
}

function readVariables(root: XmlElement): Variable[] {
  const variables: Variable[] = [];
  for (const element of root.children.filter(({ name }) => name === "parameter" || name === "result")) {
    const variable = readVariableXml(element);
    const same = findVariable(variables, variable.name);
    if (same)
      throw xmlError(
        element,
        `'${variable.name}' is already defined${same.name === variable.name ? "" : ` as '${same.name}'`}`,
      );
    if (variables.length === mostVariables)
      throw xmlError(element, `more than ${mostVariables} parameters and results`);
    variables.push(variable);
  }
  if (!variables.some((variable) => variable.role === "result"))
    throw xmlError(root, "there is no <result>, at least one is needed");
  return variables;
}
