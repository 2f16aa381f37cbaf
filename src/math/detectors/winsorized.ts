import { robustScale } from "../deviation.ts";
import { middleOf } from "./middle.ts";

/** Values about a place of which the median says where the series is there. */
const span = 7;

/** What deviations from a running median of seven are too small by, since the value is one of them. */
const ownShare = 1.15;

/** The values with those that stand further from the running median than `most` standard deviations pulled in to that distance. */
export function winsorized(values: Float64Array, most: number): Float64Array {
  const middles = runningMedians(values);
  const away = values.map((value, at) => value - (middles[at] as number));
  const limit = most * ownShare * robustScale(away);
  return away.map((distance, at) => (middles[at] as number) + Math.max(-limit, Math.min(limit, distance)));
}

/** The median of the values about each place; at the ends that of the first and last ones. */
function runningMedians(values: Float64Array): Float64Array {
  const near = new Float64Array(Math.min(span, values.length));
  return values.map((_, at) => {
    const from = Math.max(0, Math.min(at - (span >> 1), values.length - span));
    near.set(values.subarray(from, from + near.length));
    return middleOf(near);
  });
}
