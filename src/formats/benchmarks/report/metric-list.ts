import type { ReportMetric } from "../../../core/measurements/benchmark-report.ts";

/** Metrics in the order in which they turn up. One of a known name and another unit gets a name of its own. */
export class MetricList {
  readonly #metrics = new Map<string, ReportMetric>();

  get metrics(): readonly ReportMetric[] {
    return [...this.#metrics.values()];
  }

  /** The name of the metric in this list. */
  add(metric: ReportMetric): string {
    const known = this.#metrics.get(metric.name);
    if (known === undefined) this.#metrics.set(metric.name, metric);
    else if ((known.unit ?? "") !== (metric.unit ?? ""))
      return this.add({ ...metric, name: `${metric.name}_${metric.unit ?? "number"}` });
    return metric.name;
  }
}

/**
 * The name of a statistic: `mean` of times, `rate_mean` of rates, so that numbers of different units have different
 * names.
 */
export function statisticOf(quantity: string, statistic: string): string {
  return quantity === "time" ? statistic : `${quantity}_${statistic}`;
}
