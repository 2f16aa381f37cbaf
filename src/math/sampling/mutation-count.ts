/** How it is decided how many mutations a rule may make of one parent. */
export const mutationStrategies = ["unitary", "proportional", "probabilistic", "mixed"] as const;
export type MutationStrategy = (typeof mutationStrategies)[number];

/** What a rule has brought so far, and all rules together: how many of the mutations were worth keeping. */
export interface RuleSuccess {
  readonly hits: number;
  readonly total: number;
}

const mostMutations = 100;
const leastChance = 0.1;

/**
 * How many mutations a rule makes of the next parent. unitary: one; proportional: one more than it has brought, at most
 * 100; probabilistic: one, with its share of the success as chance, but at least 0.1; mixed: as many as proportional
 * with the chance of probabilistic. Before any success the chance is 1.
 */
export function mutationCount(strategy: MutationStrategy, { hits, total }: RuleSuccess, random: () => number): number {
  const isChosen = strategy === "unitary" || strategy === "proportional" || random() < chanceOf(hits, total);
  if (!isChosen) return 0;
  return strategy === "proportional" || strategy === "mixed" ? Math.min(hits + 1, mostMutations) : 1;
}

function chanceOf(hits: number, total: number): number {
  return total === 0 ? 1 : Math.max(leastChance, hits / total);
}
