import type { Variable } from "./variable.ts";

/** Name, meta information and the variables that runs of this experiment have. */
export interface Experiment {
  readonly name: string;
  readonly synopsis?: string;
  readonly description?: string;
  readonly performedBy?: string;
  readonly organization?: string;
  readonly project?: string;
  /** Where the description asks for the experiment to live: `host:port name` or a path; the engine in use decides when absent. */
  readonly database?: { readonly host: string; readonly port?: number; readonly name: string };
  readonly readers: readonly string[];
  readonly writers: readonly string[];
  /** Parameters and results in the order of the description; names are unique, compared case-insensitively. */
  readonly variables: readonly Variable[];
}
