/** The words for what becomes of several contents, besides quantiles (`q95`). */
export const statisticWords = [
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

export const statisticSpellings: Readonly<Record<string, (typeof statisticWords)[number]>> = {
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

/** The percents of `q95`, `q99.9`; undefined for other words. */
export function quantilePercent(word: string): number | undefined {
  const percent = Number(/^q(\d{1,3}(?:\.\d{1,9})?)$/.exec(word)?.[1] ?? Number.NaN);
  return percent <= 100 ? percent : undefined;
}

/** The word in its first spelling; undefined when it is none. */
export function statisticWord(word: string): string | undefined {
  const name = word.toLowerCase();
  const spelled = Object.hasOwn(statisticSpellings, name) ? statisticSpellings[name] : undefined;
  return (
    spelled ?? statisticWords.find((each) => each === name) ?? (quantilePercent(name) === undefined ? undefined : name)
  );
}
