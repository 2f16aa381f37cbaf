import type { Experiment } from "./experiment.ts";
import { Failure } from "../failures/index.ts";
import { formatUnit, sameDimension } from "../values/index.ts";
import { findVariable, mostVariables, type Variable } from "../variables/index.ts";

/**
 * An experiment for the variables that reports declare: `current` with the missing variables added, or a new one.
 * Existing variables are unchanged. Fails with `report-does-not-fit` if a variable is incompatible.
 */
export function extendedExperiment(
  current: Experiment | undefined,
  declared: readonly Variable[],
  fresh: Pick<Experiment, "name" | "synopsis">,
): Experiment {
  const base: Experiment = current ?? { ...fresh, readers: [], writers: [], variables: [] };
  const variables = [...base.variables];
  for (const variable of declared) {
    const known = findVariable(variables, variable.name);
    if (known === undefined) variables.push(variable);
    else requireCompatible(known, variable, base.name);
  }
  if (variables.length > mostVariables)
    throw misfit(
      base.name,
      variables[mostVariables]!.name,
      `there would be ${variables.length} variables, more than ${mostVariables}`,
    );
  return { ...base, variables };
}

/** Merges the declarations of several reports: the first of a name wins, but mixed numbers and texts become texts. */
export function mergeDeclarations(reports: readonly (readonly Variable[])[]): Variable[] {
  const joined = new Map<string, Variable>();
  for (const variable of reports.flat()) {
    const key = variable.name.toLowerCase();
    const known = joined.get(key);
    if (known === undefined) joined.set(key, variable);
    else if (known.type !== variable.type && known.role === "parameter")
      joined.set(key, { ...known, type: commonType(known, variable) });
  }
  return [...joined.values()];
}

function commonType({ type: a }: Variable, { type: b }: Variable): Variable["type"] {
  const types = [a, b];
  return types.every((type) => type === "integer" || type === "float") ? "float" : "string";
}

/** Types may differ: values are cast. */
function requireCompatible(known: Variable, given: Variable, experiment: string): void {
  if (known.occurrence === "once" && given.occurrence === "multiple")
    throw misfit(experiment, known.name, "it has one value per run there, and one per row here");
  if (given.unit !== undefined && !sameDimension(known.unit, given.unit))
    throw misfit(
      experiment,
      known.name,
      `it is in ${formatUnit(known.unit) || "no unit"} there, and in ${formatUnit(given.unit)} here`,
    );
}

function misfit(experiment: string, variable: string, problem: string): Failure {
  return new Failure("report-does-not-fit", { experiment, variable, problem });
}
