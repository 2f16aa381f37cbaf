import { terminalText } from "../../core/text/index.ts";
import { convertFactor, formatUnit, parseUnit, sameDimension } from "../../core/values/index.ts";
import { type VerdictOutput, type VerdictReport, verdictOutcomes, type Verdict } from "../../core/verdicts/index.ts";

/** OpenMetrics 1.0: level, change and verdict of every subject. GitLab shows it as a metrics report. */
export const openMetrics: VerdictOutput = Object.freeze({
  name: "openmetrics",
  extension: "txt",
  render: renderOpenMetrics,
});

/** Units with OpenMetrics names; others are labels. */
const families = [
  { name: "perfkeep_level_seconds", unit: "seconds", of: "s" },
  { name: "perfkeep_level_bytes", unit: "bytes", of: "Byte" },
] as const;

function renderOpenMetrics({ verdicts }: VerdictReport): string {
  // Samples must be unique: the last of several changes of a subject counts.
  const last = [...new Map(verdicts.map(({ verdict }) => [escaped(verdict.subject.key), verdict])).values()];
  return [
    ...families.flatMap(({ name, unit, of }) =>
      level(
        name,
        unit,
        last.filter((verdict) => isOf(verdict, of)),
        of,
      ),
    ),
    ...level(
      "perfkeep_level",
      undefined,
      last.filter((verdict) => !families.some(({ of }) => isOf(verdict, of))),
      undefined,
    ),
    ...change(last),
    ...words(last),
    "# EOF\n",
  ].join("");
}

function isOf({ subject: { unit } }: Verdict, of: string): boolean {
  return unit !== undefined && sameDimension(unit, parseUnit(of));
}

function level(name: string, unit: string | undefined, verdicts: readonly Verdict[], of: string | undefined): string[] {
  const samples = verdicts.flatMap((verdict) => {
    const { subject, after } = verdict;
    if (after === null || !Number.isFinite(after.center)) return [];
    const value = of === undefined ? after.center : after.center * convertFactor(subject.unit, parseUnit(of));
    const unitLabel: readonly (readonly [string, string])[] =
      of === undefined ? [["unit", formatUnit(subject.unit)]] : [];
    return [sample(name, verdict, value, unitLabel)];
  });
  return family(name, "gauge", unit, "The median of the latest measurements.", samples);
}

function change(verdicts: readonly Verdict[]): string[] {
  const samples = verdicts.flatMap((verdict) =>
    verdict.delta === null || !Number.isFinite(verdict.delta)
      ? []
      : [sample("perfkeep_change_ratio", verdict, verdict.delta)],
  );
  return family("perfkeep_change_ratio", "gauge", "ratio", "After / before - 1 of the medians.", samples);
}

function words(verdicts: readonly Verdict[]): string[] {
  const samples = verdicts.flatMap((verdict) =>
    verdictOutcomes.map((word) =>
      sample("perfkeep_verdict", verdict, verdict.outcome === word ? 1 : 0, [["perfkeep_verdict", word]]),
    ),
  );
  return family("perfkeep_verdict", "stateset", undefined, "The verdict on the number.", samples);
}

function family(
  name: string,
  type: string,
  unit: string | undefined,
  help: string,
  samples: readonly string[],
): string[] {
  if (samples.length === 0) return [];
  return [
    `# TYPE ${name} ${type}\n`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}\n`]),
    `# HELP ${name} ${help}\n`,
    ...samples,
  ];
}

function sample(
  name: string,
  { subject }: Verdict,
  value: number,
  more: readonly (readonly [string, string])[] = [],
): string {
  const labels = [["key", subject.key], ["benchmark", subject.benchmark], ["metric", subject.metric], ...more];
  return `${name}{${labels.map(([label, text = ""]) => `${label}="${escaped(text)}"`).join(",")}} ${value}\n`;
}

function escaped(text: string): string {
  return terminalText(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}
