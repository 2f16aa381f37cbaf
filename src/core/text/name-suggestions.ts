/** At most three candidates similar to `word`, the nearest first. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  const wanted = word.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  return candidates
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase(), limit) }))
    .filter((candidate) => candidate.distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map((candidate) => candidate.name);
}

/** Damerau-Levenshtein distance (optimal string alignment); values above `limit` may be returned as limit + 1. */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) row.push(cell(a, b, i, j, row, previous, before));
    [before, previous] = [previous, row];
  }
  return previous[b.length] ?? a.length;
}

function cell(
  a: string,
  b: string,
  i: number,
  j: number,
  row: readonly number[],
  previous: readonly number[],
  before: readonly number[],
): number {
  const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
  const best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substitution);
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return swapped ? Math.min(best, (before[j - 2] ?? 0) + 1) : best;
}

/**
 * Similarity of two texts, 0 to 1: twice the length of their common substrings, found recursively on both sides of the
 * longest one, over the total length (Ratcliff and Metzener, "Pattern Matching: The Gestalt Approach", 1988). Quadratic
 * time.
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

/** The first longest common substring. */
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
