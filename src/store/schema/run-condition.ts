/** Spans that are worth a range each: engines compare every row with every range. */
const mostRanges = 8;

/**
 * A condition on the number of a run. Consecutive runs become ranges, since engines may compare every row with every
 * number of a list. Not bound, since servers limit bound values.
 */
export function isOneOf(number: string, runs: readonly number[]): string {
  if (runs.length === 0) return "false";
  const spans = spansOf(runs);
  if (spans.length > mostRanges) return `${number} in (${spans.flatMap(numbersOf).join(", ")})`;
  const conditions = spans.map(([first, last]) =>
    first === last ? `${number} = ${first}` : `${number} between ${first} and ${last}`,
  );
  return conditions.length === 1 ? (conditions[0] as string) : `(${conditions.join(" or ")})`;
}

type Span = [first: number, last: number];

/** Consecutive numbers, in ascending order. */
function spansOf(runs: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (const run of Float64Array.from(runs).toSorted()) {
    const span = spans.at(-1);
    if (span !== undefined && run <= span[1] + 1) span[1] = run;
    else spans.push([run, run]);
  }
  return spans;
}

function numbersOf([first, last]: Span): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
