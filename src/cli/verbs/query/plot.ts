import {
  attachedPlot,
  plot as draw,
  plotDescription,
  type PlotOptions,
  type DrawnPlot,
} from "../../../commands/query/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Figure } from "../../../core/figures/index.ts";
import {
  emptyPlot,
  errorBars,
  isSurfaceStyle,
  plotScales,
  plotStyles,
  plotTypes,
  type AxisOptions,
  type PlotDescription,
  type PlotResult,
} from "../../../core/experiments/index.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure } from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import {
  databaseOf,
  databaseOption,
  queryOptions,
  runNames,
  versionOptions,
  versionOptionsOf,
  namesOf,
} from "../options.ts";
import { joinOptions, joinOptionsOf } from "./join-options.ts";

const selectionOptions = queryOptions.filter(({ flags }) => /--(where|commit|run)\b/.test(flags));

/** Options that a plot description can set as well. */
const lookOptions: readonly OptionSpec[] = [
  { flags: "-x, --x <name>", synopsis: "parameter of the x axis; commit orders commits by history" },
  { flags: "-y, --y <name>", synopsis: "second parameter of a surface, heat map or contours" },
  { flags: "-b, --series <names>", synopsis: "parameters that split values into curves", repeat: true, also: ["--by"] },
  {
    flags: "-s, --stat <names>",
    synopsis: "statistic of several values (default: mean); none draws all values",
    repeat: true,
  },
  { flags: "-e, --errors <kind>", synopsis: "error bars (default: stddev around a mean)", choices: errorBars },
  {
    flags: "--style <kind>",
    synopsis: "style of values; with -y heatmap, contours or contour-lines draw the surface from above",
    choices: plotStyles,
    advanced: true,
  },
  { flags: "--type <type>", synopsis: "plot type", choices: plotTypes, advanced: true },
  {
    flags: "--plots <names>",
    synopsis: "one or two parameters that split values into plots",
    repeat: true,
    advanced: true,
  },
  {
    flags: "--into <target>",
    synopsis: "output of several plots: one document (default) or a file each",
    advanced: true,
    choices: ["document", "files"],
  },
  { flags: "--x-scale <scale>", synopsis: "scale of the x axis", choices: plotScales, advanced: true },
  { flags: "--y-scale <scale>", synopsis: "scale of the vertical axes", choices: plotScales, advanced: true },
  { flags: "--log-x", synopsis: "logarithmic x axis" },
  { flags: "--log-y", synopsis: "logarithmic y axis" },
  {
    flags: "--x-range <from:to>",
    synopsis: "range of the x axis, such as 1KiByte:1MiByte; both ends are optional",
    advanced: true,
  },
  { flags: "--y-range <from:to>", synopsis: "range of the left axis or of surface heights", advanced: true },
  { flags: "--x-label <text>", synopsis: "label of the x axis", advanced: true },
  { flags: "--y-label <text>", synopsis: "label of the left axis", advanced: true },
  { flags: "--no-legend", synopsis: "omit the legend", advanced: true },
];

export const plot: Verb = {
  name: "plot",
  summary: "plot values of an experiment",
  details: [
    "Draws the chart in the terminal; -o FILE with the extension .svg, .png or .html writes a picture, .gp a gnuplot",
    "script. Two results with different units get an axis each; a second parameter (-y) makes a surface.",
    "",
    "Example: perfkeep plot openssl throughput --x block --series cipher --errors minmax -o openssl.svg",
    "",
    "With -p, a file describes the plot; experiment, conditions and title can be given in addition.",
    "",
    "Example: perfkeep plot -p throughput.plot -o throughput.png",
  ].join("\n"),
  operands: [
    { name: "[experiment]", synopsis: "name of the experiment" },
    { name: "[results...]", synopsis: "results on the y axis" },
  ],
  options: [
    { flags: "-p, --description <file>", synopsis: "draw the plot that this file describes" },
    { flags: "-n, --attached <name>", synopsis: "draw the attached plot of this name", advanced: true },
    ...lookOptions,
    { flags: "--title <text>", synopsis: "title of the picture" },
    ...selectionOptions,
    ...joinOptions,
    ...versionOptions,
    databaseOption,
  ],
  formats: ["svg", "png", "html", "gnuplot", "csv", "json", "markdown"],
  figures: true,
  async run(session, args) {
    const options = await chosenPlot(session, args);
    const drawn = await draw(session.workspace, { ...options, ...joinOptionsOf(args), ...versionOptionsOf(args) });
    for (const remark of drawn.remarks) session.output.note(remark);
    await printPlot(session, drawn, options.into === "files");
    return 0;
  },
};

async function chosenPlot({ workspace }: Session, args: Arguments): Promise<PlotOptions> {
  const [path, name] = [args.text("description"), args.text("attached")];
  if (path !== undefined && name !== undefined)
    throw new Failure("unusable-combination", { what: "--attached with --description", instead: "give one of them" });
  if (path !== undefined) return describedOptions(args, path, plotDescription(workspace, path));
  if (name === undefined) return optionsOf(args);
  const experiment = args.optionalOperand(0);
  if (experiment === undefined)
    throw new Failure("bad-usage", { reason: "the experiment is missing", command: "perfkeep plot" });
  return describedOptions(args, name, await attachedPlot(workspace, experiment, name, args.text("db")));
}

/** The description, with experiment and title overridden and conditions added by the command line. */
function describedOptions(args: Arguments, path: string, description: PlotDescription): PlotOptions {
  const other =
    lookOptions.map(nameOf).find((name) => isGiven(args, name)) ?? (args.rest(1).length > 0 ? "results" : undefined);
  if (other !== undefined)
    throw new Failure("unusable-combination", {
      what: `${other} with a plot description`,
      instead: `set it in ${path}`,
    });
  const experiment = args.optionalOperand(0) ?? description.experiment;
  if (experiment === undefined)
    throw new Failure("bad-usage", {
      reason: `no experiment is given, and ${path} names none`,
      command: "perfkeep plot",
    });
  const { where, commits, runs } = restrictionsOf(args);
  const title = args.text("title") ?? description.title;
  return {
    ...description,
    ...databaseOf(args),
    experiment,
    ...(title === undefined ? {} : { title }),
    where: [...description.where, ...where],
    commits: commits.length > 0 ? commits : description.commits,
    runs: runs.length > 0 ? runs : description.runs,
  };
}

function nameOf({ flags }: OptionSpec): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}

function isGiven(args: Arguments, option: string): boolean {
  if (option === "--no-legend") return !args.flag("legend");
  const name = option.slice(2).replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return args.flag(name) || args.texts(name).length > 0;
}

function optionsOf(args: Arguments): PlotOptions {
  const experiment = args.optionalOperand(0);
  if (experiment === undefined)
    throw new Failure("bad-usage", { reason: "the experiment is missing", command: "perfkeep plot" });
  const x = args.text("x");
  if (x === undefined) throw new Failure("bad-usage", { reason: "--x is missing", command: "perfkeep plot" });
  const { where, commits, runs } = restrictionsOf(args);
  const [y, title] = [args.text("y"), args.text("title")];
  const type = plotTypes.find((each) => each === args.text("type"));
  const into = (["document", "files"] as const).find((each) => each === args.text("into"));
  const vertical = { ...lookOf(args, "y") };
  const isSurface = y !== undefined || type === "3D" || isSurfaceStyle(args.text("style"));
  return {
    ...emptyPlot,
    ...databaseOf(args),
    experiment,
    ...(type === undefined ? {} : { type }),
    ...(title === undefined ? {} : { title }),
    results: resultsOf(args),
    x: { name: x, ...lookOf(args, "x") },
    ...(y === undefined ? {} : { y: { name: y } }),
    series: namesOf(args, "series"),
    plots: namesOf(args, "plots"),
    ...(into === undefined ? {} : { into }),
    where,
    commits,
    runs,
    ...(Object.keys(vertical).length === 0 ? {} : { [isSurface ? "z" : "left"]: vertical }),
    ...(args.flag("legend") ? {} : { legend: false }),
  };
}

/** The selection of rows. */
function restrictionsOf(args: Arguments): Pick<PlotDescription, "where" | "commits" | "runs"> {
  return { where: args.texts("where"), commits: args.texts("commit"), runs: runNames(args) };
}

/** Each result with each statistic. */
function resultsOf(args: Arguments): PlotResult[] {
  const errors = errorBars.find((kind) => kind === args.text("errors"));
  const style = plotStyles.find((kind) => kind === args.text("style"));
  const look = { ...(errors === undefined ? {} : { errors }), ...(style === undefined ? {} : { style }) };
  const statistics = namesOf(args, "stat");
  return args
    .rest(1)
    .flatMap((name) => name.split(","))
    .flatMap((name) =>
      statistics.length === 0 ? [{ name, ...look }] : statistics.map((statistic) => ({ name, statistic, ...look })),
    );
}

function lookOf(args: Arguments, axis: "x" | "y"): AxisOptions {
  const scale =
    plotScales.find((each) => each === args.text(`${axis}Scale`)) ??
    (args.flag(axis === "x" ? "logX" : "logY") ? "log" : undefined);
  const label = args.text(`${axis}Label`);
  const range = args.text(`${axis}Range`);
  const [from, to] = range === undefined ? [] : endsOf(range, axis);
  return {
    ...(scale === undefined ? {} : { scale }),
    ...(label === undefined ? {} : { label }),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  };
}

function endsOf(range: string, axis: string): string[] {
  const ends = range.split(":");
  if (ends.length === 2 && ends.some((end) => end !== "")) return ends;
  throw new Failure("bad-option", { option: `--${axis}-range`, value: range, expected: "FROM:TO" });
}

/**
 * Prints a plot as one document, or each plot of a series `intoFiles`, named after the file of -o: `io.svg` becomes
 * `io-4096.svg`.
 */
async function printPlot(session: Session, { figure, values }: DrawnPlot, intoFiles: boolean): Promise<void> {
  if (!intoFiles) return session.output.data(await renderFigure(session, figure, session.format));
  const { file } = session.output.options;
  if (file === undefined)
    throw new Failure("unusable-combination", {
      what: "several plots are written to files, and none is given",
      instead: "add -o FILE",
    });
  const names = fileNames(file, values);
  for (const [i, block] of figure.blocks.entries()) {
    if (block.kind !== "chart" && block.kind !== "surface") continue;
    const { caption, ...bare } = block;
    const single: Figure = {
      title: caption === undefined ? figure.title : `${figure.title}, ${caption}`,
      blocks: [bare],
    };
    const name = names[i] ?? file;
    session.output.save(name, await renderFigure(session, single, session.format, { toFile: true }));
    session.output.note(name);
  }
}

/** Unique file names from values: other characters become `_`, duplicates are numbered. */
function fileNames(file: string, values: readonly (readonly string[])[]): string[] {
  const [, base = file, ending = ""] = /^(.*?)(\.[A-Za-z0-9]+)?$/s.exec(file) ?? [];
  const taken = new Set<string>();
  return values.map((own) => {
    const word = own.map((value) => value.replaceAll(/[^\p{L}\p{N}._+=-]+/gu, "_").slice(0, 60)).join("-");
    let name = `${base}-${word}${ending}`;
    for (let count = 2; taken.has(name); count++) name = `${base}-${word}-${count}${ending}`;
    taken.add(name);
    return name;
  });
}
