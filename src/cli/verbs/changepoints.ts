import { changePoints, type SearchedSeries } from "../../commands/change-points.ts";
import { exitStatus } from "../../core/failures/kind.ts";
import { changePointsFigure } from "../print/change-points.ts";
import { renderFigure } from "../print/figure.ts";
import { chartCount } from "../print/stepped-chart.ts";
import type { Verb } from "../verb.ts";
import { settingsOf } from "./options.ts";

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
