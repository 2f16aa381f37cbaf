import type { Unit } from "../values/index.ts";

/** plain: callees are below a frame; inverted: callers are, so that the innermost calls are next to the root. */
export type FlameForm = "plain" | "inverted";

/**
 * A tree of calls in parallel columns, depth first: a frame is followed by its descendants; siblings are ordered by
 * name. Frame 0 is the root, `all`.
 */
export interface FlameGraph {
  /** Distinct names of frames. */
  readonly names: readonly string[];
  /** The module of each name; empty: unknown. */
  readonly modules?: readonly string[];
  /** For each frame, an index into `names`. */
  readonly name: Int32Array;
  /** −1 for the root. */
  readonly parent: Int32Array;
  /** 0 for the root. */
  readonly depth: Int32Array;
  /** Offset of the frame from the start of the root, in the unit. */
  readonly start: Float64Array;
  /**
   * Its width: the amount including descendants. Never negative; 0 only in a comparison, for frames that one profile
   * lacks.
   */
  readonly total: Float64Array;
  /** The amount without descendants. */
  readonly self: Float64Array;
  /** For a comparison: the amounts of the same path in both profiles, 0 if missing. `total` is one of them. */
  readonly before?: Float64Array;
  readonly after?: Float64Array;
  /** For a comparison: the factor applied to the base profile so that both have the same sum; 1: not scaled. */
  readonly baseScale?: number;
  /** The counted quantity: `cpu`. */
  readonly quantity: string;
  readonly unit?: Unit;
  readonly form: FlameForm;
  /** Recursion is folded: names on a path are distinct. */
  readonly merged?: true;
  /** The calls are estimated from a call graph, which has no stacks. */
  readonly estimated?: true;
  /** Siblings are in the order of time, with gaps, and may have the same name. */
  readonly byTime?: true;
  /** With `byTime`: shorter intervals are merged with their neighbours. */
  readonly resolution?: number;
  /** The selected frame: all frames are its callees or its callers. */
  readonly focus?: string;
  /** The total of the profile, if the focus omits frames. */
  readonly whole?: number;
  /** Omitted stacks, whose amounts are negative or not finite, and their sum. */
  readonly leftOut?: { readonly stacks: number; readonly sum: number };
}

/** The index after the last descendant of a frame. */
export function endOf({ depth }: FlameGraph, frame: number): number {
  const own = depth[frame]!;
  let end = frame + 1;
  while (end < depth.length && depth[end]! > own) end++;
  return end;
}

/** The names on the path from the root (exclusive) to a frame. */
export function pathOf({ names, name, parent }: FlameGraph, frame: number): string[] {
  const path: string[] = [];
  for (let at = frame; at > 0; at = parent[at]!) path.push(names[name[at]!]!);
  return path.toReversed();
}
