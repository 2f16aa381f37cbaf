import type { VerdictOutput, VerdictReport } from "../../core/verdicts/verdict-report.ts";
import { annotations, codeQuality, sarif, junit } from "../../query/report/ci-formats.ts";
import { openMetrics } from "../../query/report/open-metrics.ts";
import { summary } from "../../query/report/verdict-text.ts";

const verdictOutputs: readonly VerdictOutput[] = [summary, annotations, junit, sarif, openMetrics, codeQuality];

/** Values of `--format` shared by all checks: formats of CI services and code hosts. */
export const verdictFormats: readonly string[] = verdictOutputs.map(({ name }) => name);

/** Renders the report; undefined if `format` is not one of `verdictFormats`. */
export function renderVerdicts(format: string, report: VerdictReport): string | undefined {
  return verdictOutputs.find(({ name }) => name === format)?.render(report);
}
