import type { HotLine } from "./gauge.ts";

/** How many times the effort that its size explains a sample takes: what is slow only because it is large has 1. */
export function excessOf(
  state: Pick<CampaignState, "base" | "baseSize" | "slope">,
  effort: number,
  size: number,
): number {
  const expected = state.base + state.slope * Math.max(0, size - state.baseSize);
  return effort / (expected > 0 ? expected : 1);
}

/** What has to be the same when a campaign goes on, each as people read it. */
export type CampaignFacts = Readonly<Record<string, string>>;

/** A sample of input that further ones are made of. */
export interface Sample {
  /** The run that made it; initial samples have the first numbers. */
  readonly id: number;
  /** Its name among the samples of the folder. */
  readonly file: string;
  readonly digest: string;
  readonly size: number;
  /** The initial sample that it comes from: its own id for those. */
  readonly origin: number;
  /** What was applied since, the newest last: `insert-blanks x3`. */
  readonly lineage: readonly string[];
  /** The rule that made it, as index; null: initial. */
  readonly rule: number | null;
  readonly effort: number;
  /** The lines executed most. */
  readonly hot: readonly HotLine[];
  readonly fitness: number;
  /** Share of the comparisons with the baseline that are degradations; null: not measured. */
  readonly degraded: number | null;
}

export const findKinds = ["degradation", "hang", "fault"] as const;
export type FindKind = (typeof findKinds)[number];

/** Where the inputs of finds lie in the folder. */
export const findFolders = { degradation: "degradations", hang: "hangs", fault: "faults" } as const satisfies Readonly<
  Record<FindKind, string>
>;

/** What changed between the baseline and a find. */
export interface FoundChange {
  readonly location: string;
  readonly result: string;
  readonly from: string;
  readonly to: string;
  /** Null: no finite number. */
  readonly rate: number | null;
  readonly method: string;
}

/** An input that is worth showing. */
export interface Find {
  readonly kind: FindKind;
  readonly id: number;
  /** Where it lies in the folder; null: there was no room for it. */
  readonly file: string | null;
  readonly size: number;
  readonly origin: number;
  readonly lineage: readonly string[];
  /** How it ended, or the worst change. */
  readonly detail: string;
  /** Null where the run did not end well. */
  readonly effort: number | null;
  readonly hot: readonly HotLine[];
  readonly changes: readonly FoundChange[];
  /** Seconds of the campaign until it was found. */
  readonly seconds: number;
  readonly runs: number;
}

export interface RuleRecord {
  readonly name: string;
  /** Mutations that were run, were worth keeping, were degradations. */
  tried: number;
  hits: number;
  degradations: number;
}

/** The greatest effort at a moment of the campaign. */
export interface CurvePoint {
  readonly seconds: number;
  readonly effort: number;
}

/**
 * Everything that is needed to go on. Changed only between two runs of the program, so that it is whole whenever it is
 * saved.
 */
export interface CampaignState {
  readonly facts: CampaignFacts;
  /** Trials made; the random numbers of each follow from it and the seed. */
  steps: number;
  /** Runs of the program, those of collectors counted as one. */
  runs: number;
  seconds: number;
  /** How many times the effort that its size explains makes a mutation worth measuring. */
  rate: number;
  /** Median effort and size of the initial samples. */
  base: number;
  baseSize: number;
  /** Effort that a byte more costs as long as nothing is out of the ordinary; 0: that is not asked. */
  slope: number;
  /** The initial sample that profiles are compared with. */
  baseline: number;
  samples: Sample[];
  rules: RuleRecord[];
  /** explore: mutations are tried; measure: those worth it are measured. */
  phase: "explore" | "measure";
  /** Mutations tried in this round. */
  tried: number;
  /** Samples of this round that wait to be measured. */
  waiting: number[];
  /**
   * Of those tried in this round that are not worth measuring the one with the greatest excess: a step on the way,
   * should there be nothing better.
   */
  step: Sample | null;
  /** The parent of the next trials, and the rules that they apply. */
  parent: number;
  plan: number[];
  finds: Find[];
  hangs: number;
  faults: number;
  /** Finds and samples that there was no room for. */
  dropped: number;
  curve: CurvePoint[];
}
