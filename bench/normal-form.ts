import { fitNormalForm, type NormalForm, type NormalFormModel } from "../src/math/regression/index.ts";
import { seededRandom } from "../src/math/sampling/index.ts";

/** A known function: exponent and power of the logarithm of each parameter in each term. */
export interface KnownFunction {
  readonly name: string;
  readonly constant: number;
  readonly terms: readonly { readonly c: number; readonly powers: readonly (readonly [number, number])[] }[];
}

const none = [0, 0] as const;

const oneParameter: readonly KnownFunction[] = [
  { name: "constant", constant: 20, terms: [] },
  { name: "log2(n)", constant: 5, terms: [{ c: 3, powers: [[0, 1]] }] },
  { name: "n^(1/2)", constant: 2, terms: [{ c: 1, powers: [[0.5, 0]] }] },
  { name: "n", constant: 10, terms: [{ c: 0.5, powers: [[1, 0]] }] },
  { name: "n log2(n)", constant: 10, terms: [{ c: 0.2, powers: [[1, 1]] }] },
  { name: "n^(3/2)", constant: 4, terms: [{ c: 0.1, powers: [[1.5, 0]] }] },
  { name: "n^2", constant: 30, terms: [{ c: 0.01, powers: [[2, 0]] }] },
  { name: "n^2 log2(n)", constant: 30, terms: [{ c: 0.01, powers: [[2, 1]] }] },
  { name: "n^3", constant: 100, terms: [{ c: 1e-3, powers: [[3, 0]] }] },
  { name: "n^-1", constant: 1, terms: [{ c: 900, powers: [[-1, 0]] }] },
  {
    name: "n + n^2",
    constant: 1,
    terms: [
      { c: 1, powers: [[1, 0]] },
      { c: 0.05, powers: [[2, 0]] },
    ],
  },
];

const twoParameters: readonly KnownFunction[] = [
  { name: "constant", constant: 20, terms: [] },
  { name: "n, not p", constant: 10, terms: [{ c: 0.5, powers: [[1, 0], none] }] },
  {
    name: "n * p",
    constant: 50,
    terms: [
      {
        c: 0.1,
        powers: [
          [1, 0],
          [1, 0],
        ],
      },
    ],
  },
  {
    name: "n^2 * log2(p)",
    constant: 50,
    terms: [
      {
        c: 0.01,
        powers: [
          [2, 0],
          [0, 1],
        ],
      },
    ],
  },
  {
    name: "n log2(n) * p^(1/2)",
    constant: 5,
    terms: [
      {
        c: 0.05,
        powers: [
          [1, 1],
          [0.5, 0],
        ],
      },
    ],
  },
  {
    name: "n + p",
    constant: 5,
    terms: [
      { c: 1, powers: [[1, 0], none] },
      { c: 1, powers: [none, [1, 0]] },
    ],
  },
  {
    name: "n^2 + log2(p)",
    constant: 5,
    terms: [
      { c: 0.01, powers: [[2, 0], none] },
      { c: 10, powers: [none, [0, 1]] },
    ],
  },
  {
    name: "n * p^-1",
    constant: 2,
    terms: [
      {
        c: 10,
        powers: [
          [1, 0],
          [-1, 0],
        ],
      },
    ],
  },
  {
    name: "n * p^-1 + log2(p)",
    constant: 2,
    terms: [
      {
        c: 50,
        powers: [
          [1, 0],
          [-1, 0],
        ],
      },
      { c: 8, powers: [none, [0, 1]] },
    ],
  },
];

export interface NormalFormScore {
  readonly parameters: number;
  readonly name: string;
  readonly noise: number;
  readonly trials: number;
  /** Share of trials whose leading terms are the function's. */
  readonly right: number;
  /** Share whose leading terms have exponents at most 1/4 from the function's. */
  readonly close: number;
  /** Share whose leading terms are those of the model or of one of the alternatives that it names. */
  readonly named: number;
  /** Share of intervals of the model, at four times the largest values, that hold the function. */
  readonly covered: number;
  /** Median relative error there. */
  readonly error: number;
}

const [n, p] = [
  [16, 32, 64, 128, 256, 512, 1024],
  [4, 8, 16, 32, 64, 128],
];

/** Fits of known functions of one and of two parameters with normally distributed relative errors. */
export function normalFormScores(trials: number, noises: readonly number[]): NormalFormScore[] {
  const random = seededRandom(1);
  const suites = [
    { functions: oneParameter, axes: [n] },
    { functions: twoParameters, axes: [n, p] },
  ];
  return suites.flatMap(({ functions, axes }) =>
    functions.flatMap((known) => noises.map((noise) => scoreOf(known, axes, noise, trials, random))),
  );
}

type Outcome = Omit<NormalFormScore, "parameters" | "name" | "noise" | "trials">;

function scoreOf(
  known: KnownFunction,
  axes: readonly (readonly number[])[],
  noise: number,
  trials: number,
  random: () => number,
): NormalFormScore {
  const points = axes.reduce<number[][]>((all, values) => all.flatMap((at) => values.map((v) => [...at, v])), [[]]);
  const x = axes.map((_, parameter) => Float64Array.from(points, (at) => at[parameter]!));
  const far = axes.map((values) => 4 * Math.max(...values));
  const outcomes = Array.from({ length: trials }, () => {
    const y = Float64Array.from(points, (at) => valueAt(known, at) * (1 + noise * normal(random)));
    const model = fitNormalForm(x, y);
    return "reason" in model ? { right: 0, close: 0, named: 0, covered: 0, error: 1 } : outcome(known, model, far);
  });
  const share = (key: keyof Outcome): number => outcomes.reduce((sum, each) => sum + each[key] / trials, 0);
  const errors = outcomes.map(({ error }) => error).sort((a, b) => a - b);
  return {
    parameters: axes.length,
    name: known.name,
    noise,
    trials,
    right: share("right"),
    close: share("close"),
    named: share("named"),
    covered: share("covered"),
    error: errors[trials >> 1]!,
  };
}

function outcome(known: KnownFunction, model: NormalFormModel, far: readonly number[]): Outcome {
  const wanted = leading(known.terms.map(({ powers }) => powers));
  const of = (terms: readonly Term[]): Powers[] => leading(terms.map((term) => powersOf(term, far.length)));
  const found = of(model.terms);
  const truth = valueAt(known, far);
  const { low, high, value } = model.predict(far);
  const all = [found, ...model.alternatives.map(({ terms }) => of(terms))];
  return {
    right: Number(isSame(found, wanted, 0)),
    close: Number(isSame(found, wanted, 0.25)),
    named: Number(all.some((each) => isSame(each, wanted, 0))),
    covered: Number(low <= truth && truth <= high),
    error: Math.abs(value - truth) / truth,
  };
}

type Term = NormalForm["terms"][number];

type Powers = readonly (readonly [number, number])[];

function powersOf(term: Term, parameters: number): Powers {
  return Array.from({ length: parameters }, (_, at) => {
    const factor = term.find(({ parameter }) => parameter === at);
    return factor === undefined ? none : ([factor.numerator / factor.denominator, factor.logarithm] as const);
  });
}

/** The terms that no other one outgrows in all parameters. */
function leading(terms: readonly Powers[]): Powers[] {
  return terms.filter((own) => !terms.some((other) => other !== own && outgrows(other, own)));
}

function outgrows(a: Powers, b: Powers): boolean {
  return a.every(([i, j], at) => i > b[at]![0] || (i === b[at]![0] && j >= b[at]![1]));
}

function isSame(found: readonly Powers[], wanted: readonly Powers[], most: number): boolean {
  return (
    found.length === wanted.length &&
    wanted.every((term) => found.some((other) => term.every((power, at) => isNear(power, other[at]!, most))))
  );
}

/** With tolerance the logarithm may differ: it grows less than any power. */
function isNear([i, j]: readonly [number, number], [k, l]: readonly [number, number], most: number): boolean {
  return Math.abs(i - k) <= most && (most > 0 || j === l);
}

function valueAt({ constant, terms }: KnownFunction, at: readonly number[]): number {
  return terms.reduce(
    (sum, { c, powers }) =>
      sum + powers.reduce((product, [i, j], k) => product * at[k]! ** i * Math.log2(at[k]!) ** j, c),
    constant,
  );
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
