import type { FuzzReport, ReportedFind } from "../../../commands/fuzz/campaign-report.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Find } from "../../../workspace/fuzz/campaign-state.ts";

const mostShown = 5;
const mostRules = 20;

/** One find, while the campaign goes on. */
export function findLine({ kind, detail, size, lineage }: Find): string {
  return terminalText(`${kind} ${detail} (${size} bytes, ${lineage.slice(-3).join(", ")})`);
}

/** A campaign for people: what was done, what was found, which rules brought it. */
export function fuzzText(report: FuzzReport): string {
  const { counts, finds } = report;
  const shown = finds.slice(0, mostShown);
  const lines = [
    ...head(report),
    "",
    finds.length === 0
      ? "nothing was found"
      : `${counted(counts.degradation, "degradation")}, ${counted(counts.hang, "hang")}, ${counted(counts.fault, "fault")}`,
    ...shown.flatMap((find) => findLines(find)),
    ...(finds.length > shown.length
      ? [`… and ${finds.length - shown.length} more in ${report.folder}/report.json`]
      : []),
    ...ruleLines(report),
  ];
  return `${lines.map((line) => terminalText(line)).join("\n")}\n`;
}

function head({ cmd, runs, seconds, ended, gauge, base, folder, samples, dropped }: FuzzReport): string[] {
  const why = {
    time: "the time was over",
    runs: "all runs were made",
    stuck: "the rules change nothing any more",
    interrupted: "interrupted",
  };
  return [
    `${cmd}: ${runs} runs in ${seconds.toFixed(1)} s; ${why[ended]}`,
    `decided by ${gauge.kind}: ${amount(base, gauge.unit)} on the samples; ${samples.initial} samples, ${samples.made} made of them in ${folder}`,
    ...(dropped > 0 ? [`${dropped} more were not kept: there was no room for them (--disk)`] : []),
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
    ...(excess === null ? [] : [`x${excess.toPrecision(3)} of what its size explains`]),
    ...(growth === null ? [] : [`grows as size^${growth.toFixed(1)}`]),
  ];
  const [hottest] = hot;
  return [
    `  ${kind} ${file ?? "(not kept)"}`,
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
    `${"rule".padEnd(width)}  tried  worth measuring  degradations`,
    ...used
      .slice(0, mostRules)
      .map(({ name, tried, hits, degradations }) =>
        [
          name.padEnd(width),
          String(tried).padStart(5),
          String(hits).padStart(15),
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
