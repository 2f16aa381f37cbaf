import type { RunSlice } from "../../../query/plan/index.ts";
import type { ShardConditions } from "./shard-conditions.ts";
import { dataTable, onceTable, shardTable } from "../../schema/index.ts";

/** A selection of rows of a sharded experiment. */
export interface ShardedRows {
  readonly experiment: number;
  readonly shards: number;
  /** Selects rows d (`data`) or once-values o (`runs`). */
  readonly of: "data" | "runs";
  /** Joins once-values to rows. */
  readonly isJoined: boolean;
  readonly conditions: ShardConditions;
  /** Includes deleted runs. */
  readonly deleted: boolean;
  /** Keeps only slices of the runs with matching rows, ordered by the run column `chronology`. */
  readonly slice?: {
    readonly of: readonly RunSlice[];
    readonly conditions: ShardConditions;
    readonly chronology: string;
  };
}

/** The union of one select per shard. */
export function fromShards(rows: ShardedRows, selected: string, rest: string): string {
  return unionOfShards(rows, (at) => `select ${selected} from ${tablesOf(rows, at)} ${rest}`);
}

/** Like `fromShards`, over the once-values o. A shard has all rows of a run or none. */
export function fromShardRuns(rows: ShardedRows, selected: string, rest: string): string {
  return unionOfShards(rows, (at) => `select ${selected} from ${runsOf(rows, at)} ${rest}`);
}

function unionOfShards({ shards }: ShardedRows, select: (at: number) => string): string {
  return Array.from({ length: shards }, (_, at) => select(at)).join(" union all ");
}

function tablesOf(rows: ShardedRows, at: number): string {
  const runs = runsOf(rows, at);
  if (rows.of === "runs") return runs;
  return `${shardTable(dataTable(rows.experiment), at)} d${rows.isJoined ? ` join ${runs} on o.run = d.run` : ""}`;
}

function runsOf({ experiment }: ShardedRows, at: number): string {
  return `${shardTable(onceTable(experiment), at)} o`;
}
