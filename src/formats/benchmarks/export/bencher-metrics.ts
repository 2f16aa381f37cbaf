import type { MeasuredCase, Quantity } from "../../../core/measurements/measurement.ts";
import { scaledNumber } from "../../text/parse-quantity.ts";
import { CaseNames, caseName } from "./case-names.ts";
import { listText } from "./metric-lists.ts";
import { companionOf, mainQuantities } from "./companion-statistics.ts";

const companions = ["lower", "upper"] as const;

interface Measure {
  readonly slug: string;
  /** Numbers are written times ten to this. */
  readonly exponent: number;
}

/**
 * Bencher Metric Format (https://bencher.dev/docs/reference/bencher-metric-format/): per benchmark and measure the
 * median; lower and upper are what the program told so, else the least and the greatest of several numbers. Times are
 * `latency` in nanoseconds, rates `throughput`; other measures keep their names and base units. The text comes in
 * pieces.
 */
export function bencherMetrics(quantities: readonly Quantity[], cases: Iterable<MeasuredCase>): Generator<string> {
  return listText(members(quantities, cases), ["{", "}"]);
}

/** One by one: a benchmark may be called __proto__. */
function* members(quantities: readonly Quantity[], cases: Iterable<MeasuredCase>): Generator<string> {
  const measures = [...measuresOf(mainQuantities(quantities, companions))];
  const names = new CaseNames();
  for (const each of cases) {
    const metrics = measures.flatMap(([quantity, measure]) => metricOf(each, quantity, measure));
    if (metrics.length > 0)
      yield `${JSON.stringify(names.next(caseName(each)))}: ${JSON.stringify(Object.fromEntries(metrics))}`;
  }
}

function metricOf(of: MeasuredCase, quantity: Quantity, { slug, exponent }: Measure): [string, object][] {
  const sample = of.samples.get(quantity.name);
  if (sample === undefined) return [];
  const scaled = (value: number): number => (exponent === 0 ? value : scaledNumber(String(value), exponent));
  const [lower, upper] = companions.map((companion) => companionOf(of, quantity, companion)?.median);
  const several = sample.numbers.length > 1;
  const least = lower ?? (several ? sample.least : undefined);
  const greatest = upper ?? (several ? sample.greatest : undefined);
  const value = scaled(sample.median);
  if (Number.isNaN(value)) return [];
  const bounds = {
    ...(least === undefined ? {} : { lower_value: scaled(least) }),
    ...(greatest === undefined ? {} : { upper_value: scaled(greatest) }),
  };
  return [[slug, { value, ...bounds }]];
}

/**
 * Bencher fixes the units of some measures. Each quantity has a slug of its own: one that is called so comes before one
 * that would be renamed.
 */
function measuresOf(quantities: readonly Quantity[]): Map<Quantity, Measure> {
  const names = new CaseNames();
  const renamed = (quantity: Quantity): boolean => slugOf(quantity) !== quantity.name;
  const order = quantities.toSorted((a, b) => Number(renamed(a)) - Number(renamed(b)));
  return new Map(
    order.map((quantity) => {
      const slug = names.of(quantity.name, slugOf(quantity));
      return [quantity, { slug, exponent: slug === "latency" ? 9 : 0 }];
    }),
  );
}

function slugOf({ name, unit }: Quantity): string {
  if (name === "time" && unit === "s") return "latency";
  if (name === "rate" && unit === "1/s") return "throughput";
  return name === "latency" && unit !== "s" ? "latency_" : name;
}
