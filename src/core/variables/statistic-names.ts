/** Names of statistics, other than quantiles (`q95`). */
export const statisticNames = [
  "min",
  "max",
  "mean",
  "median",
  "stddev",
  "variance",
  "sum",
  "count",
  "distinct",
] as const;

export const statisticAliases: Readonly<Record<string, (typeof statisticNames)[number]>> = {
  avg: "mean",
  average: "mean",
  maximum: "max",
  minimum: "min",
  std: "stddev",
  var: "variance",
  n: "count",
  nunique: "distinct",
  unique: "distinct",
};

const percentQuantile = /^[qp](\d{1,3}(?:\.\d{1,9})?)$/;
const fractionQuantile = /^quantile=(\d?\.\d{1,11}|\d)$/;

/** The percentage of `q95`, `p95`, `q99.9` and `quantile=0.95`; undefined for other names. */
export function quantilePercent(word: string): number | undefined {
  const name = word.toLowerCase();
  const percent = percentQuantile.exec(name)?.[1];
  const fraction = fractionQuantile.exec(name)?.[1];
  const value = fraction === undefined ? Number(percent ?? Number.NaN) : Number((Number(fraction) * 100).toFixed(9));
  return value <= 100 ? value : undefined;
}

/** The name of a quantile in columns: `q95`. */
export function quantileName(percent: number): string {
  return `q${Number(percent.toFixed(9))}`;
}

/** The canonical name of a statistic (`q95` for `p95` and `quantile=0.95`); undefined if unknown. */
export function statisticName(word: string): string | undefined {
  const name = word.toLowerCase();
  const spelled = Object.hasOwn(statisticAliases, name) ? statisticAliases[name] : undefined;
  const known = spelled ?? statisticNames.find((each) => each === name);
  if (known !== undefined) return known;
  const percent = quantilePercent(name);
  return percent === undefined ? undefined : quantileName(percent);
}
