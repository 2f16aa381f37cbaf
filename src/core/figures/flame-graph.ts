import type { Unit } from "../values/unit.ts";

/**
 * plain: what a frame called is below it; inverted: what called it is, so that the innermost calls are next to the
 * root.
 */
export type FlameForm = "plain" | "inverted";

/**
 * A tree of calls in parallel columns, depth first: a frame is followed by all that is below it, and the frames below
 * one stand side by side in the order of their names. Frame 0 is the root, `all`.
 */
export interface FlameGraph {
  /** What frames are called, each once. */
  readonly names: readonly string[];
  /** The file of code that holds each of the names; empty: nobody knows. */
  readonly modules?: readonly string[];
  /** Of each frame, an index into `names`. */
  readonly name: Int32Array;
  /** −1 of the root. */
  readonly parent: Int32Array;
  /** 0 of the root. */
  readonly depth: Int32Array;
  /** Where the frame begins, in the unit, counted from the root's beginning. */
  readonly start: Float64Array;
  /**
   * How wide it is: its amount with all below it. Never negative; 0 only in a comparison, of frames that one of both
   * profiles lacks.
   */
  readonly total: Float64Array;
  /** Its amount without what is below it. */
  readonly self: Float64Array;
  /**
   * Of a comparison: the amounts of the same path in both profiles, 0 where it was not there. `total` is one of them.
   */
  readonly before?: Float64Array;
  readonly after?: Float64Array;
  /**
   * Of a comparison: what all amounts of the base profile were multiplied by, so that both have the same sum; 1: by
   * nothing.
   */
  readonly baseScale?: number;
  /** What is counted: `cpu`. */
  readonly quantity: string;
  readonly unit?: Unit;
  readonly form: FlameForm;
  /** Recursion is folded: no name is twice on a path. */
  readonly merged?: true;
  /** The name of the frame that everything is below of, or of which everything is a caller. */
  readonly focus?: string;
  /** The sum of the whole profile, where frames are left out for the sake of the focus. */
  readonly whole?: number;
  /** Stacks whose amounts have no width, since they are below zero or not finite, and their sum. */
  readonly leftOut?: { readonly stacks: number; readonly sum: number };
}

/** The number after that of the last frame below a frame: all between are below it. */
export function endOf({ depth }: FlameGraph, frame: number): number {
  const own = depth[frame]!;
  let end = frame + 1;
  while (end < depth.length && depth[end]! > own) end++;
  return end;
}

/** The names from the root's side to a frame, without that of the root. */
export function pathOf({ names, name, parent }: FlameGraph, frame: number): string[] {
  const path: string[] = [];
  for (let at = frame; at > 0; at = parent[at]!) path.push(names[name[at]!]!);
  return path.toReversed();
}
