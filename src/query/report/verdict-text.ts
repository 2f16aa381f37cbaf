import { abbreviate } from "../../core/versions/digest.ts";
import { counted } from "../../core/text/plural.ts";
import type { TriagedVerdict } from "../../core/verdicts/triage.ts";
import { scaledText } from "../../core/values/unit-display.ts";
import type { Unit } from "../../core/values/unit.ts";
import type { VerdictReport } from "../../core/verdicts/verdict-report.ts";
import type { Side, Verdict } from "../../core/verdicts/verdict.ts";

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
