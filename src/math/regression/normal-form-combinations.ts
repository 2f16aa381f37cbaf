import { factorsOf, type Factor, type Term } from "./normal-form-terms.ts";

/** Terms of a hypothesis, without the constant. */
const mostTerms = 3;

/**
 * The hypotheses from one factor of each parameter: sums of at most three products of factors. With one parameter also
 * two terms of it.
 */
export function combinations(candidates: readonly (readonly Factor[])[]): (readonly Term[])[] {
  const [only] = candidates;
  if (candidates.length === 1 && only !== undefined)
    return [...only.map((factor) => [[factor]]), ...pairs(only.map((factor): Term => [factor]))];
  const found = new Map<string, readonly Term[]>();
  for (const factors of selections(candidates))
    for (const terms of subsets(subsets(factors, factors.length), mostTerms)) found.set(keyOf(terms), terms);
  return [...found.values()];
}

/**
 * Hypotheses with one more term, of any single factor: a parameter may have a different factor in each term, as in
 * n / p + log2(p).
 */
export function extensions(terms: readonly Term[], parameters: number): (readonly Term[])[] {
  if (terms.length === 0 || terms.length >= mostTerms) return [];
  const known = new Set(terms.map((term) => keyOf([term])));
  const all = Array.from({ length: parameters }, (_, parameter) =>
    [false, true].flatMap((isFalling) => factorsOf(parameter, isFalling)),
  ).flat();
  const added = new Map(all.map((factor): [string, Term] => [keyOf([[factor]]), [factor]]));
  return [...added].flatMap(([key, term]) => (known.has(key) ? [] : [[...terms, term]]));
}

/** One factor of each parameter, in all ways. */
function selections(candidates: readonly (readonly Factor[])[]): Factor[][] {
  return candidates.reduce<Factor[][]>(
    (all, factors) => all.flatMap((before) => factors.map((factor) => [...before, factor])),
    [[]],
  );
}

/** Subsets with 1 to `most` members, the small ones first. */
function subsets<T>(members: readonly T[], most: number): T[][] {
  const all = members.reduce<T[][]>(
    (found, member) => [...found, ...found.filter((own) => own.length < most).map((own) => [...own, member])],
    [[]],
  );
  return all.slice(1).toSorted((a, b) => a.length - b.length);
}

function pairs<T>(members: readonly T[]): T[][] {
  return members.flatMap((first, at) => members.slice(at + 1).map((second) => [first, second]));
}

function keyOf(terms: readonly Term[]): string {
  return terms
    .map((term) =>
      term.map((factor) => [factor.parameter, factor.numerator, factor.denominator, factor.logarithm].join()).join("*"),
    )
    .join("+");
}
