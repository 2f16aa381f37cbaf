import { show as draw } from "../../commands/show.ts";
import { confirmOf } from "../confirm.ts";
import { renderFigure } from "../print/figure.ts";
import type { Verb } from "../verb.ts";
import { mergedParams } from "./jobs.ts";
import { minorOption } from "./options.ts";
import { viewOptionSpecs, viewOptionsOf } from "./view-options.ts";

/** What may stand behind the views that take a word there. */
const shownParts = [
  "resources",
  "models",
  "sum",
  "mean",
  "count",
  "nunique",
  "median",
  "min",
  "max",
  "top",
  "func",
  "all",
];

export const show: Verb = {
  name: "show",
  summary: "look at a profile",
  examples: [
    "perfkeep show 0@p",
    "perfkeep show 0@i tableof models",
    "perfkeep show 0@i bars sum --of amount --per uid:function --by subtype -o bars.svg",
  ],
  details:
    "A profile is a tag (0@i, 1@p), a name, REV^tag or REV^name, the 40 digits of an object, or a file.\nperfkeep utils plugins lists the views; docs/views.md shows them. -o FILE draws a picture: .svg, .png, .html, .tex, .md, .csv, .json.",
  operands: [
    { name: "<profile>", synopsis: "which profile" },
    { name: "[view]", synopsis: "how to look at it (default: tableof)" },
    {
      name: "[what]",
      synopsis:
        "what of it: of tableof resources (default) or models, of bars and flow a function, of alloclist a kind of list",
      known: shownParts,
    },
  ],
  options: [
    minorOption,
    ...viewOptionSpecs,
    {
      flags: "-p, --params <yaml>",
      synopsis: "options of the view, or a file with them: -p 'sort-by: amount'",
      repeat: true,
    },
  ],
  formats: ["svg", "png", "html", "csv", "json", "markdown", "table", "latex", "gnuplot"],
  figures: true,
  async run(session, args) {
    const [minor, what] = [args.text("minor"), args.maybeOperand(2)];
    const params = new Map([...mergedParams(session, args.texts("params")), ...viewOptionsOf(args)]);
    const options = {
      profile: args.operand(0),
      ...(minor === undefined ? {} : { minor }),
      ...(what === undefined ? {} : { what }),
      params,
      confirm: confirmOf(session),
    };
    const figure = await draw(session.workspace, options, args.maybeOperand(1) ?? "tableof");
    session.output.data(await renderFigure(session, figure, session.format));
    return 0;
  },
};
