import type { VerdictOutput, VerdictReport } from "../../core/verdicts/verdict-report.ts";
import { annotations } from "../../query/report/annotations.ts";
import { codeQuality } from "../../query/report/code-quality.ts";
import { junit } from "../../query/report/junit.ts";
import { openMetrics } from "../../query/report/open-metrics.ts";
import { sarif } from "../../query/report/sarif.ts";
import { summary } from "../../query/report/summary.ts";

const verdictOutputs: readonly VerdictOutput[] = [summary, annotations, junit, sarif, openMetrics, codeQuality];

/** Words for `--format` that every check has: forms that services around a repository read. */
export const verdictFormats: readonly string[] = verdictOutputs.map(({ name }) => name);

/** The report in the form of that name; undefined where it is none of `verdictFormats`. */
export function renderVerdicts(format: string, report: VerdictReport): string | undefined {
  return verdictOutputs.find(({ name }) => name === format)?.render(report);
}
