import { show as draw } from "../../../commands/profiles/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { type Figure, tableStyleNames } from "../../../core/figures/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Setting } from "../../../core/values/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import { renderFigure } from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { minorOption } from "../../verbs/options.ts";
import { show as perfkeepShow } from "../../verbs/profiles/show.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep } from "./delegate.ts";

const look: readonly OptionSpec[] = [
  { flags: "-f, --filename <file>", synopsis: "output file (default: VIEW.html)" },
  { flags: "--x-axis-label <text>", synopsis: "label of the horizontal axis", also: ["-xl"] },
  { flags: "--y-axis-label <text>", synopsis: "label of the vertical axis", also: ["-yl"] },
  { flags: "--graph-title <text>", synopsis: "title", also: ["-gt"] },
  { flags: "-v, --view-in-browser", synopsis: "print the address for a browser; none is started" },
];

const of: OptionSpec = { flags: "-o, --of <column>", synopsis: "column to show (default: amount)" };
const by: OptionSpec = { flags: "-b, --by <column>", synopsis: "split by the values of this column" };
const stacked: OptionSpec = { flags: "-s, --stacked", synopsis: "stack parts (default)" };

/** Options of Perun's chart views. */
const chartOptions: Readonly<Record<string, readonly OptionSpec[]>> = {
  bars: [
    of,
    { flags: "-p, --per <column>", synopsis: "a bar per value of this column" },
    by,
    stacked,
    { flags: "-g, --grouped", synopsis: "parts side by side" },
    ...look,
  ],
  flow: [
    of,
    { flags: "-t, --through <column>", synopsis: "numeric column of the horizontal axis" },
    by,
    stacked,
    { flags: "--accumulate", synopsis: "show cumulative sums (default)" },
    { flags: "--no-accumulate", synopsis: "show increments" },
    ...look,
  ],
  flamegraph: [
    { flags: "-f, --filename <file>", synopsis: "output file (default: flame.svg)" },
    { flags: "-h, --graph-height <pixels>", synopsis: "row height (default: 20)" },
  ],
  scatter: [of, { flags: "-p, --per <column>", synopsis: "column of the horizontal axis" }, ...look],
};

/** Perun's default file names that differ from the view. */
const names: Readonly<Record<string, string>> = { scatter: "scatter", flamegraph: "flame.svg" };

/** Writes charts to files, by default under Perun's names; like Perun, one file per location of a scatter plot. */
async function showChart(session: Session, args: Arguments, view: string): Promise<number> {
  const [minor, what] = [args.text("minor"), args.optionalOperand(2)];
  const options = {
    profile: args.operand(0),
    ...(minor === undefined ? {} : { minor }),
    ...(what === undefined ? {} : { what }),
    params: new Map(paramsOf(args, view)),
    confirm: confirmOf(session),
  };
  const figure = await draw(session.workspace, options, view);
  const name = args.text("filename") ?? names[view] ?? `${view}.html`;
  const medium = view === "flamegraph" && !name.endsWith(".html") ? "svg" : "html";
  for (const [file, single] of view === "scatter" ? splitCharts(figure, name) : [[name, figure] as const]) {
    session.output.save(file, await renderFigure(session, single, medium, { toFile: true }));
    const address = args.flag("viewInBrowser") ? `: open ${pathToUrl(session, file)}` : "";
    session.output.note(`wrote ${terminalText(file)}${terminalText(address)}`);
  }
  return 0;
}

function paramsOf(args: Arguments, view: string): [string, Setting][] {
  const named = {
    of: "of",
    per: "per",
    through: "through",
    by: "by",
    xAxisLabel: "x-label",
    yAxisLabel: "y-label",
    graphTitle: "title",
    graphHeight: "height",
  };
  const given = Object.entries(named).flatMap(([key, option]): [string, Setting][] => {
    const text = args.text(key);
    return text === undefined ? [] : [[option, column(text)]];
  });
  const grouped: [string, Setting][] = args.flag("grouped") ? [["stacked", false]] : [];
  const accumulate: [string, Setting][] =
    view === "flow" ? [["accumulate", !args.switched("accumulate").includes("false")]] : [];
  return [...given, ...grouped, ...accumulate, ...(view === "scatter" ? [["top", 100_000] as [string, Setting]] : [])];
}

/** Perun's name of the snapshot column in tables. */
function column(name: string): string {
  return name === "snapshots" ? "snapshot" : name;
}

function splitCharts({ title, blocks }: Figure, base: string): (readonly [string, Figure])[] {
  const taken = new Set<string>();
  return blocks.flatMap((block) => {
    if (block.kind !== "chart") return [];
    const word = (block.caption ?? "").replaceAll(/[^\p{L}\p{N}._+-]+/gu, "_").slice(0, 100);
    let file = `${base}_${word}.html`;
    for (let count = 2; taken.has(file); count++) file = `${base}_${word}-${count}.html`;
    taken.add(file);
    return [[file, { title, blocks: [block] }] as const];
  });
}

function pathToUrl({ workspace }: Session, file: string): string {
  return `file://${workspace.files.resolve(file).split("/").map(encodeURIComponent).join("/")}`;
}

/** File extensions of table formats. */
const extensions: readonly (readonly [RegExp, string])[] = [
  [/^(?:github|pipe)$/, "md"],
  [/html$/, "html"],
  [/^latex/, "tex"],
  [/^tsv$/, "tsv"],
];

const tableGroup: readonly OptionSpec[] = [
  { flags: "--to-file", synopsis: "write the table to a file (default)", also: ["-tf"] },
  { flags: "--to-stdout", synopsis: "print the table", also: ["-ts"] },
  { flags: "--output-file <file>", synopsis: "output file (default: tableof-RESOURCES-of-PROFILE.txt)", also: ["-of"] },
  { flags: "-f, --format <form>", synopsis: "format of the table (default: simple)", choices: tableStyleNames },
];

const rowOptions: readonly OptionSpec[] = [
  { flags: "-h, --headers <name>", synopsis: "column to print (default: all)", repeat: true },
  { flags: "-s, --sort-by <name>", synopsis: "column to sort by" },
  { flags: "-f, --filter-by <words>", synopsis: "only rows with this value in a column", words: 2 },
];

export const show: Verb = {
  name: "show",
  summary: "display a profile",
  details: [
    "Usage: show [-m REV] PROFILE VIEW. tableof is followed by options, resources or models, and options of these.",
    "bars and flow take an aggregate (sum, mean, count, nunique, median, min, max); charts have options:",
    ...Object.entries(chartOptions).flatMap(([view, options]) => [
      "",
      `Options of ${view}:`,
      ...groupDetails("", options).split("\n").slice(1),
    ]),
  ].join("\n"),
  operands: [
    { name: "<profile>", synopsis: "tag, name, REV^tag, object or file" },
    {
      name: "<view>",
      synopsis: "bars, flow, scatter, flamegraph, tableof, or another view (perfkeep utils plugins lists them)",
    },
    { name: "[of]", synopsis: "tableof: resources or models; bars and flow: an aggregate" },
  ],
  options: [...longOnly([minorOption, ...tableGroup, ...chartSpecs()]), ...rowOptions],
  arrange,
  run(session, args) {
    const [profile, view, of] = [args.operand(0), args.operand(1), args.optionalOperand(2)];
    if (Object.hasOwn(chartOptions, view)) return showChart(session, args, view);
    if (view !== "tableof") refuseTableOptions(args, view);
    const words = [
      ...pairs("--minor", args.texts("minor")),
      ...pairs("--headers", args.texts("headers")),
      ...pairs("--sort-by", args.texts("sortBy")),
      ...args.pairs("filterBy").flatMap((pair) => ["--filter-by", ...pair]),
      ...(view === "tableof" ? tableWords(args, profile, of ?? "resources") : []),
    ];
    const file = words.find((word) => word.startsWith("--output="))?.slice("--output=".length);
    if (file !== undefined) session.output.detail(`writing ${terminalText(file)}`);
    return perfkeep(session, perfkeepShow, words, [profile, view, ...(of === undefined ? [] : [of])]);
  },
};

/** The options, unique by long name. */
function chartSpecs(): OptionSpec[] {
  const all = Object.values(chartOptions).flat();
  return [...new Map(all.map((option) => [/--[\w-]+/.exec(option.flags)?.[0], option])).values()];
}

/** Replaces options before `resources` by long names, since their letters differ after it. */
function arrange(words: readonly string[]): readonly string[] {
  const { options, operands, rest } = groupWords(words, [minorOption], 2, "perun show");
  const own = Object.hasOwn(chartOptions, operands[1] ?? "") ? chartOptions[operands[1] ?? ""] : undefined;
  if (own !== undefined) {
    const chart = groupWords(rest, own, Number.POSITIVE_INFINITY, `perun show PROFILE ${operands[1]}`);
    return [...operands, ...chart.operands, ...options, ...chart.options, ...chart.rest];
  }
  if (operands[1] !== "tableof") return [...operands, ...options, ...rest];
  const table = groupWords(rest, tableGroup, 1, "perun show PROFILE tableof");
  return [...operands, ...table.operands, ...options, ...table.options, ...table.rest];
}

/** Fails with `unusable-combination` for options of tables. */
function refuseTableOptions(args: Arguments, view: string): void {
  const given = ["headers", "sortBy", "filterBy", "format", "outputFile"].find((name) => args.texts(name).length > 0);
  const switched = ["toFile", "toStdout"].find((name) => args.flag(name));
  if ((given ?? switched) === undefined) return;
  throw new Failure("unusable-combination", {
    what: `the view ${view} has no table options`,
    instead: "they apply to tableof",
  });
}

function tableWords(args: Arguments, profile: string, of: string): string[] {
  if (args.flag("toFile") && args.flag("toStdout"))
    throw new Failure("unusable-combination", {
      what: "--to-file and --to-stdout exclude each other",
      instead: "give one of them",
    });
  const form = args.text("format") ?? "simple";
  const target = args.flag("toStdout") ? [] : [`--output=${args.text("outputFile") ?? defaultFile(profile, of, form)}`];
  return ["--format=table", `--format-opt=style=${form}`, ...target];
}

/** A file in the current folder. */
function defaultFile(profile: string, of: string, form: string): string {
  const name = (profile.split("/").at(-1) ?? "").replaceAll(/[^\p{L}\p{N}._@-]/gu, "_");
  const extension = extensions.find(([forms]) => forms.test(form))?.[1] ?? "txt";
  return `tableof-${of}-of-${name}.${extension}`;
}
