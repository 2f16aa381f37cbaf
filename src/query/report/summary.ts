import { terminalText } from "../../core/text/terminal-text.ts";
import type { TriagedVerdict } from "../../core/verdicts/triage.ts";
import type { VerdictOutput, VerdictReport } from "../../core/verdicts/verdict-report.ts";
import {
  byImportance,
  changeText,
  countsText,
  evidenceText,
  levelText,
  outcomeText,
  sinceText,
  subjectText,
  triageText,
} from "./verdict-text.ts";

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
export const summary: VerdictOutput = Object.freeze({ name: "summary", extension: "md", render });

function render(report: VerdictReport): string {
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
