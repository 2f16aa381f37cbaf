import { terminalText } from "../../core/text/index.ts";
import type { VerdictOutput, VerdictReport } from "../../core/verdicts/index.ts";
import { byImportance, countsText, outcomeText, sentence } from "./verdict-text.ts";

/** Services accept some 3000 characters in a block, 50 blocks, and 16,000 to 28,000 characters in a message. */
const mostLines = 20;
const longestLine = 500;

/** The text of a message, with control characters made visible; it has no markup. */
interface Message {
  readonly headline: string;
  readonly lines: readonly string[];
}

function messageOf(report: VerdictReport): Message {
  const shown = byImportance(report.verdicts).filter(({ verdict }) => verdict.outcome !== "same");
  const cut = shown.slice(0, mostLines).map((one) => sentence(one));
  const more = shown.length > cut.length ? [`and ${shown.length - cut.length} more`] : [];
  const notes = cut.length === 0 ? report.notes.slice(0, mostLines) : [];
  const lines = [...cut, ...more, ...notes].map(short);
  return { headline: short(`${outcomeText(report)}: ${countsText(report)} (${report.title})`), lines };
}

function short(text: string): string {
  return terminalText(text.length > longestLine ? `${text.slice(0, longestLine)}…` : text);
}

/**
 * A message for an incoming webhook of Slack. Lines are plain text, in which Slack reads no markup and no mentions.
 */
export const slack: VerdictOutput = Object.freeze({ name: "slack", extension: "json", render: renderSlack });

function renderSlack(report: VerdictReport): string {
  const { headline, lines } = messageOf(report);
  const block = (text: string): object => ({ type: "section", text: { type: "plain_text", text, emoji: false } });
  const escaped = headline.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `${JSON.stringify({ text: escaped, mrkdwn: false, blocks: [headline, ...lines].map(block) })}\n`;
}

/** A message for an incoming webhook of Mattermost: a code block, in which there are no markup and no mentions. */
export const mattermost: VerdictOutput = Object.freeze({
  name: "mattermost",
  extension: "json",
  render: renderMattermost,
});

function renderMattermost(report: VerdictReport): string {
  const { headline, lines } = messageOf(report);
  const text = [headline, ...lines].join("\n").replaceAll("`", "'");
  return `${JSON.stringify({ text: `\`\`\`text\n${text}\n\`\`\`` })}\n`;
}

/** A message with an Adaptive Card for Microsoft Teams. Text runs have no markup and no mentions. */
export const teams: VerdictOutput = Object.freeze({ name: "teams", extension: "json", render: renderTeams });

function renderTeams(report: VerdictReport): string {
  const { headline, lines } = messageOf(report);
  const line = (text: string, weight: string): object => ({
    type: "RichTextBlock",
    inlines: [{ type: "TextRun", text, weight }],
  });
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [line(headline, "bolder"), ...lines.map((text) => line(text, "default"))],
  };
  const attachment = { contentType: "application/vnd.microsoft.card.adaptive", content: card };
  return `${JSON.stringify({ type: "message", attachments: [attachment] })}\n`;
}
