import { terminalText } from "../../core/text/terminal-text.ts";
import type { TriagedVerdict } from "../../core/verdicts/triage.ts";
import type { VerdictOutput, VerdictReport } from "../../core/verdicts/verdict-report.ts";
import { byImportance, nothingText, sentence, subjectText } from "./verdict-text.ts";

type Level = "error" | "warning" | "notice";

/** GitHub shows ten annotations of a kind for a step. */
const mostOfLevel = 10;

/**
 * Commands of GitHub Actions that annotate a run: an error for what fails, a notice for what was decided about, a
 * warning for what is not known.
 */
export const annotations: VerdictOutput = Object.freeze({ name: "annotations", extension: "txt", render });

function render(report: VerdictReport): string {
  const told = byImportance(report.verdicts).flatMap((one) => {
    const level = levelOf(one);
    return level === null ? [] : [{ level, title: subjectText(one.verdict), text: sentence(one) }];
  });
  const lines = (["error", "warning", "notice"] as const).flatMap((level) =>
    ofLevel(
      level,
      told.filter((each) => each.level === level),
    ),
  );
  if (report.outcome === "inconclusive" && lines.length === 0)
    lines.push(command("warning", report.title, nothingText(report)));
  return lines.join("");
}

function levelOf({ verdict, fails }: TriagedVerdict): Level | null {
  if (fails) return "error";
  if (verdict.word === "worse") return "notice";
  return verdict.word === "inconclusive" ? "warning" : null;
}

function ofLevel(level: Level, told: readonly { readonly title: string; readonly text: string }[]): string[] {
  const shown = told.length > mostOfLevel ? told.slice(0, mostOfLevel - 1) : told;
  const lines = shown.map(({ title, text }) => command(level, title, text));
  return shown.length < told.length
    ? [...lines, command(level, "more", `and ${told.length - shown.length} more`)]
    : lines;
}

/** One line: a line feed in a name would begin a command of its own. */
function command(level: Level, title: string, text: string): string {
  return `::${level} title=${escaped(title).replaceAll(":", "%3A").replaceAll(",", "%2C")}::${escaped(text)}\n`;
}

function escaped(text: string): string {
  return terminalText(text).replaceAll("%", "%25");
}
