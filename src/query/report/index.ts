// Verdict reports for CI systems and chats: JUnit, SARIF, code quality, annotations, OpenMetrics, Markdown, messages.
// Used by the verdict commands.
// Never decides about a verdict, and never prints untrusted text unescaped.

export { mattermost, slack, teams } from "./chat-formats.ts";
export { annotations, codeQuality, junit, sarif } from "./ci-formats.ts";
export { openMetrics } from "./open-metrics.ts";
export { summary } from "./verdict-text.ts";
