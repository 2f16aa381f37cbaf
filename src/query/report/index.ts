// Verdicts for CI systems, chats and feed readers: JUnit, SARIF, code quality, OpenMetrics, Markdown, messages, Atom.
// Used by the verdict and report commands.
// Never decides about a verdict, and never prints untrusted text unescaped.

export { mattermost, slack, teams } from "./chat-formats.ts";
export { atomFeed } from "./atom-feed.ts";
export { annotations, codeQuality, junit, sarif } from "./ci-formats.ts";
export { openMetrics } from "./open-metrics.ts";
export { summary } from "./verdict-text.ts";
