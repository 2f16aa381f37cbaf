import {
  commitJson,
  renderFigure,
  versionAddresses,
  chartCount,
  steppedChart,
  subjectJson,
  trendsFigure,
  verdictJson,
} from "../../print/index.ts";
import {
  changePoints,
  type SeriesResult,
  trends as findTrends,
  type Trends,
} from "../../../commands/verdicts/index.ts";
import { exitStatus } from "../../../core/failures/index.ts";
import type { ChartBlock, Figure, TableBlock } from "../../../core/figures/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { settingsOf, databaseOption } from "../options.ts";
import { detectorOptions, seriesOptionsOf, subjectOptions } from "../series-options.ts";

/** Default of --limit in text. */
const defaultLimit = 20;

export const trend: Verb = {
  name: "trend",
  summary: "plot metrics over commit history",
  details: [
    "Prints a row with a sparkline for each series of check series, largest regressions first. A single series is",
    "drawn as a chart with its changes and the commits that caused them; --charts draws more. The exit status is 0.",
    "",
    "-o FILE with the extension .svg, .png or .html writes a picture (docs/terminal.md).",
  ].join("\n"),
  examples: [
    "perfkeep trend",
    "perfkeep trend v1.0..HEAD --location qsort",
    "perfkeep trend -e io --result rate --charts 3 -o io.svg",
  ],
  operands: [{ name: "[range]", synopsis: "commits to plot, A..B or one (default: all up to HEAD)" }],
  options: [
    ...subjectOptions,
    { flags: "--since <time>", synopsis: "only commits at or after this time (UTC)" },
    ...detectorOptions,
    {
      flags: "--min-effect <share>",
      synopsis: "ignore smaller changes (default: from perfkeep.thresholds.yml, else 1%)",
    },
    { flags: "--fdr <share>", synopsis: "false-discovery rate of all changes", default: "0.05", advanced: true },
    {
      flags: "--any-machine",
      synopsis: "include values of other machines than that of the newest point",
      advanced: true,
    },
    {
      flags: "--charts <count>",
      synopsis: "number of series drawn as charts (default: 1 if there is one series; 6 in pictures)",
    },
    { flags: "--limit <count>", synopsis: `maximum number of series (default: ${defaultLimit}, json: all)` },
    databaseOption,
  ],
  formats: ["json", "csv", "markdown", "table", "html", "svg", "png"],
  figures: true,
  async run(session, args) {
    const result = await findTrends(session.workspace, {
      ...seriesOptionsOf(args),
      thresholds: true,
      program: version,
    });
    const limit = args.count("limit", 1);
    if (session.format === "json") printJson(session, result, limit);
    else session.output.data(await drawn(session, result, args, limit));
    for (const note of result.notes) session.output.note(note);
    return exitStatus.fine;
  },
};

async function drawn(
  session: Session,
  result: Trends,
  args: Arguments,
  limit = defaultLimit,
): Promise<string | Uint8Array> {
  const charts = chartCount(session.format, result.trends.length, args.count("charts", 0));
  const figure = trendsFigure(result, {
    limit,
    charts,
    unicode: session.unicode,
    isScaled: session.format !== "csv",
    addressOf: await versionAddresses(session),
  });
  return renderFigure(session, figure, session.format);
}

function printJson({ output }: Session, { trends, method, notes }: Trends, limit: number | undefined): void {
  const series = trends.slice(0, limit).map(({ subject, points, verdicts }) => {
    const printed = verdicts.map((verdict) => verdictJson(verdict));
    return {
      subject: subjectJson(subject),
      points: points.map(commitJson),
      verdicts: printed,
    };
  });
  output.document("perfkeep.trends/2", { method, notes, series });
}

const head: TableBlock["head"] = [
  { label: "series", align: "left" },
  { label: "index", align: "right" },
  { label: "at", align: "left" },
  { label: "before", align: "right" },
  { label: "after", align: "right" },
  { label: "change", align: "right" },
  { label: "p", align: "right" },
];

/** Charts of the first `charts` series, then a row per change. */
function changePointsFigure(series: readonly SeriesResult[], charts: number): Figure {
  const rows = series.flatMap(({ changes: { name, changePoints } }) =>
    changePoints.map(({ index, label, before, after, p }) => {
      const change = before === 0 ? "" : `${after >= before ? "+" : ""}${((after / before - 1) * 100).toFixed(1)} %`;
      return [name, String(index), label, short(before), short(after), change, p === null ? "" : p.toPrecision(2)];
    }),
  );
  const table =
    rows.length > 0 ? ({ kind: "table", head, rows } as const) : ({ kind: "text", text: "no changes" } as const);
  const drawn = series.slice(0, charts).filter(({ series: { values } }) => values.length > 0);
  return { title: "", blocks: [...drawn.map(chartOf), table] };
}

function chartOf({ changes: { name, changePoints }, series: { values, labels } }: SeriesResult): ChartBlock {
  const changes = changePoints.map(({ index }) => ({ at: index, word: "change" }));
  return steppedChart({ name, values: [...values], labels, along: "at", changes });
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

export const changepoints: Verb = {
  name: "changepoints",
  summary: "detect change points in series of numbers",
  details: [
    "The file is CSV: names in the first line, positions (numbers, commits, times) in the first column, a series in",
    "each other column. Empty cells are missing values. Indexes start at 0 and refer to the first value of the new",
    "level (docs/verdicts.md).",
    "",
    "Methods: ensemble (default), e-divisive, e-divisive-otava, perfherder, asv-step, pelt, threshold.",
    "",
    "Example: perfkeep changepoints nightly.csv --method perfherder --opt t_threshold=5",
    "         perfkeep changepoints nightly.csv -o nightly.svg",
  ].join("\n"),
  operands: [{ name: "<file>", synopsis: "CSV table of series" }],
  options: [
    { flags: "--method <name>", synopsis: "change-point detector", default: "ensemble", means: ["detector"] },
    { flags: "--opt <name=value>", synopsis: "option of the detector", repeat: true },
    {
      flags: "--charts <count>",
      synopsis: "number of series drawn as charts (default: 1 if there is one series; 6 in pictures)",
    },
  ],
  formats: ["json", "csv", "markdown", "table", "html", "svg", "png"],
  figures: true,
  async run(session, args) {
    const method = args.text("method") ?? "";
    const result = await changePoints(session.workspace, {
      file: args.operand(0),
      method,
      options: settingsOf(args.texts("opt"), "changepoints"),
    });
    if (session.format === "json")
      session.output.document("perfkeep.changepoints/1", { method, series: result.map((each) => each.changes) });
    else {
      const charts = chartCount(session.format, result.length, args.count("charts", 0));
      session.output.data(await renderFigure(session, changePointsFigure(result, charts), session.format));
    }
    if (session.format === "text") session.output.note(summary(result));
    return exitStatus.fine;
  },
};

function summary(result: readonly SeriesResult[]): string {
  const counts = result.map(({ changes: { changePoints } }) => changePoints.length);
  const changes = counts.reduce((sum, count) => sum + count, 0);
  const changed = counts.filter((count) => count > 0).length;
  return `${changes} changes in ${changed} of ${result.length} series`;
}
