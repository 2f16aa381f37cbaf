import type { FlameGraph } from "../../core/flame-graph.ts";
import type { Run } from "../../core/run.ts";
import type { StackProfile } from "../../core/stack-profile.ts";
import { runStacks } from "../profile/run-stacks.ts";
import { flameGraph, type FlameOptions } from "./flame-graph.ts";
import { typeNamed } from "./type-named.ts";

/** How two profiles are drawn to be compared. */
export interface ComparedShape extends Omit<FlameOptions, "type"> {
  /** The quantity, or of a profile of ours the subtype; default: the main one. */
  readonly of?: string;
}

/** The stacks of a run, if its rows tell them. Fails with `several-quantities`. */
export function tracedStacks(run: Run, of?: string): StackProfile | null {
  return run.data.variables.some(({ name }) => name === "trace") ? runStacks(run, of) : null;
}

/** The flame graphs of two profiles in one form. Fails with `unknown-value-type`, and like `flameGraph`. */
export function comparedGraphs(
  base: StackProfile,
  target: StackProfile,
  { of, ...shape }: ComparedShape,
): readonly [base: FlameGraph, target: FlameGraph] {
  const drawn = (profile: StackProfile): FlameGraph => flameGraph(profile, { ...shape, type: typeNamed(profile, of) });
  return [drawn(base), drawn(target)];
}
