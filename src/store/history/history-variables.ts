import type { Experiment } from "../../core/experiments/index.ts";
import { formatUnit, sameDimension } from "../../core/values/index.ts";
import { findVariable, mostVariables, type Variable } from "../../core/variables/index.ts";
import { sharedFields, type SharedUpdate } from "../../formats/store/index.ts";

/** An experiment and the keys of its variables, in the same order. */
export interface KeyedExperiment {
  readonly experiment: Experiment;
  readonly keys: readonly string[];
}

interface KeyedVariable {
  readonly key: string;
  readonly variable: Variable;
}

/** Keys that stand for a variable with another key, because two instances added the same variable. */
export type Aliases = Map<string, string>;

/**
 * The experiment after a shared update, which may be based on another state; omits changes that are no longer possible.
 * An added variable that exists already becomes an alias, recorded in `aliases`. Type and occurrence never change, nor
 * does the dimension of a unit while there are runs.
 */
export function applySharedUpdate(
  before: KeyedExperiment,
  update: SharedUpdate,
  aliases: Aliases,
  hasRuns: boolean,
): KeyedExperiment {
  const keyOf = (key: string): string => aliases.get(key) ?? key;
  const dropped = new Set(update.dropped.map(keyOf));
  const remaining = keyedVariables(before).filter(({ key }) => !dropped.has(key));
  const updates = update.keys.flatMap((key, at) => {
    const variable = update.description.variables[at];
    return variable === undefined ? [] : [{ key: keyOf(key), given: key, variable }];
  });
  const changed = alterVariables(remaining, new Map(updates.map(({ key, variable }) => [key, variable])), hasRuns);
  for (const { key, given, variable } of updates.filter((each) => update.added.includes(each.given))) {
    if (changed.some((each) => each.key === key) || changed.length >= mostVariables) continue;
    const same = changed.find((each) => each.variable.name.toLowerCase() === variable.name.toLowerCase());
    if (same === undefined) changed.push({ key, variable });
    else aliases.set(given, same.key);
  }
  const about = Object.fromEntries(sharedFields.map((field) => [field, fieldAfter(before.experiment, update, field)]));
  const experiment = { ...before.experiment, ...about, variables: changed.map(({ variable }) => variable) };
  return { experiment: withoutUndefined(experiment), keys: changed.map(({ key }) => key) };
}

function fieldAfter(
  before: Experiment,
  { description, fields }: SharedUpdate,
  field: (typeof sharedFields)[number],
): unknown {
  return fields.includes(field) ? description[field] : before[field];
}

/** Alters variables, with all new names if they are unique, otherwise with those that are. */
function alterVariables(
  variables: readonly KeyedVariable[],
  updates: ReadonlyMap<string, Variable>,
  hasRuns: boolean,
): KeyedVariable[] {
  const all = variables.map(({ key, variable }) => ({
    key,
    variable: alterVariable(variable, updates.get(key), hasRuns),
  }));
  if (new Set(all.map(({ variable }) => variable.name.toLowerCase())).size === all.length) return all;
  const named = all.map(({ key, variable }, at) => ({
    key,
    variable: { ...variable, name: variables[at]!.variable.name },
  }));
  for (const [at, { key, variable }] of all.entries()) {
    const others = named.filter((_, other) => other !== at).map((each) => each.variable);
    if (findVariable(others, variable.name) === undefined) named[at] = { key, variable };
  }
  return named;
}

function alterVariable(before: Variable, after: Variable | undefined, hasRuns: boolean): Variable {
  if (after === undefined) return before;
  const [earlier, later] = [before, after].map(({ type, occurrence, size = 8 }) => `${type} ${occurrence} ${size}`);
  if (earlier !== later) return before;
  const isCompatible =
    !hasRuns || before.unit === undefined || after.unit === undefined || sameDimension(before.unit, after.unit);
  return isCompatible ? after : before;
}

/** The shared update between two states of an experiment. */
export function updateBetween(before: KeyedExperiment, after: KeyedExperiment): SharedUpdate {
  const earlier = new Map(keyedVariables(before).map(({ key, variable }) => [key, variable]));
  const changed = keyedVariables(after).filter(({ key, variable }) => !isSame(earlier.get(key), variable));
  return {
    kind: "update-experiment",
    description: { ...after.experiment, variables: changed.map(({ variable }) => variable) },
    keys: changed.map(({ key }) => key),
    added: changed.flatMap(({ key }) => (earlier.has(key) ? [] : [key])),
    dropped: before.keys.filter((key) => !after.keys.includes(key)),
    fields: sharedFields.filter(
      (field) => JSON.stringify(before.experiment[field]) !== JSON.stringify(after.experiment[field]),
    ),
  };
}

function isSame(before: Variable | undefined, after: Variable): boolean {
  const keyOf = (variable: Variable): string =>
    JSON.stringify(
      Object.entries({ ...variable, unit: formatUnit(variable.unit) })
        .filter(([, value]) => value !== undefined)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
      (_, value: unknown) => (typeof value === "bigint" || typeof value === "number" ? String(value) : value),
    );
  return before !== undefined && keyOf(before) === keyOf(after);
}

function keyedVariables({ experiment, keys }: KeyedExperiment): KeyedVariable[] {
  return experiment.variables.map((variable, at) => ({ key: keys[at] ?? variable.name, variable }));
}

function withoutUndefined(experiment: Experiment): Experiment {
  return Object.fromEntries(
    Object.entries(experiment).filter(([, value]) => value !== undefined),
  ) as unknown as Experiment;
}
