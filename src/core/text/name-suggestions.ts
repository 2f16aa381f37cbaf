/** The candidates close enough to `word` to be what was meant, nearest first; at most three. */
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

/** Damerau-Levenshtein distance (optimal string alignment); anything above `limit` may be reported as limit + 1. */
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
