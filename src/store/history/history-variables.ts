import type { Experiment } from "../../core/experiments/experiment.ts";
import { formatUnit, sameDimension } from "../../core/values/unit.ts";
import { findVariable, mostVariables, type Variable } from "../../core/variables/variable.ts";
import { sharedFields, type SharedUpdate } from "../../formats/store/sharing/experiment-change.ts";

/** An experiment and the keys of its variables, in the same order. */
export interface KeyedExperiment {
  readonly experiment: Experiment;
  readonly keys: readonly string[];
}

interface KeyedVariable {
  readonly key: string;
  readonly variable: Variable;
}

/** Keys that mean a variable of another key: two instances added the same variable, each by itself. */
export type Aliases = Map<string, string>;

/**
 * The experiment after an update that was told, perhaps by somebody who knew it otherwise: what cannot be done any more
 * is left out. A variable that is there already is the one that was to be added; type and occurrence never change, nor
 * the dimension of a unit while there are runs. `aliases` gets what is another variable from now on.
 */
export function applySharedUpdate(
  before: KeyedExperiment,
  update: SharedUpdate,
  aliases: Aliases,
  hasRuns: boolean,
): KeyedExperiment {
  const keyOf = (key: string): string => aliases.get(key) ?? key;
  const dropped = new Set(update.dropped.map(keyOf));
  const kept = keyedVariables(before).filter(({ key }) => !dropped.has(key));
  const told = update.keys.flatMap((key, at) => {
    const variable = update.description.variables[at];
    return variable === undefined ? [] : [{ key: keyOf(key), told: key, variable }];
  });
  const changed = alterVariables(kept, new Map(told.map(({ key, variable }) => [key, variable])), hasRuns);
  for (const { key, told: name, variable } of told.filter((each) => update.added.includes(each.told))) {
    if (changed.some((each) => each.key === key) || changed.length >= mostVariables) continue;
    const same = changed.find((each) => each.variable.name.toLowerCase() === variable.name.toLowerCase());
    if (same === undefined) changed.push({ key, variable });
    else aliases.set(name, same.key);
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

/** With new names where all of them can be had, else with those that can. */
function alterVariables(
  kept: readonly KeyedVariable[],
  wanted: ReadonlyMap<string, Variable>,
  hasRuns: boolean,
): KeyedVariable[] {
  const all = kept.map(({ key, variable }) => ({ key, variable: alterVariable(variable, wanted.get(key), hasRuns) }));
  if (new Set(all.map(({ variable }) => variable.name.toLowerCase())).size === all.length) return all;
  const named = all.map(({ key, variable }, at) => ({ key, variable: { ...variable, name: kept[at]!.variable.name } }));
  for (const [at, { key, variable }] of all.entries()) {
    const others = named.filter((_, other) => other !== at).map((each) => each.variable);
    if (findVariable(others, variable.name) === undefined) named[at] = { key, variable };
  }
  return named;
}

function alterVariable(before: Variable, after: Variable | undefined, hasRuns: boolean): Variable {
  if (after === undefined) return before;
  const [was, is] = [before, after].map(({ type, occurrence, size = 8 }) => `${type} ${occurrence} ${size}`);
  if (was !== is) return before;
  const fits =
    !hasRuns || before.unit === undefined || after.unit === undefined || sameDimension(before.unit, after.unit);
  return fits ? after : before;
}

/** What an update made of an experiment, so that it can be made of another one. */
export function updateBetween(before: KeyedExperiment, after: KeyedExperiment): SharedUpdate {
  const was = new Map(keyedVariables(before).map(({ key, variable }) => [key, variable]));
  const changed = keyedVariables(after).filter(({ key, variable }) => !isSame(was.get(key), variable));
  return {
    kind: "update-experiment",
    description: { ...after.experiment, variables: changed.map(({ variable }) => variable) },
    keys: changed.map(({ key }) => key),
    added: changed.flatMap(({ key }) => (was.has(key) ? [] : [key])),
    dropped: before.keys.filter((key) => !after.keys.includes(key)),
    fields: sharedFields.filter(
      (field) => JSON.stringify(before.experiment[field]) !== JSON.stringify(after.experiment[field]),
    ),
  };
}

function isSame(before: Variable | undefined, after: Variable): boolean {
  const told = (variable: Variable): string =>
    JSON.stringify(
      Object.entries({ ...variable, unit: formatUnit(variable.unit) })
        .filter(([, content]) => content !== undefined)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
      (_, content: unknown) => (typeof content === "bigint" || typeof content === "number" ? String(content) : content),
    );
  return before !== undefined && told(before) === told(after);
}

function keyedVariables({ experiment, keys }: KeyedExperiment): KeyedVariable[] {
  return experiment.variables.map((variable, at) => ({ key: keys[at] ?? variable.name, variable }));
}

function withoutUndefined(experiment: Experiment): Experiment {
  return Object.fromEntries(
    Object.entries(experiment).filter(([, content]) => content !== undefined),
  ) as unknown as Experiment;
}
