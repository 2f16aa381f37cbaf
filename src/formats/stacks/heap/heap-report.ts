import { Failure } from "../../../core/failures/index.ts";
import type { JsonObject } from "../../../core/values/index.ts";
import type { Frame } from "../../traces/index.ts";

/** A tool's report of the memory of a program. */
export interface HeapReport {
  readonly tool: "massif" | "dhat" | "heaptrack";
  /** The observed command line. */
  readonly cmd: string;
  /** Process id; absent if unknown. */
  readonly process?: number;
  /** Can be iterated repeatedly without holding them, because there may be millions. */
  readonly sites: Iterable<HeapSite>;
  /** Further parameters of the tool. */
  readonly params: JsonObject;
}

/** A stack that allocated memory. */
export interface HeapSite {
  /** Innermost first; may start with the allocator itself. */
  readonly frames: readonly Frame[];
  /** Kind of the amounts if the frames do not start with an allocator. */
  readonly subtype: string;
  /** The moment of the amounts; absent for the complete run. */
  readonly snapshot?: { readonly number: number; readonly time: string };
  /** Integers; `amount` is bytes. All sites of a subtype have the same names. */
  readonly amounts: ReadonlyMap<string, number>;
}

/** The failure of an invalid report. `line` is 1-based. */
export function damagedReport(file: string, line: number, reason: string): Failure {
  return new Failure("heap-report-damaged", { file, line, reason });
}
