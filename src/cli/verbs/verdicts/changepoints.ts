import { changePoints, type SearchedSeries } from "../../../commands/verdicts/change-points.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import type { ChartBlock, Figure, TableBlock } from "../../../core/figures/figure.ts";
import { renderFigure } from "../../print/figure.ts";
import { chartCount, steppedChart } from "../../print/verdicts/stepped-chart.ts";
import type { Verb } from "../../verb.ts";
import { settingsOf } from "../options.ts";

const head: TableBlock["head"] = [
  { label: "series", align: "left" },
  { label: "index", align: "right" },
  { label: "at", align: "left" },
  { label: "before", align: "right" },
  { label: "after", align: "right" },
  { label: "change", align: "right" },
  { label: "p", align: "right" },
];

/** Charts of the first series, then a line for each change of all. */
function changePointsFigure(series: readonly SearchedSeries[], charts: number): Figure {
  const rows = series.flatMap(({ found: { name, changePoints } }) =>
    changePoints.map(({ index, label, before, after, p }) => {
      const change = before === 0 ? "" : `${after >= before ? "+" : ""}${((after / before - 1) * 100).toFixed(1)} %`;
      return [name, String(index), label, short(before), short(after), change, p === null ? "" : p.toPrecision(2)];
    }),
  );
  const table =
    rows.length > 0 ? ({ kind: "table", head, rows } as const) : ({ kind: "text", text: "no changes" } as const);
  const drawn = series.slice(0, charts).filter(({ searched: { values } }) => values.length > 0);
  return { title: "", blocks: [...drawn.map(chartOf), table] };
}

function chartOf({ found: { name, changePoints }, searched: { values, labels } }: SearchedSeries): ChartBlock {
  const changes = changePoints.map(({ index }) => ({ at: index, word: "change" }));
  return steppedChart({ name, values: [...values], places: labels, along: "at", changes });
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

export const changepoints: Verb = {
  name: "changepoints",
  summary: "find where the level of a series of numbers changes",
  details: [
    "The file is CSV: names in the first line, the place (a number, a commit, a time) in the first column, a series in each other column.",
    "Empty cells are no value. An index counts the values of its series from 0 and is the first one of the new level (docs/verdicts.md).",
    "",
    "Methods: ensemble (the default), e-divisive, e-divisive-otava, perfherder, asv-step, pelt, threshold.",
    "",
    "Example: perfkeep changepoints nightly.csv --method perfherder --opt t_threshold=5",
    "         perfkeep changepoints nightly.csv -o nightly.svg",
  ].join("\n"),
  operands: [{ name: "<file>", synopsis: "a table of series" }],
  options: [
    { flags: "--method <name>", synopsis: "the detector", default: "ensemble", means: ["detector"] },
    { flags: "--opt <name=value>", synopsis: "an option of the detector", repeat: true },
    {
      flags: "--charts <count>",
      synopsis: "charts of the first so many series (default: of a single one, in pictures of six)",
    },
  ],
  formats: ["json", "csv", "markdown", "table", "html", "svg", "png"],
  figures: true,
  async run(session, args) {
    const method = args.text("method") ?? "";
    const found = await changePoints(session.workspace, {
      file: args.operand(0),
      method,
      options: settingsOf(args.texts("opt"), "changepoints"),
    });
    if (session.format === "json")
      session.output.document("perfkeep.changepoints/1", { method, series: found.map((each) => each.found) });
    else {
      const charts = chartCount(session.format, found.length, args.count("charts", 0));
      session.output.data(await renderFigure(session, changePointsFigure(found, charts), session.format));
    }
    if (session.format === "text") session.output.note(summary(found));
    return exitStatus.fine;
  },
};

function summary(found: readonly SearchedSeries[]): string {
  const counts = found.map(({ found: { changePoints } }) => changePoints.length);
  const changes = counts.reduce((sum, count) => sum + count, 0);
  const changed = counts.filter((count) => count > 0).length;
  return `${changes} changes in ${changed} of ${found.length} series`;
}
