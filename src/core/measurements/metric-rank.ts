/** Metrics of elapsed time as benchmarks name them. */
const elapsed =
  /^(?:(?:wall(?:[-_ ]?clock)?|real|elapsed|total|mean|median)[-_ ]?)?(?:time|duration|elapsed|wall|real)$/i;
/** Time of processors: it leaves out waiting, and adds up over threads. */
const processor = /(?:^|[-_ ])(?:cpu|user|usr|system|sys|kernel)(?:$|[-_ ])/i;

/**
 * The order of metrics of one benchmark, the one that people read first has the smallest rank: elapsed time, other
 * times, times of processors, all others.
 */
export function metricRank(metric: string, unit: string): number {
  if (!/^(?:n|µ|u|m)?s(?:ec)?(?:\/op)?$/.test(unit) && unit !== "min") return elapsed.test(metric) ? 1 : 3;
  if (elapsed.test(metric)) return 0;
  return isProcessorTime(metric) ? 2 : 1;
}

export function isProcessorTime(metric: string): boolean {
  return processor.test(metric);
}
