import { Failure } from "../failures/index.ts";
import { variableOf, type Experiment } from "./experiment.ts";
import {
  aboutFields,
  type AccessChange,
  type ExperimentUpdate,
  type ResolvedChange,
  type VariableAlteration,
} from "./experiment-update.ts";
import {
  conversion,
  convert,
  convertInteger,
  formatUnit,
  InvalidValue,
  sameDimension,
  type Unit,
  type Value,
} from "../values/index.ts";
import { findVariable, mayHaveUnit, mostVariables, readVariableValue, type Variable } from "../variables/index.ts";

/**
 * The experiment after the update. Variables keep their order, new ones follow. Fails with `unknown-variable` or
 * `update-refused`; then nothing may be applied.
 */
export function updatedExperiment(experiment: Experiment, update: ExperimentUpdate): Experiment {
  const variables = updatedVariables(experiment, resolveChanges(experiment, update), update.relabel === true);
  checkVariables(experiment, variables);
  const about = Object.fromEntries(aboutFields.map((field) => [field, update.about[field]]));
  const after = patched(experiment, { ...about, comments: update.comments });
  return { ...after, ...access(experiment, update.access), variables };
}

/**
 * The changes of variables with `auto` resolved to alter or add. Fails with `unknown-variable` if neither is possible,
 * or `update-refused`.
 */
export function resolveChanges(experiment: Experiment, update: ExperimentUpdate): ResolvedChange[] {
  return update.changes.map((change) => {
    if (change.kind !== "auto") return change;
    const found = findVariable(experiment.variables, change.name);
    return found ? { ...change, kind: "alter" } : { kind: "add", variable: added(experiment, change) };
  });
}

function added(experiment: Experiment, change: VariableAlteration & { readonly name: string }): Variable {
  const { name, role, type, size, occurrence = "multiple", newName } = change;
  if (role === undefined || type === undefined || newName !== undefined) return variableOf(experiment, name);
  return altered(experiment, { name, role, occurrence, type, ...(size === undefined ? {} : { size }) }, change);
}

function updatedVariables(experiment: Experiment, changes: readonly ResolvedChange[], relabels: boolean): Variable[] {
  const kept = new Map(experiment.variables.map((variable) => [variable.name, variable]));
  const more: Variable[] = [];
  for (const change of changes) {
    if (change.kind === "add") {
      more.push(change.variable);
      continue;
    }
    const { name } = variableOf(experiment, change.name);
    const variable = kept.get(name);
    if (!variable) throw refused(experiment, `'${name}' is both dropped and changed`);
    if (change.kind === "drop") kept.delete(name);
    else kept.set(name, altered(experiment, relabels ? variable : inNewUnit(experiment, variable, change), change));
  }
  return [...kept.values(), ...more];
}

function altered(experiment: Experiment, before: Variable, change: VariableAlteration): Variable {
  checkUnchangeable(experiment, before, change);
  const after = patched(before, {
    name: change.newName,
    role: change.role,
    unit: change.unit?.factors.length === 0 ? null : change.unit,
    synopsis: change.synopsis,
    description: change.description,
    longest: change.longest,
    better: change.better,
    numeric: change.numeric === false ? null : change.numeric,
  });
  if (after.unit && !mayHaveUnit(after.type))
    throw refused(
      experiment,
      `'${before.name}' is a ${after.type}, which has no unit`,
      "only integers, floats and durations have one",
    );
  const read = (text: string): Exclude<Value, null> => valueIn(experiment, after, text);
  return checkValues(experiment, withDefault(patched(after, { valid: valid(after, change, read) }), change, read));
}

/** The variable with its default and valid values converted to the unit of the change, unless that replaces them. */
function inNewUnit(experiment: Experiment, before: Variable, change: VariableAlteration): Variable {
  const { unit } = change;
  if (!unit || !convertsNumbers(before, { ...before, unit })) return before;
  const inUnit = (value: Value): Value => {
    if (typeof value !== "number") return value;
    const converted = convertNumber(value, before, unit);
    if (converted !== undefined) return converted;
    throw refused(experiment, `the value ${value} of '${before.name}' is no whole number in ${formatUnit(unit)}`);
  };
  const { default: fallback, valid: allowed } = before;
  return {
    ...before,
    ...(typeof fallback === "number" && change.default === undefined ? { default: inUnit(fallback) } : {}),
    ...(allowed === undefined || (change.valid !== undefined && change.valid !== "any" && "only" in change.valid)
      ? {}
      : { valid: allowed.map(inUnit) }),
  };
}

/** A number in another unit; undefined for an integer that is none there. */
function convertNumber(value: number, { type, unit: before }: Variable, unit: Unit): number | undefined {
  const factor = conversion(before, unit);
  return type === "integer" ? convertInteger(value, factor) : convert(value, factor);
}

/** Whether stored numbers change when a variable gets another unit: durations are always in seconds. */
export function convertsNumbers(before: Variable, after: Variable): boolean {
  const isNumber = before.type === "integer" || before.type === "float";
  if (!isNumber || before.unit === undefined || after.unit === undefined) return false;
  if (!sameDimension(before.unit, after.unit)) return false;
  const { times, over } = conversion(before.unit, after.unit);
  return times !== over;
}

function checkUnchangeable(experiment: Experiment, before: Variable, change: VariableAlteration): void {
  const { type = before.type, size = before.size, occurrence = before.occurrence } = change;
  const [was, would] = before.type === type ? [sizeOf(before), sizeOf({ type, size })] : [before.type, type];
  if (was !== would)
    throw refused(
      experiment,
      `'${before.name}' is ${was}, it cannot become ${would}`,
      "rename the variable and add one of the other type, or drop it first",
    );
  if (occurrence !== before.occurrence)
    throw refused(
      experiment,
      `'${before.name}' has a value ${before.occurrence === "once" ? "once per run" : "in each row"}`,
    );
}

function sizeOf({ type, size }: { readonly type: Variable["type"]; readonly size?: number | undefined }): string {
  return type === "integer" ? `integer of ${size ?? 8} bytes` : type;
}

type Read = (text: string) => Exclude<Value, null>;

/** The valid values after the update; null: any value; undefined: unchanged. */
function valid(
  before: Variable,
  { valid: change }: VariableAlteration,
  read: Read,
): readonly Value[] | null | undefined {
  if (change === undefined || change === "any") return change && null;
  const all = "add" in change ? [...(before.valid ?? []), ...change.add.map(read)] : change.only.map(read);
  return all.length === 0 ? null : [...new Set(all)];
}

function withDefault(variable: Variable, { default: change }: VariableAlteration, read: Read): Variable {
  if (change === undefined) return variable;
  if (change === "none") return patched(variable, { default: null });
  return { ...variable, default: change.value === null ? null : read(change.value) };
}

function valueIn(experiment: Experiment, variable: Variable, text: string): Exclude<Value, null> {
  const value = readVariableValue(text, variable);
  if (!(value instanceof InvalidValue)) return value;
  throw refused(
    experiment,
    `'${text.slice(0, 80)}' is no value for '${variable.name}' (${variable.type}): ${value.problem}`,
  );
}

function checkValues(experiment: Experiment, variable: Variable): Variable {
  const { default: fallback, valid: allowed = [], longest } = variable;
  if (fallback !== undefined && fallback !== null && allowed.length > 0 && !allowed.includes(fallback))
    throw refused(
      experiment,
      `the default '${fallback}' of '${variable.name}' is not among its valid values`,
      "add it to them",
    );
  for (const text of longest === undefined ? [] : [fallback, ...allowed])
    if (typeof text === "string") valueIn(experiment, variable, text);
  return variable;
}

function checkVariables(experiment: Experiment, variables: readonly Variable[]): void {
  if (variables.length > mostVariables)
    throw refused(experiment, `it would have more than ${mostVariables} parameters and results`);
  for (const [at, { name }] of variables.entries()) {
    const same = findVariable(variables.slice(0, at), name);
    if (same)
      throw refused(
        experiment,
        `there would be two variables '${name}'`,
        `drop or rename '${same.name}' in the same update`,
      );
  }
  const hasParameter = (list: readonly Variable[]): boolean => list.some(({ role }) => role === "parameter");
  if (hasParameter(experiment.variables) && !hasParameter(variables))
    throw refused(experiment, "it would have no parameter", "an experiment needs one");
  if (!variables.some((variable) => variable.role === "result"))
    throw refused(
      experiment,
      "it would have no result",
      "an experiment needs one; experiment delete deletes the experiment",
    );
}

const lists = { read: "readers", write: "writers", admin: "admins" } as const;

function access(experiment: Experiment, changes: readonly AccessChange[]): Partial<Experiment> {
  const after: { readers?: readonly string[]; writers?: readonly string[]; admins?: readonly string[] } = {};
  for (const { action, level, who } of changes) {
    const list = lists[level];
    const before = after[list] ?? experiment[list];
    const others = (before ?? []).filter((name) => name !== who);
    if (action === "revoke" && before) after[list] = others;
    if (action === "grant") after[list] = before?.includes(who) ? before : [...others, who];
  }
  return after;
}

/** Applies changes to fields: undefined keeps a field, null removes it. */
function patched<T extends object>(
  before: T,
  changes: { readonly [Field in keyof T]?: T[Field] | null | undefined },
): T {
  const after = new Map<string, unknown>(Object.entries(before));
  for (const [field, value] of Object.entries(changes)) {
    if (value === null) after.delete(field);
    else if (value !== undefined) after.set(field, value);
  }
  return Object.fromEntries(after) as T;
}

function refused(experiment: Experiment, problem: string, advice?: string): Failure {
  return new Failure("update-refused", { experiment: experiment.name, problem, advice });
}
