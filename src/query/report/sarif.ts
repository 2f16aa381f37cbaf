import { terminalText } from "../../core/text/terminal-text.ts";
import type { TriagedVerdict } from "../../core/verdicts/triage.ts";
import type { VerdictOutput, VerdictReport } from "../../core/verdicts/verdict-report.ts";
import { fingerprints } from "./fingerprint.ts";
import { byImportance, nothingText, sentence, subjectText } from "./verdict-text.ts";

/**
 * Places in the code are not known for a number; GitHub shows only what has one. It is the file in which one decides
 * about the change.
 */
const place = "perfkeep.triage";

const rules = [
  { id: "performance-worse", text: "A number got worse." },
  { id: "performance-came-back", text: "A number that was fixed got worse again." },
  { id: "performance-inconclusive", text: "It cannot be told whether a number got worse." },
] as const;

/** SARIF 2.1.0 (OASIS). What is worse or not known is a result; decisions about it are suppressions. */
export const sarif: VerdictOutput = Object.freeze({ name: "sarif", extension: "sarif", render });

function render(report: VerdictReport): string {
  const told = byImportance(report.verdicts).filter(
    ({ verdict: { word } }) => word === "worse" || word === "inconclusive",
  );
  const prints = fingerprints(told);
  const driver = { name: "perfkeep", rules: rules.map(({ id, text }) => ({ id, shortDescription: { text } })) };
  const run = {
    tool: { driver },
    automationDetails: { id: `${terminalText(report.title)}/` },
    // One that could say nothing did not do its work: an empty list of results is no success then.
    invocations: [{ executionSuccessful: report.outcome !== "inconclusive", ...notifications(report) }],
    columnKind: "utf16CodeUnits",
    results: told.map((one, at) => resultOf(one, prints[at] as string)),
  };
  return `${JSON.stringify({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }, null, 1)}\n`;
}

/** Text that no viewer takes for a link, `[text](destination)`. */
function messageText(text: string): string {
  return terminalText(text).replaceAll("](", "] (");
}

/** What is to say of the check itself. */
function notifications(report: VerdictReport): object {
  const isEmpty = report.outcome === "inconclusive" && report.verdicts.length === 0;
  const texts = isEmpty ? [nothingText(report)] : report.notes;
  if (texts.length === 0) return {};
  return {
    toolExecutionNotifications: texts.map((text) => ({
      level: isEmpty ? "error" : "note",
      message: { text: messageText(text) },
    })),
  };
}

function resultOf(one: TriagedVerdict, fingerprint: string): object {
  const { verdict, triage, fails } = one;
  const ruleIndex = verdict.word === "inconclusive" ? 2 : triage?.state === "came-back" ? 1 : 0;
  const name = terminalText(subjectText(verdict));
  return {
    ruleId: rules[ruleIndex].id,
    ruleIndex,
    level: fails ? "error" : "note",
    message: { text: messageText(sentence(one)) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: place }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: name }],
      },
    ],
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, "perfkeepChange/v1": fingerprint },
    ...(triage === null || fails
      ? {}
      : { suppressions: [{ kind: "external", justification: terminalText(triage.note || triage.state) }] }),
  };
}
