import { medianBetween } from "../descriptive/index.ts";

/** The standard error of a difference of two levels, and its degrees of freedom. */
export interface BlockError {
  readonly error: number;
  /** 0: too few values to estimate it. */
  readonly freedom: number;
  /** The largest difference of two blocks of the same level. */
  readonly movement: number;
  /** Number of blocks of both levels. */
  readonly blocks: number;
}

/** The variance of a value that is known from the repeated measurements it was made of, and its degrees of freedom. */
export interface KnownVariance {
  readonly variance: number;
  readonly freedom: number;
}

/** Nothing is known of the variance. */
export const unknownVariance: KnownVariance = { variance: 0, freedom: 1 };

/** Fewest and most blocks of a level. */
const [fewest, most] = [3, 5];

/**
 * The standard error of the level of `values` from `cut` to before `to` minus that of the values before, from `from`
 * on. Each level is divided into blocks of about √n consecutive values; their medians give the error and, after Welch
 * (1947), its degrees of freedom. So the error is valid for values that depend on their neighbours, whatever the kind
 * of dependence, if it is shorter than a block (Ibragimov and Müller, "t-Statistic Based Correlation and Heterogeneity
 * Robust Inference", 2010). Blocks of few values may agree by chance: the variance is at least the one that is `known`
 * of each value. Freedom is 0 with fewer than three values in a level.
 */
export function blockError(
  values: Float64Array,
  from: number,
  cut: number,
  to: number,
  known: KnownVariance = unknownVariance,
): BlockError {
  if (cut - from < fewest || to - cut < fewest) return { error: 0, freedom: 0, movement: 0, blocks: 0 };
  const [left, right] = [meanVariance(values.subarray(from, cut)), meanVariance(values.subarray(cut, to))];
  const sides = [atLeast(left, known, cut - from), atLeast(right, known, to - cut)] as const;
  const variance = sides[0].variance + sides[1].variance;
  const freedom =
    variance ** 2 / (sides[0].variance ** 2 / sides[0].freedom + sides[1].variance ** 2 / sides[1].freedom);
  return {
    error: Math.sqrt(variance),
    // Welch's freedom of equal values, or of squares beyond the range of numbers, is undefined.
    freedom: freedom >= 1 ? freedom : Math.min(left.freedom, right.freedom),
    movement: Math.max(left.movement, right.movement),
    blocks: left.freedom + right.freedom + 2,
  };
}

/** The variance of the mean of `count` values, `found` or the known one if that is greater. */
function atLeast(found: KnownVariance, known: KnownVariance, count: number): KnownVariance {
  const variance = known.variance / count;
  return found.variance < variance ? { variance, freedom: Math.max(known.freedom, found.freedom) } : found;
}

/** The medians of consecutive blocks of almost equal length. */
export function blockMedians(values: Float64Array, blocks: number): Float64Array {
  const medians = new Float64Array(blocks);
  for (let at = 0, from = 0; at < blocks; at++) {
    const to = Math.floor(((at + 1) * values.length) / blocks);
    medians[at] = medianBetween(values, from, to);
    from = to;
  }
  return medians;
}

interface LevelBlocks {
  /** The variance of the mean of block medians. */
  readonly variance: number;
  readonly freedom: number;
  readonly movement: number;
}

function meanVariance(values: Float64Array): LevelBlocks {
  const blocks = Math.max(fewest, Math.min(most, Math.round(Math.sqrt(values.length))));
  const medians = blockMedians(values, blocks);
  let [middle, squares, least, greatest] = [0, 0, Infinity, -Infinity];
  for (const each of medians) {
    middle += each / blocks;
    least = Math.min(least, each);
    greatest = Math.max(greatest, each);
  }
  for (const each of medians) squares += (each - middle) ** 2;
  return { variance: squares / (blocks - 1) / blocks, freedom: blocks - 1, movement: greatest - least };
}
