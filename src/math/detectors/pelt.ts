import { LastSegments } from "./functional-pruning.ts";

/** Used again and again: making arrays would take as long as what is done with them. */
let room = new LastSegments(0);

/**
 * Where the mean of a series changes: the first place of every new level, ascending. The split is the exact optimum of
 * the sum of squared deviations from the means of the pieces, plus `penalty` for each change, with at least `shortest`
 * values in a piece. PELT (Killick, Fearnhead and Eckley 2012, "Optimal Detection of Changepoints With a Linear
 * Computational Cost") with functional pruning (Maidstone, Hocking, Rigaill and Fearnhead 2017, "On optimal multiple
 * changepoint algorithms for large data"), which leaves a handful of places where the last piece may begin: about
 * linear, with and without changes. Values are finite.
 */
export function pelt(values: Float64Array, penalty: number, shortest = 1): number[] {
  if (values.length > room.most) room = new LastSegments(Math.max(values.length, 2 * room.most));
  return room.places(values, penalty, Math.max(1, shortest));
}
