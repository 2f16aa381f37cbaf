import { median } from "../descriptive/index.ts";
import { normalQuantile, normalTail } from "../distributions/index.ts";
import { noInterval, type Shift } from "./paired-tests.ts";
import { distribution, exactCount, rankSum } from "./rank-sum.ts";

/** The values of both sides in a stratum. */
export type Stratum = readonly [before: Float64Array, after: Float64Array];

/**
 * The rank-sum test and the shift of values that are compared within strata only: U is the sum over strata (Lehmann,
 * "Nonparametrics", 3.3), the shift is the median of all differences within strata, and the interval has the shifts
 * that the test does not reject. Exact for strata of up to 50 different values, otherwise by the normal approximation
 * with corrections for ties and continuity.
 */
export function stratifiedRankSum(strata: readonly Stratum[], confidence: number): Shift & { readonly p: number } {
  const usable = strata.filter(([before, after]) => before.length > 0 && after.length > 0);
  const parts = usable.map(([before, after]) => ({ ...rankSum(after, before), m: before.length, n: after.length }));
  const pairs = parts.reduce((sum, { m, n }) => sum + m * n, 0);
  if (pairs === 0) return { p: 1, shift: Number.NaN, ...noInterval };
  const u = parts.reduce((sum, part) => sum + part.u, 0);
  const isSmall = parts.every(({ m, n }) => m + n <= exactCount);
  const cumulative = isSmall ? sumDistribution(parts) : null;
  const tied = parts.some(({ ties }) => ties > 0);
  const away = Math.abs(u - pairs / 2);
  const p = cumulative !== null && !tied ? 2 * (cumulative[pairs / 2 - away] ?? 0) : normalP(parts, away);
  const differences = differencesIn(usable, pairs);
  const tail = (1 - confidence) / 2;
  const cut =
    cumulative === null
      ? Math.floor(pairs / 2 - normalQuantile(1 - tail) * Math.sqrt(variance(parts, false)))
      : cumulative.findIndex((share) => share > tail);
  const ends =
    cut < 1 ? noInterval : { low: differences[cut - 1] ?? Number.NaN, high: differences[pairs - cut] ?? Number.NaN };
  return { p: Math.min(1, p), shift: median(differences), ...ends };
}

interface Part {
  readonly m: number;
  readonly n: number;
  readonly ties: number;
}

function normalP(parts: readonly Part[], away: number): number {
  const total = variance(parts, true);
  return total > 0 ? 2 * normalTail(Math.max(0, away - 0.5) / Math.sqrt(total)) : 1;
}

function variance(parts: readonly Part[], withTies: boolean): number {
  return parts.reduce((sum, { m, n, ties }) => {
    const count = m + n;
    return sum + ((m * n) / 12) * (count + 1 - (withTies ? ties / (count * (count - 1)) : 0));
  }, 0);
}

/** P(U <= 0), P(U <= 1), … of the sum of the U of strata without ties. */
function sumDistribution(parts: readonly Part[]): Float64Array {
  let shares = Float64Array.of(1);
  for (const { m, n } of parts) {
    const own = distribution(m, n, m * n);
    const next = new Float64Array(shares.length + m * n);
    shares.forEach((share, at) =>
      own.forEach((reached, u) => (next[at + u]! += share * (reached - (own[u - 1] ?? 0)))),
    );
    shares = next;
  }
  let sum = 0;
  return shares.map((share) => (sum += share));
}

function differencesIn(strata: readonly Stratum[], pairs: number): Float64Array {
  const differences = new Float64Array(pairs);
  let at = 0;
  for (const [before, after] of strata)
    for (const value of after) for (const base of before) differences[at++] = value - base;
  return differences.sort();
}
