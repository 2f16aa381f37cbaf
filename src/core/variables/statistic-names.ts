/** Names of statistics with their other spellings; quantiles (`q95`) and trimmed means (`trim10`) have a number. */
const spellings = {
  min: ["minimum"],
  max: ["maximum"],
  mean: ["avg", "average"],
  median: [],
  mode: [],
  geomean: ["gmean"],
  stddev: ["std"],
  variance: ["var"],
  mad: [],
  sum: [],
  count: ["n"],
  distinct: ["nunique", "unique"],
} as const;

type PlainStatistic = keyof typeof spellings;

/** Names of statistics without a number. */
export const statisticNames = Object.keys(spellings) as PlainStatistic[];

const plainNames: ReadonlyMap<string, PlainStatistic> = new Map(
  statisticNames.flatMap((name) => [name, ...spellings[name]].map((word) => [word, name] as const)),
);

/** A statistic by name. `at`: the level of a quantile from 0 to 1, or the share that a trimmed mean omits at an end. */
export type NamedStatistic =
  | { readonly kind: PlainStatistic }
  | { readonly kind: "quantile" | "trimmed"; readonly at: number };

const percentQuantile = /^[qp](\d{1,3}(?:\.\d{1,9})?)$/;
const fractionQuantile = /^quantile=(\d?\.\d{1,11}|\d)$/;
const trimmedMean = /^trim(\d{1,2}(?:\.\d{1,9})?)$/;

/** The percentage of `q95`, `p95`, `q99.9` and `quantile=0.95`; undefined for other names. */
export function quantilePercent(word: string): number | undefined {
  const name = word.toLowerCase();
  const percent = percentQuantile.exec(name)?.[1];
  const fraction = fractionQuantile.exec(name)?.[1];
  const value = fraction === undefined ? Number(percent ?? Number.NaN) : Number((Number(fraction) * 100).toFixed(9));
  return value <= 100 ? value : undefined;
}

/** The statistic of a name; undefined if unknown. */
export function statisticNamed(word: string): NamedStatistic | undefined {
  const name = word.toLowerCase();
  const kind = plainNames.get(name);
  if (kind !== undefined) return { kind };
  const percent = quantilePercent(name);
  if (percent !== undefined) return { kind: "quantile", at: percent / 100 };
  const omitted = Number(trimmedMean.exec(name)?.[1] ?? Number.NaN);
  return omitted < 50 ? { kind: "trimmed", at: omitted / 100 } : undefined;
}

/** The name of a statistic in columns: `mean`, `q95`, `trim10`. */
export function nameOfStatistic(statistic: NamedStatistic): string {
  if (!("at" in statistic)) return statistic.kind;
  return `${statistic.kind === "quantile" ? "q" : "trim"}${Number((statistic.at * 100).toFixed(9))}`;
}

/** The canonical name of a statistic (`q95` for `p95` and `quantile=0.95`); undefined if unknown. */
export function statisticName(word: string): string | undefined {
  const found = statisticNamed(word);
  return found && nameOfStatistic(found);
}
