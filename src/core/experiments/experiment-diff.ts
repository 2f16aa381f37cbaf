import { Failure } from "../failures/index.ts";
import { commentedKeywords, type Experiment } from "./experiment.ts";
import {
  aboutFields,
  type AccessChange,
  type ExperimentUpdate,
  type VariableAlteration,
  type VariableChange,
} from "./experiment-update.ts";
import { formatUnit, formatValue } from "../values/index.ts";
import { findVariable, type Variable } from "../variables/index.ts";

/**
 * The update that turns an experiment into another description of it: adds new variables, drops missing ones, alters
 * different ones. Applying it refuses changed types. The database is not compared, admins only if `wanted` has some.
 * Fails with `update-refused` if the names differ.
 */
export function diffExperiments(current: Experiment, wanted: Experiment): ExperimentUpdate {
  if (current.name.toLowerCase() !== wanted.name.toLowerCase()) {
    const problem = `the description is that of '${wanted.name}'`;
    throw new Failure("update-refused", {
      experiment: current.name,
      problem,
      advice: `name the experiment '${current.name}' in it`,
    });
  }
  const differ = aboutFields.filter((field) => current[field] !== wanted[field]);
  return {
    experiment: current.name,
    about: Object.fromEntries(differ.map((field) => [field, wanted[field] ?? null])),
    changes: variableChanges(current, wanted),
    ...(sameComments(current, wanted) ? {} : { comments: wanted.comments ?? null }),
    access: [
      ...accessChanges("read", current.readers, wanted.readers),
      ...accessChanges("write", current.writers, wanted.writers),
      ...(wanted.admins ? accessChanges("admin", current.admins ?? [], wanted.admins) : []),
    ],
  };
}

function sameComments({ comments: before = {} }: Experiment, { comments: after = {} }: Experiment): boolean {
  return commentedKeywords.every((keyword) => before[keyword] === after[keyword]);
}

function variableChanges(current: Experiment, wanted: Experiment): VariableChange[] {
  const gone = current.variables.filter((variable) => !findVariable(wanted.variables, variable.name));
  const changes = wanted.variables.map((variable): VariableChange[] => {
    const before = findVariable(current.variables, variable.name);
    if (!before) return [{ kind: "add", variable }];
    const alteration = diffVariables(before, variable);
    return Object.keys(alteration).length === 0 ? [] : [{ kind: "alter", name: before.name, ...alteration }];
  });
  return [...gone.map(({ name }) => ({ kind: "drop", name }) as const), ...changes.flat()];
}

function diffVariables(before: Variable, after: Variable): VariableAlteration {
  const texts = (variable: Variable): string[] | undefined =>
    variable.valid?.map((each) => formatValue(each, variable.type));
  const only = texts(after);
  const sameValid = JSON.stringify(texts(before)) === JSON.stringify(only);
  const size = after.size ?? 8;
  const sameUnit = formatUnit(before.unit) === formatUnit(after.unit);
  return {
    ...(before.name === after.name ? {} : { newName: after.name }),
    ...(before.role === after.role ? {} : { role: after.role }),
    ...(before.type === after.type ? {} : { type: after.type }),
    ...((before.size ?? 8) === size ? {} : { size }),
    ...(before.occurrence === after.occurrence ? {} : { occurrence: after.occurrence }),
    // Numbers of the description are in its unit.
    ...(sameDefault(before, after) && (sameUnit || typeof after.default !== "number")
      ? {}
      : { default: defaultOf(after) }),
    ...(sameUnit ? {} : { unit: after.unit ?? null }),
    ...(before.synopsis === after.synopsis ? {} : { synopsis: after.synopsis ?? null }),
    ...(before.description === after.description ? {} : { description: after.description ?? null }),
    ...(sameValid && (sameUnit || only === undefined) ? {} : { valid: only ? { only } : ("any" as const) }),
    ...(before.longest === after.longest ? {} : { longest: after.longest ?? null }),
    ...(before.numeric === after.numeric ? {} : { numeric: after.numeric ?? false }),
    ...(before.better === after.better ? {} : { better: after.better ?? null }),
  };
}

function sameDefault(before: Variable, after: Variable): boolean {
  return Object.is(before.default, after.default) && before.type === after.type;
}

function defaultOf({ default: value, type }: Variable): NonNullable<VariableAlteration["default"]> {
  if (value === undefined) return "none";
  return { value: value === null ? null : formatValue(value, type) };
}

function accessChanges(
  level: AccessChange["level"],
  before: readonly string[],
  after: readonly string[],
): AccessChange[] {
  const revoked = before
    .filter((who) => !after.includes(who))
    .map((who) => ({ action: "revoke", level, who }) as const);
  const granted = after.filter((who) => !before.includes(who)).map((who) => ({ action: "grant", level, who }) as const);
  return [...revoked, ...granted];
}
