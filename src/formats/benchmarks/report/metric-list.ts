import type { ReportMetric } from "../../../core/measurements/index.ts";

/** Metrics in order of insertion. A metric with a known name and a different unit gets a new name. */
export class MetricList {
  readonly #metrics = new Map<string, ReportMetric>();

  get metrics(): readonly ReportMetric[] {
    return [...this.#metrics.values()];
  }

  /** Adds a metric and returns its name in this list. */
  add(metric: ReportMetric): string {
    const known = this.#metrics.get(metric.name);
    if (known === undefined) this.#metrics.set(metric.name, metric);
    else if ((known.unit ?? "") !== (metric.unit ?? ""))
      return this.add({ ...metric, name: `${metric.name}_${metric.unit ?? "number"}` });
    return metric.name;
  }
}

/**
 * The metric name of a statistic: `mean` of times, `rate_mean` of rates. Different units get different names.
 */
export function statisticOf(quantity: string, statistic: string): string {
  return quantity === "time" ? statistic : `${quantity}_${statistic}`;
}
