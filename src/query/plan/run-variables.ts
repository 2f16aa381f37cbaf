import type { DataType } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";

function of(name: string, type: DataType, synopsis: string): Variable {
  return { name, role: "parameter", occurrence: "once", type, synopsis };
}

/** Which version a run measured. */
export const commitVariable: Variable = of("commit", "string", "version that was measured");

/**
 * What every run knows besides the experiment's variables. They are asked for by name (or `@name`, where the experiment
 * has a variable of the same name).
 */
export const runVariables: readonly Variable[] = [
  of("run", "integer", "number of the run"),
  commitVariable,
  of("dirty", "boolean", "whether the tree had changes that no version holds"),
  of("performed", "timestamp", "when it was measured"),
  of("created", "timestamp", "when it was imported"),
  of("performer", "string", "who imported it"),
  of("label", "string", "label given at the import"),
  of("synopsis", "string", "synopsis given at the import"),
];

export function isRunVariable(variable: Variable): boolean {
  return runVariables.includes(variable);
}

/** Where a data set stands in its run, from 1. Nobody asks for it by name: it is no content. */
export const placeInRun: Variable = of("place in run", "integer", "place of the data set in its run");
