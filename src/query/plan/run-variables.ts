import type { DataType } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

function of(name: string, type: DataType, synopsis: string): Variable {
  return { name, role: "parameter", occurrence: "once", type, synopsis };
}

/** The version that a run measured. */
export const commitVariable: Variable = of("commit", "string", "measured commit");

/** The number of a run. */
export const numberOfRun: Variable = of("run", "integer", "number of the run");

/** Properties of every run. They are selected by name, or by `@name` if the experiment has a variable of that name. */
export const runVariables: readonly Variable[] = [
  numberOfRun,
  commitVariable,
  of("dirty", "boolean", "whether the tree had uncommitted changes"),
  of("performed", "timestamp", "when it was measured"),
  of("created", "timestamp", "when it was imported"),
  of("performer", "string", "who imported it"),
  of("label", "string", "label given at the import"),
  of("synopsis", "string", "synopsis given at the import"),
];

/** The property of that name. */
export function runVariable(name: string): Variable {
  const found = runVariables.find((each) => each.name === name);
  if (found === undefined) throw new RangeError(`runs have no ${name}`);
  return found;
}

export function isRunVariable(variable: Variable): boolean {
  return runVariables.includes(variable);
}

/** Number of a row in its run, from 1. Not selectable by name. */
export const rowNumberInRun: Variable = of("row in run", "integer", "number of the row in its run");
