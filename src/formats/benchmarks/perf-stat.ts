import { eventName } from "../stacks/perf/perf-header.ts";

/** One event as `perf stat -x '\t'` counted it. */
export interface PerfCount {
  /** Without modifiers. */
  readonly event: string;
  /** null: this machine cannot count it, or had no time to. */
  readonly amount: number | null;
  /** Of the amount: `msec` for clocks; empty for plain counts. */
  readonly unit: string;
  /** Percent of the time in which it was counted; the amount is scaled up where it is below 100. */
  readonly percent: number;
}

/**
 * Reads the lines of `perf stat -x '\t'`: amount, unit, event, nanoseconds and percent of counting, then metrics. Other
 * lines are passed over. Layout: man perf-stat, CSV FORMAT. The decimal sign is that of the locale.
 */
export function readPerfStat(text: string): PerfCount[] {
  return text.split("\n").flatMap((line): PerfCount[] => {
    const [amount = "", unit = "", event, , percent = ""] = line.split("\t");
    if (event === undefined || event === "" || line.startsWith("#")) return [];
    const counted = decimal(amount);
    return [{ event: eventName(event), amount: counted, unit, percent: decimal(percent) ?? 100 }];
  });
}

function decimal(text: string): number | null {
  return /^\d{1,20}(?:[.,]\d{1,9})?$/.test(text) ? Number(text.replace(",", ".")) : null;
}
