import { Failure } from "../../../core/failures/failure.ts";
import type { JsonObject } from "../../../core/values/json.ts";
import type { Frame } from "../../traces/call-trace.ts";

/** What a tool says of the memory of a program. */
export interface HeapReport {
  /** The tool that wrote it. */
  readonly tool: "massif" | "dhat" | "heaptrack";
  /** The command line that it watched. */
  readonly cmd: string;
  /** Absent where the report does not tell. */
  readonly process?: number;
  /** There may be millions: they can be gone over again and again, and need not be held. */
  readonly sites: Iterable<HeapSite>;
  /** What else the tool says of its work. */
  readonly params: JsonObject;
}

/** A place that allocated. */
export interface HeapSite {
  /** Inner first; the allocator itself may lead. */
  readonly frames: readonly Frame[];
  /** What the amounts are, where the frames do not begin with an allocator. */
  readonly subtype: string;
  /** The moment that the amounts are of; absent: they are of the whole run. */
  readonly snapshot?: { readonly number: number; readonly time: string };
  /** Whole numbers; `amount` is bytes. All sites of a subtype have the same names. */
  readonly amounts: ReadonlyMap<string, number>;
}

/** A report that cannot be what it says. `line` is 1-based. */
export function damagedReport(file: string, line: number, reason: string): Failure {
  return new Failure("heap-report-damaged", { file, line, reason });
}
