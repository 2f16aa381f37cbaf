import type { FlameGraph } from "../../core/figures/index.ts";
import type { Run, StackProfile } from "../../core/profiles/index.ts";
import { repetitionsOf } from "../difference/index.ts";
import { runStacks } from "../profile/index.ts";
import { flameGraph, type FlameOptions } from "./flame-graph.ts";
import { typeNamed } from "./value-type.ts";

/** Options of graphs to compare. */
export interface ComparedShape extends Omit<FlameOptions, "type"> {
  /** The quantity, or the subtype of a perfkeep profile; default: the main one. */
  readonly of?: string;
}

/** Stacks with amounts summed over repetitions. */
export interface RepeatedStacks {
  readonly stacks: StackProfile;
  readonly repetitions: number;
}

/** The stacks of a run, if its rows have traces. Fails with `several-quantities`. */
export function tracedStacks(run: Run, of?: string): RepeatedStacks | null {
  if (!run.data.variables.some(({ name }) => name === "trace")) return null;
  return { stacks: runStacks(run, of), repetitions: repetitionsOf(run.data) };
}

/**
 * The flame graphs of two profiles in one form, with means over repetitions. If only one of them has the focused frame,
 * the other graph is a root without width. Fails with `unknown-value-type`, and like `flameGraph`.
 */
export function comparedGraphs(
  base: RepeatedStacks,
  target: RepeatedStacks,
  { of, ...shape }: ComparedShape,
): readonly [base: FlameGraph, target: FlameGraph] {
  const drawn = ({ stacks, repetitions }: RepeatedStacks, mayLackFocus: boolean): FlameGraph =>
    meanGraph(flameGraph(stacks, { ...shape, type: typeNamed(stacks, of), mayLackFocus }), repetitions);
  const after = drawn(target, true);
  return [drawn(base, after.total[0]! > 0), after];
}

function meanGraph(graph: FlameGraph, repetitions: number): FlameGraph {
  if (repetitions === 1) return graph;
  const mean = (amounts: Float64Array): Float64Array => amounts.map((amount) => amount / repetitions);
  const { start, total, self, whole, leftOut } = graph;
  return {
    ...graph,
    start: mean(start),
    total: mean(total),
    self: mean(self),
    ...(whole === undefined ? {} : { whole: whole / repetitions }),
    ...(leftOut === undefined ? {} : { leftOut: { ...leftOut, sum: leftOut.sum / repetitions } }),
  };
}
