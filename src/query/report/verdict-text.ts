import { counted } from "../../core/text/plural.ts";
import { terminalText } from "../../core/text/terminal-text.ts";
import { scaledText } from "../../core/values/unit-display.ts";
import type { Unit } from "../../core/values/unit.ts";
import type { TriagedVerdict } from "../../core/verdicts/triage.ts";
import type { VerdictReport, VerdictOutput } from "../../core/verdicts/verdict-report.ts";
import type { Side, Verdict } from "../../core/verdicts/verdict.ts";
import { abbreviate } from "../../core/versions/digest.ts";

/** Comments of GitHub hold 65,536 characters; what stands around the rows needs the rest. */
const mostCharacters = 60_000;
const rowsInSight = 20;
const longestCell = 300;
const longestTitle = 100;
const mostNotes = 20;

const head = ["", "what", "before", "after", "change", "since", "evidence"];

/**
 * Markdown for the summary of a step and for a comment that is replaced by the next one: its first line is a comment of
 * HTML that a script finds it by. What is worse stands in a table, all else is folded. Never more than 65,536
 * characters.
 */
export const summary: VerdictOutput = Object.freeze({ name: "summary", extension: "md", render: renderSummary });

function renderSummary(report: VerdictReport): string {
  const verdicts = byImportance(report.verdicts);
  const inSight = verdicts.filter(({ verdict }) => verdict.word === "worse").slice(0, rowsInSight);
  const folded = verdicts.slice(inSight.length);
  const budget = { left: mostCharacters };
  const top = inSight.length > 0 ? `${table(inSight, budget)}\n` : "";
  const lead = `**${inert(outcomeText(report))}**: ${inert(countsText(report))} (${inert(report.title.slice(0, longestTitle))})\n\n`;
  return `${marker(report.title)}\n${lead}${top}${remarks(report.notes, budget)}${folded.length > 0 ? details(folded, budget) : ""}`;
}

function remarks(notes: readonly string[], budget: { left: number }): string {
  const lines = notes.slice(0, mostNotes).map((note) => `- ${inert(note)}\n`);
  const fitting = lines.filter((line) => (budget.left -= line.length) >= 0);
  return fitting.length > 0 ? `${fitting.join("")}\n` : "";
}

/**
 * What a script looks for to replace the comment of last time. Only letters, digits and a few signs, so that nothing
 * ends it early.
 */
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
  return { worse: "☑️ worse", better: "✅ better", same: "same", inconclusive: "❔ inconclusive" }[verdict.word];
}

/**
 * Untrusted text that marks nothing up, mentions nobody and links to nothing: all signs that could are written by their
 * number.
 */
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
 * What fails first, then what is worse but decided about, what is not known, what is better, and the rest; the greatest
 * change first.
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
  return fails ? 0 : 1 + ["worse", "inconclusive", "better", "same"].indexOf(verdict.word);
}

function sizeOf({ verdict }: TriagedVerdict): number {
  return Math.abs(verdict.delta ?? 0);
}

/** `sort: time`, the thing and its number. */
export function subjectText({ subject }: Verdict): string {
  return `${subject.benchmark}: ${subject.metric}`;
}

/** `+5.3 %`; nothing where it is not known. */
export function changeText({ delta, deltaLow, deltaHigh }: Verdict): string {
  if (delta === null) return "";
  const interval = deltaLow === null || deltaHigh === null ? "" : ` [${percent(deltaLow)}, ${percent(deltaHigh)}]`;
  return `${percent(delta)}${interval}`;
}

function percent(share: number): string {
  if (!Number.isFinite(share)) return share > 0 ? "+∞" : "?";
  const digits = Math.abs(share) < 0.1 ? 2 : 1;
  return `${share < 0 ? "" : "+"}${(share * 100).toFixed(digits)} %`;
}

/** `93.2 ms`; a dash where nothing was measured. */
export function levelText(side: Side | null, unit: Unit | undefined): string {
  if (side === null || !Number.isFinite(side.center)) return "–";
  return scaledText(side.center, unit);
}

/** How sure that is: the test with its p, and how many values there were. */
export function evidenceText({ p, test, before, after }: Verdict): string {
  const chance = p === null ? [] : [`p = ${Number(p.toPrecision(2))}`];
  const values = before === null && after === null ? [] : [`n = ${before?.n ?? 0} + ${after?.n ?? 0}`];
  return [...chance, ...(test === "" ? [] : [test]), ...values].join(", ");
}

/** Where in history it happened: `since 3f2a91c0`, with how many versions may have made it. */
export function sinceText({ since }: Verdict): string {
  if (since === null) return "";
  const { length } = since.suspects;
  return `since ${abbreviate(since.after)}${length > 1 ? ` (one of ${length} versions)` : ""}`;
}

/** `accepted: Ada, 2026-03-01`; nothing where nobody decided anything. */
export function triageText({ triage }: TriagedVerdict): string {
  if (triage === null) return "";
  const state =
    { "came-back": "came back after a fix", "went-away": "went away" }[triage.state as string] ?? triage.state;
  return triage.note === "" ? state : `${state}: ${triage.note}`;
}

/** All that is to say of a verdict in a line. */
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

function wordOf({ word, detectable, reason }: Verdict): string {
  if (word !== "inconclusive" || detectable === null || reason?.includes("could have seen") === true) return word;
  return `${word} (could have seen >= ${percent(detectable).slice(1)})`;
}

/** `2 worse (1 of them decided about), 1 inconclusive, 10 not worse`. */
export function countsText({ verdicts }: VerdictReport): string {
  const count = (test: (one: TriagedVerdict) => boolean): number => verdicts.filter(test).length;
  const worse = count(({ verdict }) => verdict.word === "worse");
  const decided = worse - count(({ fails }) => fails);
  const unknown = count(({ verdict }) => verdict.word === "inconclusive");
  return [
    ...(worse > 0 ? [`${worse} worse${decided > 0 ? ` (${decided} of them accepted or known)` : ""}`] : []),
    ...(unknown > 0 ? [`${unknown} inconclusive`] : []),
    `${counted(verdicts.length - worse - unknown, "number")} not worse`,
  ].join(", ");
}

/** Why there is nothing in a report, for those of its forms that tell no notes. */
export function nothingText(report: VerdictReport): string {
  return [outcomeText(report), ...report.notes].join(": ");
}

/** The whole in a few words. */
export function outcomeText({ outcome, verdicts }: Pick<VerdictReport, "outcome" | "verdicts">): string {
  if (outcome === "worse") return "performance got worse";
  if (outcome === "inconclusive") return verdicts.length === 0 ? "nothing could be compared" : "inconclusive";
  return "performance did not get worse";
}
