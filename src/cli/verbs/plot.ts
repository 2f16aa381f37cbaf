import { errorKinds, plot as draw, type PlotOptions } from "../../commands/plot.ts";
import { Failure } from "../../core/errors.ts";
import type { Arguments } from "../arguments.ts";
import { renderFigure } from "../print/figure.ts";
import type { Verb } from "../verb.ts";
import { databaseOption, questionOf, questionOptions, words } from "./options.ts";

const marks = ["line", "points", "bars", "steps"] as const;
const kept = questionOptions.filter(({ flags }) => /--(where|commit|run)\b/.test(flags));

export const plot: Verb = {
  name: "plot",
  summary: "draw values of an experiment",
  details: [
    "Without -o the chart is drawn in the terminal; a name ending in .svg, .png or .html makes a picture.",
    "Two results of different units get an axis each.",
    "",
    "Example: perfkeep plot openssl throughput --x block --series cipher --errors minmax -o openssl.svg",
  ].join("\n"),
  operands: [
    { name: "<experiment>", synopsis: "its name" },
    { name: "<results...>", synopsis: "along the y axis" },
  ],
  options: [
    { flags: "-x, --x <name>", synopsis: "parameter along the x axis; commit puts versions in order of history" },
    { flags: "-b, --series <names>", synopsis: "parameters with a curve for each content", repeat: true, also: ["--by"] },
    { flags: "-s, --stat <name>", synopsis: "what of several values to draw, such as median; none draws each value", default: "mean" },
    { flags: "-e, --errors <kind>", synopsis: "error bars (default: stddev around a mean)", choices: errorKinds },
    { flags: "--mark <kind>", synopsis: "how points are shown", choices: marks },
    { flags: "--log-x", synopsis: "logarithmic x axis" },
    { flags: "--log-y", synopsis: "logarithmic y axis" },
    { flags: "--title <text>", synopsis: "title of the picture" },
    ...kept,
    databaseOption,
  ],
  formats: ["svg", "png", "html", "csv", "json", "markdown"],
  async run(session, args) {
    const figure = await draw(session.workspace, optionsOf(args));
    session.output.data(await renderFigure(session, figure, session.format));
    return 0;
  },
};

function optionsOf(args: Arguments): PlotOptions {
  const x = args.text("x");
  if (x === undefined) throw new Failure("bad-usage", { reason: "--x is missing", command: "perfkeep plot" });
  const { experiment, where, commits, runs, database } = questionOf(args, []);
  const [statistic, title] = [args.text("stat"), args.text("title")];
  const errors = errorKinds.find((kind) => kind === args.text("errors"));
  const mark = marks.find((kind) => kind === args.text("mark"));
  const given = { where, commits, runs, database, title, errors, mark, statistic: statistic === "none" ? undefined : statistic };
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return {
    experiment,
    x,
    y: args.rest(1).flatMap((name) => name.split(",")),
    series: words(args, "series"),
    logX: args.flag("logX"),
    logY: args.flag("logY"),
    ...known,
  };
}
