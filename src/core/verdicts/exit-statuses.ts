/** The distinct exit statuses, ascending. */
export function distinctStatuses(all: Iterable<number>): number[] {
  return [...new Set(all)].toSorted((a, b) => a - b);
}

/**
 * Why two levels of a program cannot be compared: it exited with other statuses. A program that fails does other work.
 * null: with the same ones, or unknown.
 */
export function statusDifference(
  before: readonly number[] | undefined,
  after: readonly number[] | undefined,
): string | null {
  if (before === undefined || after === undefined || before.join() === after.join()) return null;
  return `the program exits with status ${after.join(", ")}, before with ${before.join(", ")}: it does other work`;
}
