/** Above so many moves for a moment there is no order to speak of. */
const mostMoves = 64;

/**
 * The places of moments by time; equal ones stay in their order. V8 writes samples nearly in order, so each is moved to
 * its place; what is in no order at all is sorted.
 */
export function timeOrder(times: Float64Array): Uint32Array {
  const order = countedUp(times.length);
  let moves = mostMoves * times.length;
  for (let at = 1; at < order.length; at++) {
    const moment = times[at]!;
    let place = at;
    for (; place > 0 && times[order[place - 1]!]! > moment; place--) order[place] = order[place - 1]!;
    order[place] = at;
    moves -= at - place;
    if (moves < 0) return order.sort((a, b) => times[a]! - times[b]! || a - b);
  }
  return order;
}

/** The numbers below `count`; made by hand, for there may be many millions. */
export function countedUp(count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let at = 0; at < count; at++) numbers[at] = at;
  return numbers;
}
