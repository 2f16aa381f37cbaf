/** x^exponent · log2(x)^logarithm of one parameter. */
export interface Factor {
  /** Index of the parameter. */
  readonly parameter: number;
  /** The exponent as a fraction. */
  readonly numerator: number;
  readonly denominator: number;
  readonly logarithm: number;
}

/** The product of its factors, each of another parameter. */
export type Term = readonly Factor[];

/** Exponents of the papers and of Extra-P: quarters and thirds up to 3. */
const exponents: readonly (readonly [numerator: number, denominator: number])[] = [
  ...[0, 1, 2, 3].map((whole) => [whole, 1] as const),
  ...[1, 3, 5].map((odd) => [odd, 2] as const),
  ...[1, 2, 4, 5, 7, 8].map((thirds) => [thirds, 3] as const),
  ...[1, 3, 5, 7, 9, 11].map((quarters) => [quarters, 4] as const),
];

/** The factors that one parameter may have, the simplest first; `isFalling`: with negative exponents. */
export function factorsOf(parameter: number, isFalling: boolean): Factor[] {
  const factors = exponents.flatMap(([numerator, denominator]) =>
    [0, 1, 2]
      .filter((logarithm) => numerator > 0 || logarithm > 0)
      .map((logarithm) => ({ parameter, numerator: isFalling ? 0 - numerator : numerator, denominator, logarithm })),
  );
  return factors.toSorted((a, b) => complexity([a]) - complexity([b]));
}

/** The length of the description of a term: whole exponents are simpler than halves, these than thirds and quarters. */
export function complexity(term: Term): number {
  return term.reduce(
    (sum, { numerator, denominator, logarithm }) =>
      sum +
      1 +
      (denominator > 2 ? 2 : denominator - 1) +
      (logarithm > 0 && numerator !== 0 ? logarithm : logarithm - 1),
    0,
  );
}

/** The term at each point; `x` has an array for each parameter. */
export function termValues(term: Term, x: readonly Float64Array[], length: number): Float64Array {
  const values = new Float64Array(length).fill(1);
  for (const { parameter, numerator, denominator, logarithm } of term) {
    const own = x[parameter]!;
    for (let i = 0; i < length; i++)
      values[i]! *= own[i]! ** (numerator / denominator) * Math.log2(own[i]!) ** logarithm;
  }
  return values;
}

/** `n^(3/2) * log2(n) * p` with the names of the parameters. */
export function termText(term: Term, names: readonly string[]): string {
  return term.flatMap((factor) => factorTexts(factor, names[factor.parameter] ?? "")).join(" * ");
}

function factorTexts({ numerator, denominator, logarithm }: Factor, name: string): string[] {
  const exponent = denominator === 1 && numerator > 0 ? `${numerator}` : `(${fraction(numerator, denominator)})`;
  const power = numerator === 0 ? [] : [numerator === denominator ? name : `${name}^${exponent}`];
  const logarithms = logarithm === 0 ? [] : [`log2(${name})${logarithm === 1 ? "" : `^${logarithm}`}`];
  return [...power, ...logarithms];
}

function fraction(numerator: number, denominator: number): string {
  return denominator === 1 ? `${numerator}` : `${numerator}/${denominator}`;
}

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
