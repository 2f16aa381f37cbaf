import { changePoints, type SeriesChanges } from "../../commands/change-points.ts";
import { Failure } from "../../core/errors.ts";
import { exitStatus } from "../../core/failures/kind.ts";
import type { Settings } from "../../core/setting.ts";
import { changePointsFigure } from "../print/change-points.ts";
import { renderFigure } from "../print/figure.ts";
import type { Verb } from "../verb.ts";

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
  async run(session, args) {
    const method = args.text("method") ?? "";
    const found = await changePoints(session.workspace, { file: args.operand(0), method, options: settingsOf(args.texts("opt")) });
    if (session.format === "json") session.output.document("perfkeep.changepoints/1", { method, series: found });
    else session.output.data(await renderFigure(session, changePointsFigure(found), session.format));
    if (session.format === "text") session.output.note(summary(found));
    return exitStatus.fine;
  },
};

function settingsOf(words: readonly string[]): Settings {
  return new Map(
    words.map((word) => {
      const at = word.indexOf("=");
      if (at < 1) throw new Failure("bad-option", { option: "--opt", value: word, expected: "NAME=VALUE", command: "changepoints" });
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}

function summary(found: readonly SeriesChanges[]): string {
  const changes = found.reduce((sum, { changePoints: { length } }) => sum + length, 0);
  const changed = found.filter(({ changePoints: { length } }) => length > 0).length;
  return `${changes} changes in ${changed} of ${found.length} series`;
}
