import type { CalibrateOptions, Calibration } from "../../commands/calibrate.ts";
import { counted } from "../../core/counted.ts";
import type { Figure, TableBlock } from "../../core/figure.ts";
import { formatUnit } from "../../core/unit.ts";

const left = (label: string) => ({ label, align: "left" }) as const;
const right = (label: string) => ({ label, align: "right" }) as const;

const seriesHead: TableBlock["head"] = [
  left("benchmark"),
  left("metric"),
  ...["steady", "alarms", "sees", "level", "effect", "alarms then", "sees then"].map(right),
];

const compareHead: TableBlock["head"] = [
  left("benchmark"),
  left("metric"),
  ...["pairs", "alarms", "effect", "alarms then"].map(right),
];

type Subject = Calibration["subjects"][number];

/** A line for each number that is calibrated, and why the others are not. */
export function calibrationFigure(found: Calibration, rate: number): Figure {
  const [series, compared] = [found.subjects.flatMap(seriesCells), found.subjects.flatMap(compareCells)];
  const blocks: Figure["blocks"] = [
    ...(series.length === 0
      ? []
      : [{ kind: "table", caption: "check series", head: seriesHead, rows: series } as const]),
    ...(compared.length === 0
      ? []
      : [{ kind: "table", caption: "compare", head: compareHead, rows: compared } as const]),
    { kind: "text", text: [...summaryOf(found, rate), ...reasonsOf(found)].join("\n") },
  ];
  return { title: "", blocks };
}

function seriesCells({ subject, steady, now, chosen }: Subject): string[][] {
  if (now === null || chosen === null) return [];
  const seen = ({ detectable }: typeof now): string => (detectable === null ? "nothing" : `>= ${percent(detectable)}`);
  const level = chosen.level === null ? "" : String(chosen.level);
  const [today, then] = [now, chosen].map(({ falseAlarms }) => percent(falseAlarms.share)) as [string, string];
  return [
    [
      subject.benchmark,
      subject.metric,
      String(steady),
      today,
      seen(now),
      level,
      percent(chosen.minEffect),
      then,
      seen(chosen),
    ],
  ];
}

function compareCells({ subject, compare }: Subject): string[][] {
  if (compare === null) return [];
  const { pairs, now, minEffect, chosen } = compare;
  return [
    [subject.benchmark, subject.metric, String(pairs), percent(now.share), percent(minEffect), percent(chosen.share)],
  ];
}

function summaryOf({ overall, method }: Calibration, rate: number): string[] {
  if (overall === null) return [];
  const { now, chosen } = overall;
  const range = ({ low, high }: typeof now): string => `${percent(low)} … ${percent(high)}`;
  return [
    `a check of all of them by ${method} tells a change that is none in ${percent(now.share)} (${range(now)}) of cases now,`,
    `in ${percent(chosen.share)} (${range(chosen)}) by thresholds for ${percent(rate)} of each`,
  ];
}

function reasonsOf({ subjects }: Calibration): string[] {
  const without = subjects.filter(({ reason }) => reason !== null);
  const lines = without.map(({ subject, reason }) => `inconclusive: ${subject.benchmark} ${subject.metric}: ${reason}`);
  return without.length === 0
    ? []
    : [`${counted(without.length, "number")} of ${subjects.length} not calibrated`, ...lines];
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

/** As programs read it: the unit as text. */
export function calibrationJson(
  found: Calibration,
  { rate, replicates, seed, repeated }: Omit<CalibrateOptions, "progress">,
): object {
  const subjects = found.subjects.map(({ subject, ...rest }) => ({
    subject: { ...subject, unit: formatUnit(subject.unit) },
    ...rest,
  }));
  return { ...found, rate, replicates, seed, repeated, subjects };
}
