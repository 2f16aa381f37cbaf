import { changePoints, type SeriesChanges } from "../../commands/change-points.ts";
import { exitStatus } from "../../core/failures/kind.ts";
import { changePointsFigure } from "../print/change-points.ts";
import { renderFigure } from "../print/figure.ts";
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
  ].join("\n"),
  operands: [{ name: "<file>", synopsis: "a table of series" }],
  options: [
    { flags: "--method <name>", synopsis: "the detector", default: "ensemble", means: ["detector"] },
    { flags: "--opt <name=value>", synopsis: "an option of the detector", repeat: true },
  ],
  formats: ["json", "csv", "markdown", "html"],
  figures: true,
  async run(session, args) {
    const method = args.text("method") ?? "";
    const found = await changePoints(session.workspace, {
      file: args.operand(0),
      method,
      options: settingsOf(args.texts("opt"), "changepoints"),
    });
    if (session.format === "json") session.output.document("perfkeep.changepoints/1", { method, series: found });
    else session.output.data(await renderFigure(session, changePointsFigure(found), session.format));
    if (session.format === "text") session.output.note(summary(found));
    return exitStatus.fine;
  },
};

function summary(found: readonly SeriesChanges[]): string {
  const changes = found.reduce((sum, { changePoints: { length } }) => sum + length, 0);
  const changed = found.filter(({ changePoints: { length } }) => length > 0).length;
  return `${changes} changes in ${changed} of ${found.length} series`;
}
