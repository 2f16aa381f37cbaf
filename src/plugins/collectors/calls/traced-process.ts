import type { ThreadCalls } from "../../../formats/traces/calls.ts";

/** A function that was called. */
export interface CalledFunction {
  /** As the linker has it; an address where nothing tells. */
  readonly name: string;
  /** As people write it. */
  readonly prototype: string;
  /** Name of the program or library it is of. */
  readonly file: string;
}

/** The calls of one process. */
export interface WatchedProcess {
  readonly functions: ReadonlyMap<number, CalledFunction>;
  readonly threads: readonly ThreadCalls[];
}
