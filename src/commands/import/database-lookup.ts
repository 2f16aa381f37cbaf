import type { Value, Values } from "../../core/values/value.ts";
import type { StoredExperiment } from "../../store/catalogue/catalogue.ts";
import type { Experiments } from "../../store/experiments/experiments.ts";
import type { ExperimentHome } from "../../workspace/experiments/experiments.ts";
import type { ImportOptions } from "./options.ts";
import { attachedInput, type FoundDescription } from "./plan.ts";

/** What an import asks the database for. */
export interface Known {
  readonly stored: StoredExperiment;
  readonly found: readonly FoundDescription[];
  /** Contents of the parameter sets that are used. */
  readonly sets: Values;
}

/** What the database has to say before anything is read. */
export async function lookUp(
  experiments: Experiments,
  name: string,
  written: readonly (FoundDescription | null)[],
  home: ExperimentHome,
  { inputs, parameterSets = [], preview }: ImportOptions,
): Promise<Known> {
  const stored = await experiments.find(name);
  if (preview === undefined) await experiments.access.require(stored, "write");
  const found: FoundDescription[] = [];
  for (const [at, { description }] of inputs.entries()) {
    const described = written[at] ?? null;
    if (described !== null) found.push(described);
    else if ("attached" in description)
      found.push(await attachedInput(experiments, stored, description.attached, home.objects));
  }
  const sets = new Map<string, Value>();
  for (const set of parameterSets)
    for (const [variable, value] of await experiments.parameterSet(stored, set))
      if (!sets.has(variable)) sets.set(variable, value);
  return { stored, found, sets };
}
