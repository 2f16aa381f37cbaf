const intervals = 5;

/**
 * Selects the index of the next parent, fitter ones more often: the range of fitness has five intervals, of which the
 * fittest is selected five times as often as the least fit; uniform within an interval. An empty interval passes its
 * probability to the next fitter one. Fewer than five individuals: uniform. `fitness` must not be empty.
 */
export function chooseParent(fitness: Float64Array, random: () => number): number {
  if (fitness.length < intervals) return Math.floor(random() * fitness.length);
  const [least, most] = [fitness.reduce((a, b) => Math.min(a, b)), fitness.reduce((a, b) => Math.max(a, b))];
  const groups: number[][] = Array.from({ length: intervals }, () => []);
  fitness.forEach((value, at) => groups[intervalOf(value, least, most)]?.push(at));
  const wanted = weightedInterval(random());
  // The last interval is never empty: it has the fittest individual.
  const group = groups.slice(wanted).find((members) => members.length > 0) ?? [0];
  return group[Math.floor(random() * group.length)] ?? 0;
}

function intervalOf(value: number, least: number, most: number): number {
  if (!(most > least)) return intervals - 1;
  return Math.min(intervals - 1, Math.floor(((value - least) / (most - least)) * intervals));
}

/** 0 with probability 1/15, 4 with 5/15. */
function weightedInterval(random: number): number {
  let rest = random * ((intervals * (intervals + 1)) / 2);
  for (let interval = 0; interval < intervals - 1; interval++) {
    rest -= interval + 1;
    if (rest < 0) return interval;
  }
  return intervals - 1;
}

/** Strategies for the number of mutations of a parent by a rule. */
export const mutationStrategies = ["unitary", "proportional", "probabilistic", "mixed"] as const;
export type MutationStrategy = (typeof mutationStrategies)[number];

/** Mutations kept so far, of one rule and of all rules. */
export interface RuleSuccess {
  readonly hits: number;
  readonly total: number;
}

const mostMutations = 100;
const leastProbability = 0.1;

/**
 * The number of mutations of the next parent by a rule. unitary: one; proportional: one more than its hits, at most
 * 100; probabilistic: one with a probability of hits / total, at least 0.1; mixed: proportional with that probability.
 * Without any hits the probability is 1.
 */
export function mutationCount(strategy: MutationStrategy, { hits, total }: RuleSuccess, random: () => number): number {
  const isChosen = strategy === "unitary" || strategy === "proportional" || random() < probabilityOf(hits, total);
  if (!isChosen) return 0;
  return strategy === "proportional" || strategy === "mixed" ? Math.min(hits + 1, mostMutations) : 1;
}

function probabilityOf(hits: number, total: number): number {
  return total === 0 ? 1 : Math.max(leastProbability, hits / total);
}
