import type { RunSlice } from "../../../query/plan/row-summary.ts";
import type { PartConditions } from "./shard-conditions.ts";
import { dataTable, onceTable, shardTable } from "../../schema/schema.ts";

/** Rows that lie in parts. */
export interface PartedRows {
  readonly experiment: number;
  readonly parts: number;
  /** Rows are data sets d, or the contents o of runs. */
  readonly of: "data" | "runs";
  /** Contents of runs stand beside data sets. */
  readonly isJoined: boolean;
  readonly conditions: PartConditions;
  /** Runs that were deleted count as well. */
  readonly deleted: boolean;
  /**
   * Only rows of these of the runs that there are rows of by these conditions, in order of what is known of the run.
   */
  readonly slice?: {
    readonly of: readonly RunSlice[];
    readonly conditions: PartConditions;
    readonly chronology: string;
  };
}

/** One select for each part. */
export function fromParts(rows: PartedRows, selected: string, rest: string): string {
  return ofEachPart(rows, (at) => `select ${selected} from ${tablesOf(rows, at)} ${rest}`);
}

/** As `fromParts`, of the runs o: each is there with all of its rows, or not at all. */
export function fromRunsOfParts(rows: PartedRows, selected: string, rest: string): string {
  return ofEachPart(rows, (at) => `select ${selected} from ${runsOf(rows, at)} ${rest}`);
}

function ofEachPart({ parts }: PartedRows, select: (at: number) => string): string {
  return Array.from({ length: parts }, (_, at) => select(at)).join(" union all ");
}

function tablesOf(rows: PartedRows, at: number): string {
  const runs = runsOf(rows, at);
  if (rows.of === "runs") return runs;
  return `${shardTable(dataTable(rows.experiment), at)} d${rows.isJoined ? ` join ${runs} on o.run = d.run` : ""}`;
}

function runsOf({ experiment }: PartedRows, at: number): string {
  return `${shardTable(onceTable(experiment), at)} o`;
}
