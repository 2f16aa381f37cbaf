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

/** The percentage of `q95`, `q99.9`; undefined for other names. */
export function quantilePercent(word: string): number | undefined {
  const percent = Number(/^q(\d{1,3}(?:\.\d{1,9})?)$/.exec(word)?.[1] ?? Number.NaN);
  return percent <= 100 ? percent : undefined;
}

/** The canonical name of a statistic; undefined if unknown. */
export function statisticName(word: string): string | undefined {
  const name = word.toLowerCase();
  const spelled = Object.hasOwn(statisticAliases, name) ? statisticAliases[name] : undefined;
  return (
    spelled ?? statisticNames.find((each) => each === name) ?? (quantilePercent(name) === undefined ? undefined : name)
  );
}
