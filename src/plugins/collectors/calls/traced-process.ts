import type { ThreadCalls } from "../../../formats/traces/index.ts";

/** A function that was called. */
export interface CalledFunction {
  /** Linker name; an address if unknown. */
  readonly name: string;
  /** Demangled. */
  readonly prototype: string;
  /** File name of the program or library. */
  readonly file: string;
}

/** The calls of one process. */
export interface WatchedProcess {
  readonly functions: ReadonlyMap<number, CalledFunction>;
  readonly threads: readonly ThreadCalls[];
}
