import type { BisectResult } from "../../../commands/bisect/bisect.ts";
import type { PredicateResult } from "../../../commands/bisect/predicate.ts";
import { counted } from "../../../core/text/plural.ts";
import { abbreviate } from "../../../core/versions/digest.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Session } from "../../session.ts";

/** Names of suspects that are printed; JSON has all. */
const mostSuspects = 16;

export function printBisect({ format, output }: Session, result: BisectResult): void {
  if (format === "json") return output.document("perfkeep.bisect/1", { ...result });
  const lines = [...verdict(result), ...suspects(result), ...effort(result)];
  output.data(lines.map((line) => `${line}\n`).join(""));
}

function verdict(result: BisectResult): string[] {
  const { outcome, step, probability, unit, merge, good, bad } = result;
  if (outcome === "alike") return [`${abbreviate(good)} and ${abbreviate(bad)} do not differ by more than their noise`];
  const certainty = `${percent(probability)} certain`;
  if (outcome === "stopped") return [`not certain yet: it is one of these (${certainty}); --resume goes on`];
  const change = step === null ? "" : `: ${changeText(step, unit)}`;
  const inside = merge === null ? "" : `, within merge ${abbreviate(merge)}`;
  return [
    `${outcome === "found" ? "this version" : "one of these versions"} made the change${change} (${certainty}${inside})`,
  ];
}

function changeText(
  { before, after, delta, deltaLow, deltaHigh }: NonNullable<BisectResult["step"]>,
  unit: string,
): string {
  const levels = `${short(before.center)} -> ${short(after.center)}${unit === "" ? "" : ` ${unit}`}`;
  if (delta === null || deltaLow === null || deltaHigh === null) return levels;
  return `${levels}, ${signed(delta)} [${signed(deltaLow)}, ${signed(deltaHigh)}]`;
}

function suspects({ suspects: all }: BisectResult): string[] {
  const shown = all
    .slice(0, mostSuspects)
    .map(({ version, subject }) => `  ${abbreviate(version)} ${terminalText(subject)}`);
  return all.length > mostSuspects ? [...shown, `  … ${all.length - mostSuspects} more`] : shown;
}

function effort({ measurements, candidates, plain, skipped, earlier }: BisectResult): string[] {
  const versions = new Set(measurements.map(({ version }) => version)).size;
  const before = earlier === 0 ? "" : `, ${earlier} of them made before`;
  const first = `${counted(measurements.length, "measurement")} of ${counted(versions, "version")}${before}; ${counted(candidates, "candidate")}`;
  const other =
    plain === null
      ? []
      : [`plain binary search, as certain, takes ${plain.measurements} (${plain.repetitions} of each version)`];
  return [
    first,
    ...other,
    ...skipped.map(({ version, reason }) => `skipped ${abbreviate(version)}: ${terminalText(reason)}`),
  ];
}

export function printPredicate({ format, output }: Session, result: PredicateResult): void {
  if (format === "json") return output.document("perfkeep.bisect-predicate/1", { ...result });
  const { answer, reason, base, step } = result;
  const change = step === null ? "" : `: ${changeText(step, "")}`;
  output.data(
    `${answer}${answer === "cannot tell" ? " from" : " than"} ${abbreviate(base)}${change}${reason === null ? "" : ` (${terminalText(reason)})`}\n`,
  );
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}

function signed(share: number): string {
  return `${share > 0 ? "+" : ""}${percent(share)}`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(5)));
}
