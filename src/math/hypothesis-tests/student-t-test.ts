import { moments } from "../descriptive/index.ts";
import { studentTail } from "../distributions/index.ts";

/**
 * Two-sided p of Student's t-test with pooled variance. 1 if a sample is empty or all values are equal; 0 if they
 * are two different constants. `inflation`: factor of the variance of a mean for dependent values.
 */
export function studentTest(a: Float64Array, b: Float64Array, inflation = 1): number {
  const [left, right] = [moments(a), moments(b)];
  const freedom = a.length + b.length - 2;
  const difference = Math.abs(left.mean - right.mean);
  if (!(difference > 0) || freedom < 1) return 1;
  const squares = (sample: typeof left): number => (sample.count < 2 ? 0 : sample.variance * (sample.count - 1));
  const pooled = (inflation * (squares(left) + squares(right))) / freedom;
  return Math.min(1, 2 * studentTail(difference / Math.sqrt(pooled * (1 / a.length + 1 / b.length)), freedom));
}
