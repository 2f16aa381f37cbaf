import type { VerdictOutput, VerdictReport } from "../../core/verdicts/index.ts";
import {
  annotations,
  codeQuality,
  mattermost,
  sarif,
  slack,
  junit,
  openMetrics,
  summary,
  teams,
} from "../../query/report/index.ts";

const verdictOutputs: readonly VerdictOutput[] = [
  summary,
  annotations,
  junit,
  sarif,
  openMetrics,
  codeQuality,
  slack,
  mattermost,
  teams,
];

/** Values of `--format` shared by all checks: formats of CI services, code hosts and chats. */
export const verdictFormats: readonly string[] = verdictOutputs.map(({ name }) => name);

/** Renders the report; undefined if `format` is not one of `verdictFormats`. */
export function renderVerdicts(format: string, report: VerdictReport): string | undefined {
  return verdictOutputs.find(({ name }) => name === format)?.render(report);
}
