import { counted, terminalText } from "../../core/text/index.ts";
import { scaledText, type Unit } from "../../core/values/index.ts";
import type { TriagedVerdict, VerdictReport, VerdictOutput, Side, Verdict } from "../../core/verdicts/index.ts";
import { abbreviate } from "../../core/versions/index.ts";
import { changeGroups, groupCounts, groupText } from "../series/index.ts";

/** GitHub limits comments to 65,536 characters; the rest is for text around the rows. */
const mostCharacters = 60_000;
const rowsInSight = 20;
const longestCell = 300;
const longestTitle = 100;
const mostNotes = 20;

const head = ["", "what", "before", "after", "change", "since", "evidence"];

/**
 * Markdown for a step summary and for a comment that the next one replaces: its first line is an HTML comment that
 * scripts search for. A table shows changes for the worse, all else is folded. At most 65,536 characters.
 */
export const summary: VerdictOutput = Object.freeze({ name: "summary", extension: "md", render: renderSummary });

function renderSummary(report: VerdictReport): string {
  const verdicts = byImportance(report.verdicts);
  const inSight = verdicts.filter(({ verdict }) => verdict.outcome === "worse").slice(0, rowsInSight);
  const folded = verdicts.slice(inSight.length);
  const budget = { left: mostCharacters };
  const top = inSight.length > 0 ? `${table(inSight, budget)}\n` : "";
  const title = inert(report.title.slice(0, longestTitle));
  const lead = `**${inert(outcomeText(report))}**: ${inert(countsText(report))} (${title})\n\n`;
  const groups = changeGroups(inSight.map(({ verdict }) => verdict)).map((group) => groupText(groupCounts(group)));
  const notes = remarks([...groups, ...report.notes], budget);
  return `${marker(report.title)}\n${lead}${top}${notes}${folded.length > 0 ? details(folded, budget) : ""}`;
}

function remarks(notes: readonly string[], budget: { left: number }): string {
  const lines = notes.slice(0, mostNotes).map((note) => `- ${inert(note)}\n`);
  const fitting = lines.filter((line) => (budget.left -= line.length) >= 0);
  return fitting.length > 0 ? `${fitting.join("")}\n` : "";
}

/** The marker by which a script finds the previous comment, without characters that could end it. */
function marker(title: string): string {
  return `<!-- perfkeep: ${title.replace(/[^A-Za-z0-9 ._/]/g, "_").slice(0, longestCell)} -->`;
}

function details(verdicts: readonly TriagedVerdict[], budget: { left: number }): string {
  return `<details><summary>All other numbers</summary>\n\n${table(verdicts, budget)}\n</details>\n`;
}

function table(verdicts: readonly TriagedVerdict[], budget: { left: number }): string {
  const lines = [line(head), line(head.map(() => "---"))];
  for (const [at, one] of verdicts.entries()) {
    const next = line(cells(one));
    budget.left -= next.length;
    if (budget.left < 0) {
      lines.push(`\n… and ${verdicts.length - at} more\n`);
      break;
    }
    lines.push(next);
  }
  return lines.join("");
}

function line(columns: readonly string[]): string {
  return `| ${columns.join(" | ")} |\n`;
}

function cells(one: TriagedVerdict): string[] {
  const { verdict } = one;
  const { unit } = verdict.subject;
  const why = [evidenceText(verdict), verdict.reason ?? "", triageText(one)].filter((text) => text !== "").join("; ");
  const levels = [levelText(verdict.before, unit), levelText(verdict.after, unit)];
  const texts = [subjectText(verdict), ...levels, changeText(verdict), sinceText(verdict), why];
  return [sign(one), ...texts.map((text, at) => (at === 0 ? `<code>${inert(text)}</code>` : inert(text)))];
}

function sign({ verdict, fails }: TriagedVerdict): string {
  if (fails) return "❌ worse";
  return { worse: "☑️ worse", better: "✅ better", same: "same", inconclusive: "❔ inconclusive" }[verdict.outcome];
}

/** Escapes untrusted text for Markdown: no markup, mentions or links. */
function inert(text: string): string {
  const shown = terminalText(text.length > longestCell ? `${text.slice(0, longestCell)}…` : text);
  // A number in an entity keeps Markdown from seeing the sign; the empty comment keeps GitHub from seeing @name and #1
  // afterwards.
  return shown.replace(/[!-'*;<>?@[\]\\^_`{|}~:#]/g, (sign) => {
    const entity = `&#${sign.charCodeAt(0)};`;
    return sign === "%" || sign === "!" || sign === "$" ? sign : "@#:".includes(sign) ? `${entity}<!-- -->` : entity;
  });
}

/**
 * Sorts by importance: failures, triaged changes for the worse, inconclusive, better, the rest; the largest change
 * first.
 */
export function byImportance(verdicts: readonly TriagedVerdict[]): TriagedVerdict[] {
  return verdicts.toSorted(
    (a, b) =>
      importance(a) - importance(b) ||
      sizeOf(b) - sizeOf(a) ||
      (a.verdict.subject.key < b.verdict.subject.key ? -1 : 1),
  );
}

function importance({ verdict, fails }: TriagedVerdict): number {
  return fails ? 0 : 1 + ["worse", "inconclusive", "better", "same"].indexOf(verdict.outcome);
}

function sizeOf({ verdict }: TriagedVerdict): number {
  return Math.abs(verdict.delta ?? 0);
}

/** `sort: time`, benchmark and metric. */
export function subjectText({ subject }: Verdict): string {
  return `${subject.benchmark}: ${subject.metric}`;
}

/** `+5.3 %`; empty if unknown. */
function changeText({ delta, deltaLow, deltaHigh }: Verdict): string {
  if (delta === null) return "";
  const interval = deltaLow === null || deltaHigh === null ? "" : ` [${percent(deltaLow)}, ${percent(deltaHigh)}]`;
  return `${percent(delta)}${interval}`;
}

export function percent(share: number): string {
  if (!Number.isFinite(share)) return share > 0 ? "+∞" : "?";
  const digits = Math.abs(share) < 0.1 ? 2 : 1;
  return `${share < 0 ? "" : "+"}${(share * 100).toFixed(digits)} %`;
}

/** `93.2 ms`; a dash without measurements. */
function levelText(side: Side | null, unit: Unit | undefined): string {
  if (side === null || !Number.isFinite(side.center)) return "–";
  return scaledText(side.center, unit);
}

/** The evidence: p, test, and number of values. */
function evidenceText({ p, test, before, after }: Verdict): string {
  const chance = p === null ? [] : [`p = ${Number(p.toPrecision(2))}`];
  const values = before === null && after === null ? [] : [`n = ${before?.n ?? 0} + ${after?.n ?? 0}`];
  return [...chance, ...(test === "" ? [] : [test]), ...values].join(", ");
}

/** The commit of the change: `since 3f2a91c0`, with the number of suspects. */
function sinceText({ since }: Verdict): string {
  if (since === null) return "";
  const { length } = since.suspects;
  return `since ${abbreviate(since.after)}${length > 1 ? ` (one of ${length} commits)` : ""}`;
}

/** `accepted: Ada, 2026-03-01`; empty without a decision. */
function triageText({ triage }: TriagedVerdict): string {
  if (triage === null) return "";
  const state =
    { "came-back": "came back after a fix", "went-away": "went away" }[triage.state as string] ?? triage.state;
  return triage.note === "" ? state : `${state}: ${triage.note}`;
}

/** A verdict in one line. */
export function sentence(one: TriagedVerdict): string {
  const { verdict } = one;
  const { unit } = verdict.subject;
  const isMeasured = verdict.before !== null || verdict.after !== null;
  const levels = isMeasured ? `${levelText(verdict.before, unit)} → ${levelText(verdict.after, unit)}` : "";
  const parts = [
    levels,
    changeText(verdict),
    sinceText(verdict),
    evidenceText(verdict),
    verdict.reason ?? "",
    triageText(one),
  ];
  return `${subjectText(verdict)} is ${wordOf(verdict)}: ${parts.filter((part) => part !== "").join("; ")}`;
}

function wordOf({ outcome: word, detectable, reason }: Verdict): string {
  if (word !== "inconclusive" || detectable === null || reason?.includes("could have seen") === true) return word;
  return `${word} (could have seen >= ${percent(detectable).slice(1)})`;
}

/** `2 worse (1 of them accepted or known), 1 inconclusive, 10 not worse`. */
export function countsText({ verdicts }: VerdictReport): string {
  const count = (test: (one: TriagedVerdict) => boolean): number => verdicts.filter(test).length;
  const worse = count(({ verdict }) => verdict.outcome === "worse");
  const decided = worse - count(({ fails }) => fails);
  const unknown = count(({ verdict }) => verdict.outcome === "inconclusive");
  return [
    ...(worse > 0 ? [`${worse} worse${decided > 0 ? ` (${decided} of them accepted or known)` : ""}`] : []),
    ...(unknown > 0 ? [`${unknown} inconclusive`] : []),
    `${counted(verdicts.length - worse - unknown, "number")} not worse`,
  ].join(", ");
}

/** Explains an empty report, for formats without notes. */
export function nothingText(report: VerdictReport): string {
  return [outcomeText(report), ...report.notes].join(": ");
}

/** The outcome in a few words. */
export function outcomeText({ outcome, verdicts }: Pick<VerdictReport, "outcome" | "verdicts">): string {
  if (outcome === "worse") return "performance got worse";
  if (outcome === "inconclusive") return verdicts.length === 0 ? "nothing could be compared" : "inconclusive";
  return "performance did not get worse";
}
