import { median } from "../descriptive/index.ts";

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

/** Fewest and most blocks of a level. */
const [fewest, most] = [3, 5];

/**
 * The standard error of the level of `values` from `cut` to before `to` minus that of the values before, from `from`
 * on. Each level is divided into blocks of about √n consecutive values; their medians give the error and, after Welch
 * (1947), its degrees of freedom. So the error is valid for values that depend on their neighbours, whatever the kind
 * of dependence, if it is shorter than a block (Ibragimov and Müller, "t-Statistic Based Correlation and Heterogeneity
 * Robust Inference", 2010). Freedom is 0 with fewer than three values in a level.
 */
export function blockError(values: Float64Array, from: number, cut: number, to: number): BlockError {
  if (cut - from < fewest || to - cut < fewest) return { error: 0, freedom: 0, movement: 0, blocks: 0 };
  const [left, right] = [meanVariance(values.subarray(from, cut)), meanVariance(values.subarray(cut, to))];
  const variance = left.variance + right.variance;
  const freedom = variance ** 2 / (left.variance ** 2 / left.freedom + right.variance ** 2 / right.freedom);
  return {
    error: Math.sqrt(variance),
    // Welch's freedom of equal values, or of squares beyond the range of numbers, is undefined.
    freedom: freedom >= 1 ? freedom : Math.min(left.freedom, right.freedom),
    movement: Math.max(left.movement, right.movement),
    blocks: left.freedom + right.freedom + 2,
  };
}

/** The medians of consecutive blocks of almost equal length. */
export function blockMedians(values: Float64Array, blocks: number): Float64Array {
  return Float64Array.from({ length: blocks }, (_, at) =>
    median(values.subarray(Math.floor((at * values.length) / blocks), Math.floor(((at + 1) * values.length) / blocks))),
  );
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
  const middle = medians.reduce((sum, each) => sum + each / blocks, 0);
  const squares = medians.reduce((sum, each) => sum + (each - middle) ** 2, 0);
  const movement = Math.max(...medians) - Math.min(...medians);
  return { variance: squares / (blocks - 1) / blocks, freedom: blocks - 1, movement };
}
