import { terminalText } from "../../core/text/index.ts";
import type { TriagedVerdict, VerdictOutput, VerdictReport, Verdict } from "../../core/verdicts/index.ts";
import { abbreviate } from "../../core/versions/index.ts";
import { byImportance, nothingText, sentence, subjectText } from "./verdict-text.ts";

/**
 * JUnit XML for GitLab, Jenkins and Azure: a test case per subject; inconclusive ones are skipped, triaged ones pass.
 */
export const junit: VerdictOutput = Object.freeze({ name: "junit", extension: "xml", render: renderJunit });

function renderJunit(report: VerdictReport): string {
  const verdicts = byImportance(report.verdicts);
  const count = (test: (one: TriagedVerdict) => boolean): number => verdicts.filter(test).length;
  // A report without test cases would look like success.
  const nothing = report.outcome === "inconclusive" && verdicts.length === 0;
  const failures = count(({ fails }) => fails);
  const skipped = count(({ verdict }) => verdict.outcome === "inconclusive");
  const totals = `tests="${nothing ? 1 : verdicts.length}" failures="${failures}" errors="${nothing ? 1 : 0}"`;
  const cases = nothing ? [missing(report)] : testCases(verdicts);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="perfkeep" ${totals}>`,
    `  <testsuite name="${attribute(report.title)}" ${totals} skipped="${skipped}">`,
    ...cases,
    ...(report.notes.length > 0 ? [`    <system-out>${report.notes.map(markup).join("\n")}</system-out>`] : []),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function missing(report: VerdictReport): string {
  const text = attribute(nothingText(report));
  const opening = `    <testcase classname="perfkeep" name="${attribute(report.title)}">`;
  return `${opening}<error message="${text}" type="inconclusive"/></testcase>`;
}

/** Readers merge cases of one name: further changes of a subject get their version, then a counter. */
function testCases(verdicts: readonly TriagedVerdict[]): string[] {
  const seen = new Set<string>();
  return verdicts.map((one) => {
    const { subject, since } = one.verdict;
    const start = `    <testcase classname="${attribute(subject.benchmark)}" name="`;
    const dated = since === null ? subject.metric : `${subject.metric} since ${abbreviate(since.after)}`;
    let name = [subject.metric, dated].map(attribute).find((each) => !seen.has(start + each));
    for (let times = 2; name === undefined; times++)
      name = [attribute(`${dated} (${times})`)].find((each) => !seen.has(start + each));
    seen.add(start + name);
    return `${start}${name}">${result(one)}</testcase>`;
  });
}

function result(one: TriagedVerdict): string {
  const { outcome: word } = one.verdict;
  const text = sentence(one);
  if (one.fails)
    return `<failure message="${attribute(text)}" type="${one.triage?.state ?? word}">${markup(text)}</failure>`;
  return word === "inconclusive"
    ? `<skipped message="${attribute(text)}"/>`
    : `<system-out>${markup(text)}</system-out>`;
}

export function attribute(text: string): string {
  return markup(text).replaceAll('"', "&quot;");
}

/** Escapes markup, and makes characters visible that XML 1.0 cannot represent. */
function markup(text: string): string {
  const shown = terminalText(text).replaceAll(
    /[\ufffe\uffff]/g,
    (char) => `<U+${char.charCodeAt(0).toString(16).toUpperCase()}>`,
  );
  return shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

type Level = "error" | "warning" | "notice";

/** GitHub shows at most ten annotations of a level per step. */
const mostOfLevel = 10;

/**
 * GitHub Actions commands that annotate a run: an error for failures, a notice for triaged changes, a warning for
 * inconclusive ones.
 */
export const annotations: VerdictOutput = Object.freeze({
  name: "annotations",
  extension: "txt",
  render: renderAnnotations,
});

function renderAnnotations(report: VerdictReport): string {
  const reported = byImportance(report.verdicts).flatMap((one) => {
    const level = levelOf(one);
    return level === null ? [] : [{ level, title: subjectText(one.verdict), text: sentence(one) }];
  });
  const lines = (["error", "warning", "notice"] as const).flatMap((level) =>
    ofLevel(
      level,
      reported.filter((each) => each.level === level),
    ),
  );
  if (report.outcome === "inconclusive" && lines.length === 0)
    lines.push(command("warning", report.title, nothingText(report)));
  return lines.join("");
}

function levelOf({ verdict, fails }: TriagedVerdict): Level | null {
  if (fails) return "error";
  if (verdict.outcome === "worse") return "notice";
  return verdict.outcome === "inconclusive" ? "warning" : null;
}

function ofLevel(level: Level, reported: readonly { readonly title: string; readonly text: string }[]): string[] {
  const shown = reported.length > mostOfLevel ? reported.slice(0, mostOfLevel - 1) : reported;
  const lines = shown.map(({ title, text }) => command(level, title, text));
  return shown.length < reported.length
    ? [...lines, command(level, "more", `and ${reported.length - shown.length} more`)]
    : lines;
}

/** One line: a line feed would start another command. */
function command(level: Level, title: string, text: string): string {
  return `::${level} title=${escaped(title).replaceAll(":", "%3A").replaceAll(",", "%2C")}::${escaped(text)}\n`;
}

function escaped(text: string): string {
  return terminalText(text).replaceAll("%", "%25");
}

/** GitLab's code quality report: a finding for each change for the worse, located in the triage file. */
export const codeQuality: VerdictOutput = Object.freeze({
  name: "code-quality",
  extension: "json",
  render: renderCodeQuality,
});

function renderCodeQuality({ verdicts }: VerdictReport): string {
  const worse = byImportance(verdicts).filter(({ verdict }) => verdict.outcome === "worse");
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

const prime = 0x100000001b3n;
const start = 0xcbf29ce484222325n;

/**
 * A stable fingerprint of a change, sixteen hex digits: FNV-1a of subject key and version. Several verdicts of the same
 * change, such as two methods of one location, are numbered.
 */
function fingerprints(verdicts: readonly TriagedVerdict[]): string[] {
  const seen = new Map<string, number>();
  return verdicts.map(({ verdict }) => {
    const change = changeOf(verdict);
    const times = (seen.get(change) ?? 0) + 1;
    seen.set(change, times);
    return hashOf(times === 1 ? change : `${change}\n${times}`);
  });
}

function changeOf({ subject, since }: Verdict): string {
  return `${subject.key}\n${since?.after ?? ""}`;
}

export function hashOf(text: string): string {
  let hash = start;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime);
  return hash.toString(16).padStart(16, "0");
}

/** GitHub requires a source location, which is unknown; the triage file is where changes are decided. */
const triageFile = "perfkeep.triage";

const rules = [
  { id: "performance-worse", text: "A number got worse." },
  { id: "performance-came-back", text: "A number that was fixed got worse again." },
  { id: "performance-inconclusive", text: "It is unknown whether a number got worse." },
] as const;

/**
 * SARIF 2.1.0 (OASIS). Changes for the worse and inconclusive verdicts are results; triage decisions are suppressions.
 */
export const sarif: VerdictOutput = Object.freeze({ name: "sarif", extension: "sarif", render: renderSarif });

function renderSarif(report: VerdictReport): string {
  const reported = byImportance(report.verdicts).filter(
    ({ verdict: { outcome: word } }) => word === "worse" || word === "inconclusive",
  );
  const prints = fingerprints(reported);
  const driver = { name: "perfkeep", rules: rules.map(({ id, text }) => ({ id, shortDescription: { text } })) };
  const run = {
    tool: { driver },
    automationDetails: { id: `${terminalText(report.title)}/` },
    // An inconclusive check did not succeed, even without results.
    invocations: [{ executionSuccessful: report.outcome !== "inconclusive", ...notifications(report) }],
    columnKind: "utf16CodeUnits",
    results: reported.map((one, at) => resultOf(one, prints[at] as string)),
  };
  const $schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return `${JSON.stringify({ $schema, version: "2.1.0", runs: [run] }, null, 1)}\n`;
}

/** Breaks up `[text](destination)`, which viewers show as a link. */
function messageText(text: string): string {
  return terminalText(text).replaceAll("](", "] (");
}

/** Notes on the check itself. */
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
  const ruleIndex = verdict.outcome === "inconclusive" ? 2 : triage?.state === "came-back" ? 1 : 0;
  const name = terminalText(subjectText(verdict));
  return {
    ruleId: rules[ruleIndex].id,
    ruleIndex,
    level: fails ? "error" : "note",
    message: { text: messageText(sentence(one)) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: triageFile }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: name }],
      },
    ],
    partialFingerprints: { primaryLocationLineHash: `${fingerprint}:1`, "perfkeepChange/v1": fingerprint },
    ...(triage === null || fails
      ? {}
      : { suppressions: [{ kind: "external", justification: terminalText(triage.note || triage.state) }] }),
  };
}
