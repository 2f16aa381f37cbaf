const intervals = 5;

/**
 * The index of the individual to vary next, the fitter the likelier: the range of fitness is cut into five intervals,
 * of which the fittest is chosen five times as often as the least; within an interval all are alike. An interval that
 * is empty gives its chance to the next fitter one. Fewer than five individuals are alike. `fitness` must not be empty.
 */
export function chooseParent(fitness: Float64Array, random: () => number): number {
  if (fitness.length < intervals) return Math.floor(random() * fitness.length);
  const [least, most] = [fitness.reduce((a, b) => Math.min(a, b)), fitness.reduce((a, b) => Math.max(a, b))];
  const groups: number[][] = Array.from({ length: intervals }, () => []);
  fitness.forEach((value, at) => groups[intervalOf(value, least, most)]?.push(at));
  const wanted = weightedInterval(random());
  // The fittest individual is in the last interval, so there always is a group.
  const group = groups.slice(wanted).find((members) => members.length > 0) ?? [0];
  return group[Math.floor(random() * group.length)] ?? 0;
}

function intervalOf(value: number, least: number, most: number): number {
  if (!(most > least)) return intervals - 1;
  return Math.min(intervals - 1, Math.floor(((value - least) / (most - least)) * intervals));
}

/** 0 with the chance 1/15, 4 with 5/15. */
function weightedInterval(random: number): number {
  let rest = random * ((intervals * (intervals + 1)) / 2);
  for (let interval = 0; interval < intervals - 1; interval++) {
    rest -= interval + 1;
    if (rest < 0) return interval;
  }
  return intervals - 1;
}

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
