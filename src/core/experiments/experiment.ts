import { Failure } from "../failures/failure.ts";
import { nearest } from "../text/name-suggestions.ts";
import { findVariable, type Variable } from "../variables/variable.ts";

/** Name, meta information and the variables that runs of this experiment have. */
export interface Experiment {
  readonly name: string;
  readonly synopsis?: string;
  readonly description?: string;
  readonly performedBy?: string;
  readonly organization?: string;
  readonly project?: string;
  /**
   * Where the description asks for the experiment to live; without host, `name` is a path. The engine in use decides
   * when absent.
   */
  readonly database?: { readonly host?: string; readonly port?: number; readonly user?: string; readonly name: string };
  /**
   * Who may read, import, and change the experiment itself: roles of a shared database; a leading `@` marks a group.
   * Who creates it may all.
   */
  readonly readers: readonly string[];
  readonly writers: readonly string[];
  readonly admins?: readonly string[];
  /** Parameters and results in the order of the description; names are unique, compared case-insensitively. */
  readonly variables: readonly Variable[];
}

/** The variable of that name; fails with `unknown-variable`, with near names. */
export function variableOf(experiment: Experiment, name: string): Variable {
  const found = findVariable(experiment.variables, name);
  if (found) return found;
  const names = experiment.variables.map((variable) => variable.name);
  const near = nearest(name.slice(0, 64), names).join(", ");
  throw new Failure("unknown-variable", { experiment: experiment.name, variable: name, near, known: names.join(", ") });
}

/** Contents of one run each, or columns of its data sets, in the order of the description. */
export function variablesOf(experiment: Experiment, occurrence: Variable["occurrence"]): Variable[] {
  return experiment.variables.filter((variable) => variable.occurrence === occurrence);
}
