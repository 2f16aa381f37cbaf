import { terminalText } from "../../core/text/terminal-text.ts";
import type { TriagedVerdict } from "../../core/verdicts/triage.ts";
import type { VerdictOutput, VerdictReport } from "../../core/verdicts/verdict-report.ts";
import { fingerprints } from "./fingerprint.ts";
import { byImportance, sentence } from "./verdict-text.ts";

/** GitLab's code quality report: a finding for what is worse. Its place is the file in which one decides about it. */
export const codeQuality: VerdictOutput = Object.freeze({ name: "code-quality", extension: "json", render });

function render({ verdicts }: VerdictReport): string {
  const worse = byImportance(verdicts).filter(({ verdict }) => verdict.word === "worse");
  const prints = fingerprints(worse);
  return `${JSON.stringify(
    worse.map((one, at) => finding(one, prints[at] as string)),
    null,
    1,
  )}\n`;
}

function finding(one: TriagedVerdict, fingerprint: string): object {
  return {
    description: terminalText(sentence(one)),
    check_name: "performance-worse",
    fingerprint,
    severity: one.fails ? "major" : "info",
    location: { path: "perfkeep.triage", lines: { begin: 1 } },
  };
}
