import { show as draw } from "../../../commands/profiles/index.ts";
import { exitStatus, Failure } from "../../../core/failures/index.ts";
import { type Figure, tableStyleNames } from "../../../core/figures/index.ts";
import type { Setting } from "../../../core/values/index.ts";
import type { Confirm } from "../../../workspace/profiles/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import { renderFigure } from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { minorOption } from "../../verbs/options.ts";
import { show as perfkeepShow } from "../../verbs/profiles/show.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep } from "./delegate.ts";
import { generatedName } from "./generated-name.ts";

const look: readonly OptionSpec[] = [
  { flags: "-f, --filename <file>", synopsis: "output file (default: VIEW.html)" },
  { flags: "--x-axis-label <text>", synopsis: "label of the horizontal axis", also: ["-xl"] },
  { flags: "--y-axis-label <text>", synopsis: "label of the vertical axis", also: ["-yl"] },
  { flags: "--graph-title <text>", synopsis: "title", also: ["-gt"] },
  { flags: "-v, --view-in-browser", synopsis: "print the address for a browser; none is started" },
];

const of: OptionSpec = { flags: "-o, --of <column>", synopsis: "column to show (required; scatter: default amount)" };
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
  if ((view === "bars" || view === "flow") && args.text("of") === undefined)
    throw new Failure("bad-usage", { reason: "-o COLUMN is required", command: `perun show PROFILE ${view}` });
  const what = args.optionalOperand(2);
  const params = new Map(paramsOf(args, view));
  const options = { ...sourceOf(session, args), ...(what === undefined ? {} : { what }), params };
  const figure = await draw(session.workspace, options, view);
  const name = args.text("filename") ?? names[view] ?? `${view}.html`;
  const medium = view === "flamegraph" && !name.endsWith(".html") ? "svg" : "html";
  for (const [file, single] of view === "scatter" ? splitCharts(figure, name) : [[name, figure] as const]) {
    session.output.save(file, await renderFigure(session, single, medium, { toFile: true }));
    const address = args.flag("viewInBrowser") ? `: open ${pathToUrl(session, file)}` : "";
    session.output.note(`wrote ${file}${address}`);
  }
  return 0;
}

/** The profile to show. */
function sourceOf(session: Session, args: Arguments): { profile: string; minor?: string; confirm: Confirm | null } {
  const minor = args.text("minor");
  return {
    profile: args.operand(0),
    ...(minor === undefined ? {} : { minor }),
    confirm: confirmOf(session),
  };
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

/** Characters that Perun replaces in names of files; control characters, too. */
const unsafeInNames = /[# %&{}\\<>*?/$!'":@\p{Cc}]/gu;

function splitCharts({ title, blocks }: Figure, base: string): (readonly [string, Figure])[] {
  const taken = new Set<string>();
  return blocks.flatMap((block) => {
    if (block.kind !== "chart") return [];
    const word = (block.caption ?? "").replaceAll(unsafeInNames, "_").slice(0, 200);
    let file = `${base}_${word}.html`;
    for (let count = 2; taken.has(file); count++) file = `${base}_${word}-${count}.html`;
    taken.add(file);
    return [[file, { title, blocks: [block] }] as const];
  });
}

function pathToUrl({ workspace }: Session, file: string): string {
  return `file://${workspace.files.resolve(file).split("/").map(encodeURIComponent).join("/")}`;
}

const tableGroup: readonly OptionSpec[] = [
  { flags: "--to-file", synopsis: "write the table to a file (default)", also: ["-tf"] },
  { flags: "--to-stdout", synopsis: "print the table", also: ["-ts"] },
  {
    flags: "--output-file <file>",
    synopsis: "output file (default: tableof_of_NAME, NAME by format.output_profile_template)",
    also: ["-of"],
  },
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
    if (view === "tableof") return showTable(session, args);
    refuseTableOptions(args, view);
    const words = pairs("--minor", args.texts("minor"));
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

/** Prints resources or models as Perun's tabulate does, or writes them without a final newline. */
async function showTable(session: Session, args: Arguments): Promise<number> {
  if (args.flag("toFile") && args.flag("toStdout"))
    throw new Failure("unusable-combination", {
      what: "--to-file and --to-stdout exclude each other",
      instead: "give one of them",
    });
  const source = sourceOf(session, args);
  const [headers, sortBy] = [args.texts("headers"), args.text("sortBy")];
  const filter = args.pairs("filterBy").map(([column, value]) => `${column}=${value}`);
  const params = new Map<string, Setting>([
    ["compat", "perun"],
    ...(headers.length === 0 ? [] : [["headers", [...headers]] as const]),
    ...(sortBy === undefined ? [] : [["sort-by", [sortBy]] as const]),
    ...(filter.length === 0 ? [] : [["filter-by", filter] as const]),
  ]);
  const figure = await draw(
    session.workspace,
    { ...source, what: args.optionalOperand(2) ?? "resources", params },
    "tableof",
  );
  const values = new Map([["style", args.text("format") ?? "simple"]]);
  const text = String(await renderFigure(session, figure, "table", { values }));
  if (args.flag("toStdout")) session.output.data(text);
  else {
    const file = args.text("outputFile") ?? `tableof_of_${await generatedName(session, source)}`;
    session.output.save(file, text.replace(/\n$/, ""));
    session.output.note(`wrote ${file}`);
  }
  return exitStatus.fine;
}
