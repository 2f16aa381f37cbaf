import type { Value } from "../../core/values/index.ts";
import type { Dialect } from "../../plugins/engines/engine.ts";
import type { RunCheck } from "./hidden-run-check.ts";

/** A statement and the values bound to its $1, $2, …. Column i of its result is named c<i>. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly Value[];
  /** How shards are read; absent if the experiment is not sharded. */
  readonly shards?: ShardedStatement;
}

export interface ShardedStatement {
  readonly count: number;
  /** How often each shard aggregates its rows; 0 if all matching rows are fetched. */
  readonly passes: number;
}

/** Properties of the data and the database. */
export interface CompileContext {
  readonly dialect: Dialect;
  readonly check: RunCheck;
  /** Some values are not finite or make a variance overflow. Handling them doubles the time. */
  readonly hasOverflow: boolean;
}
