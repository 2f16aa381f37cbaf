import type { JoinSpec, RunName } from "../../core/experiments/index.ts";
import type { QuerySpec } from "../../query/plan/index.ts";
import type { Statement } from "../../store/sql/index.ts";

/**
 * A step of a query plan: the lines of a logical plan, its statement, and the elements it computes, the last of which
 * is its result; or an element computed in perfkeep.
 */
export type PlanStep =
  | { readonly elements: readonly string[]; readonly lines: readonly string[]; readonly statement: Statement }
  | { readonly outside: string };

export interface QueryTarget extends Omit<QuerySpec, "runs"> {
  readonly experiment: string;
  readonly runs?: readonly RunName[];
  readonly database?: string;
  readonly join?: JoinSpec;
}
