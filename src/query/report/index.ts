// Verdict reports for CI systems: JUnit, SARIF, code quality, annotations, OpenMetrics and Markdown.
// Used by the verdict commands.
// Never decides about a verdict, and never prints untrusted text unescaped.

export { annotations, codeQuality, junit, sarif } from "./ci-formats.ts";
export { openMetrics } from "./open-metrics.ts";
export { summary } from "./verdict-text.ts";
