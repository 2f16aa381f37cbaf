import { abbreviate } from "../../core/versions/digest.ts";
import { terminalText } from "../../core/text/terminal-text.ts";
import type { TriagedVerdict } from "../../core/verdicts/triage.ts";
import type { VerdictOutput, VerdictReport } from "../../core/verdicts/verdict-report.ts";
import { byImportance, nothingText, sentence } from "./verdict-text.ts";

/**
 * JUnit's XML, as GitLab, Jenkins and Azure read it: a test case for each number; inconclusive ones are skipped, and
 * what was decided about passes.
 */
export const junit: VerdictOutput = Object.freeze({ name: "junit", extension: "xml", render });

function render(report: VerdictReport): string {
  const verdicts = byImportance(report.verdicts);
  const count = (test: (one: TriagedVerdict) => boolean): number => verdicts.filter(test).length;
  // No test case at all would look like success.
  const nothing = report.outcome === "inconclusive" && verdicts.length === 0;
  const failures = count(({ fails }) => fails);
  const skipped = count(({ verdict }) => verdict.word === "inconclusive");
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
  return `    <testcase classname="perfkeep" name="${attribute(report.title)}"><error message="${text}" type="inconclusive"/></testcase>`;
}

/**
 * Readers take cases of one name for the same: further changes of a number are told by their version, then by counting.
 */
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
  const { word } = one.verdict;
  const text = sentence(one);
  if (one.fails)
    return `<failure message="${attribute(text)}" type="${one.triage?.state ?? word}">${markup(text)}</failure>`;
  return word === "inconclusive"
    ? `<skipped message="${attribute(text)}"/>`
    : `<system-out>${markup(text)}</system-out>`;
}

function attribute(text: string): string {
  return markup(text).replaceAll('"', "&quot;");
}

/** Characters that XML 1.0 cannot hold at all are shown as what they are. */
function markup(text: string): string {
  const shown = terminalText(text).replaceAll(
    /[\ufffe\uffff]/g,
    (char) => `<U+${char.charCodeAt(0).toString(16).toUpperCase()}>`,
  );
  return shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
