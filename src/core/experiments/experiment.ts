import { Failure } from "../failures/index.ts";
import { nearest } from "../text/index.ts";
import { findVariable, isName, type Variable } from "../variables/index.ts";

/** Keywords of a description whose comments are not those of the experiment or of a variable. */
export const commentedKeywords = [
  "database",
  "read",
  "write",
  "admin",
  "performed_by",
  "organization",
  "project",
] as const;

export type CommentedKeyword = (typeof commentedKeywords)[number];

export type ExperimentComments = { readonly [Keyword in CommentedKeyword]?: string };

/** Name, metadata and variables of an experiment. */
export interface Experiment {
  readonly name: string;
  readonly synopsis?: string;
  readonly description?: string;
  readonly performedBy?: string;
  readonly organization?: string;
  readonly project?: string;
  /** The database requested by the description; without host, `name` is a path. Absent: the engine in use. */
  readonly database?: { readonly host?: string; readonly port?: number; readonly user?: string; readonly name: string };
  /**
   * Roles of a shared database that may read, import, and change the experiment; a leading `@` marks a group. The
   * creator has all rights.
   */
  readonly readers: readonly string[];
  readonly writers: readonly string[];
  readonly admins?: readonly string[];
  /** Comments of other lines of the description, by keyword. */
  readonly comments?: ExperimentComments;
  /** Parameters and results in the order of the description; names are unique, compared case-insensitively. */
  readonly variables: readonly Variable[];
}

/** The variable of that name. Fails with `unknown-variable`. */
export function variableOf(experiment: Experiment, name: string): Variable {
  const found = findVariable(experiment.variables, name);
  if (found) return found;
  const names = experiment.variables.map((variable) => variable.name);
  const near = nearest(name.slice(0, 64), names).join(", ");
  throw new Failure("unknown-variable", { experiment: experiment.name, variable: name, near, known: names.join(", ") });
}

/** The variables with one value per run, or per row, in the order of the description. */
export function variablesOf(experiment: Experiment, occurrence: Variable["occurrence"]): Variable[] {
  return experiment.variables.filter((variable) => variable.occurrence === occurrence);
}

/** Checks the name of a new experiment, which is not that of a description. Fails with `bad-name`. */
export function requireExperimentName(name: string): void {
  if (!isName(name)) throw new Failure("bad-name", { what: "an experiment", name });
}

/** Maximum length of the name of an attachment or a parameter set. */
const longestOtherName = 256;

/** Checks the name of a new attachment or parameter set, as `what` says. Fails with `bad-name`. */
export function requireOtherName(what: string, name: string): void {
  const isNone = name === "" || name.length > longestOtherName || /\p{Cc}/u.test(name);
  if (isNone) throw new Failure("bad-name", { what, name, longest: longestOtherName });
}
