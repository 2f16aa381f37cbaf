/** Average moves per element after which insertion sort is abandoned. */
const maxMoves = 64;

/**
 * Sorts the indices of times stably. V8 writes samples nearly in order, so this is an insertion sort that falls back to
 * a full sort for unordered input.
 */
export function timeOrder(times: Float64Array): Uint32Array {
  const order = indexRange(times.length);
  let moves = maxMoves * times.length;
  for (let at = 1; at < order.length; at++) {
    const time = times[at]!;
    let slot = at;
    for (; slot > 0 && times[order[slot - 1]!]! > time; slot--) order[slot] = order[slot - 1]!;
    order[slot] = at;
    moves -= at - slot;
    if (moves < 0) return order.sort((a, b) => times[a]! - times[b]! || a - b);
  }
  return order;
}

/** The integers from 0 to `count` − 1; a loop, because `count` may be many millions. */
export function indexRange(count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let at = 0; at < count; at++) numbers[at] = at;
  return numbers;
}
