/**
 * How alike two texts are, from 0 to 1: twice what is common, found by the longest common part and again on both sides
 * of it, over the length of both (Ratcliff and Metzener, "Pattern Matching: The Gestalt Approach", 1988). Time grows
 * with the product of the lengths.
 */
export function textSimilarity(a: string, b: string): number {
  return a.length + b.length === 0 ? 1 : (2 * commonLength(a, b)) / (a.length + b.length);
}

function commonLength(a: string, b: string): number {
  let total = 0;
  const open: [string, string][] = [[a, b]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [left, right] = next;
    const { atLeft, atRight, length } = longestCommon(left, right);
    if (length === 0) continue;
    total += length;
    open.push(
      [left.slice(0, atLeft), right.slice(0, atRight)],
      [left.slice(atLeft + length), right.slice(atRight + length)],
    );
  }
  return total;
}

/** The first of the longest common parts. */
function longestCommon(a: string, b: string): { atLeft: number; atRight: number; length: number } {
  let best = { atLeft: 0, atRight: 0, length: 0 };
  let above = new Uint32Array(b.length + 1);
  for (let i = 0; i < a.length; i++) {
    const row = new Uint32Array(b.length + 1);
    for (let j = 0; j < b.length; j++) {
      if (a[i] !== b[j]) continue;
      const length = above[j]! + 1;
      row[j + 1] = length;
      if (length > best.length) best = { atLeft: i + 1 - length, atRight: j + 1 - length, length };
    }
    above = row;
  }
  return best;
}
