import type { FuzzReport, ReportedFind } from "../../../commands/fuzz/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Find } from "../../../workspace/fuzz/index.ts";

const maxFinds = 5;
const maxRules = 20;

/** A find, printed during the campaign. */
export function findLine({ kind, detail, size, lineage }: Find): string {
  return terminalText(`${kind} ${detail} (${size} bytes, ${lineage.slice(-3).join(", ")})`);
}

/** The result of a campaign as text: effort, finds, and the rules that led to them. */
export function fuzzText(report: FuzzReport): string {
  const { counts, findings: finds } = report;
  const shown = finds.slice(0, maxFinds);
  const lines = [
    ...head(report),
    "",
    finds.length === 0
      ? "nothing was found"
      : (["degradation", "hang", "fault"] as const).map((kind) => counted(counts[kind], kind)).join(", "),
    ...shown.flatMap((find) => findLines(find)),
    ...(finds.length > shown.length
      ? [`… and ${finds.length - shown.length} more in ${report.folder}/report.json`]
      : []),
    ...ruleLines(report),
  ];
  return `${lines.map((line) => terminalText(line)).join("\n")}\n`;
}

function head({ cmd, runs, seconds, ended, fitness: gauge, base, folder, samples, dropped }: FuzzReport): string[] {
  const why = {
    time: "time limit reached",
    runs: "run limit reached",
    stuck: "no rule changes the inputs any more",
    interrupted: "interrupted",
  };
  return [
    `${cmd}: ${runs} runs in ${seconds.toFixed(1)} s; ${why[ended]}`,
    [
      `measured by ${gauge.kind}: ${amount(base, gauge.unit)} on the samples;`,
      `${samples.initial} samples, ${samples.derived} derived from them in ${folder}`,
    ].join(" "),
    ...(dropped > 0 ? [`${dropped} more were not stored: the size limit was reached (--disk)`] : []),
  ];
}

function findLines({
  kind,
  file,
  detail,
  size,
  sizeRatio,
  effortRatio,
  excess,
  growth,
  lineage,
  hot,
}: ReportedFind): string[] {
  const times = (value: number | null): string => (value === null ? "" : ` (x${value.toPrecision(3)})`);
  const facts = [
    `${size} bytes${times(sizeRatio)}`,
    ...(effortRatio === null ? [] : [`effort x${effortRatio.toPrecision(3)}`]),
    ...(excess === null ? [] : [`x${excess.toPrecision(3)} of the expected effort for its size`]),
    ...(growth === null ? [] : [`grows as size^${growth.toFixed(1)}`]),
  ];
  const [hottest] = hot;
  return [
    `  ${kind} ${file ?? "(not stored)"}`,
    `    ${detail}`,
    `    ${facts.join(", ")}`,
    ...(hottest ? [`    hottest line ${hottest.file}:${hottest.line}, executed ${hottest.count} times`] : []),
    `    by ${lineage.join(", ")}`,
  ];
}

function ruleLines({ rules }: FuzzReport): string[] {
  const used = rules
    .filter(({ hits }) => hits > 0)
    .toSorted((a, b) => b.degradations - a.degradations || b.hits - a.hits);
  if (used.length === 0) return [];
  const width = Math.max(...used.map(({ name }) => name.length));
  return [
    "",
    `${"rule".padEnd(width)}  tried  measured  degradations`,
    ...used
      .slice(0, maxRules)
      .map(({ name, tried, hits, degradations }) =>
        [
          name.padEnd(width),
          String(tried).padStart(5),
          String(hits).padStart(8),
          String(degradations).padStart(12),
        ].join("  "),
      ),
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function amount(value: number, unit: string): string {
  return unit === "s" ? `${value.toPrecision(3)} s` : `${Math.round(value)} ${unit}`;
}
