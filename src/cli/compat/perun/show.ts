import { show as draw } from "../../../commands/profiles/show.ts";
import { Failure } from "../../../core/failures/failure.ts";
import type { Figure } from "../../../core/figures/figure.ts";
import { tableStyleNames } from "../../../core/figures/table-style-names.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Setting } from "../../../core/values/setting.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import { renderFigure } from "../../print/figure.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { minorOption } from "../../verbs/options.ts";
import { show as perfkeepShow } from "../../verbs/profiles/show.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep } from "./delegate.ts";

const look: readonly OptionSpec[] = [
  { flags: "-f, --filename <file>", synopsis: "the file that is written (default: VIEW.html)" },
  { flags: "--x-axis-label <text>", synopsis: "what the lying axis is called", also: ["-xl"] },
  { flags: "--y-axis-label <text>", synopsis: "what the upright axis is called", also: ["-yl"] },
  { flags: "--graph-title <text>", synopsis: "what stands above it", also: ["-gt"] },
  { flags: "-v, --view-in-browser", synopsis: "tell the address for a browser; none is started" },
];

const of: OptionSpec = { flags: "-o, --of <column>", synopsis: "what is shown (default: amount)" };
const by: OptionSpec = { flags: "-b, --by <column>", synopsis: "with a part for each content of this column" };
const stacked: OptionSpec = { flags: "-s, --stacked", synopsis: "parts upon each other (default)" };

/** The options of Perun's views that draw charts. */
const chartOptions: Readonly<Record<string, readonly OptionSpec[]>> = {
  bars: [
    of,
    { flags: "-p, --per <column>", synopsis: "with a bar for each content of this column" },
    by,
    stacked,
    { flags: "-g, --grouped", synopsis: "parts side by side" },
    ...look,
  ],
  flow: [
    of,
    { flags: "-t, --through <column>", synopsis: "along the numbers of this column" },
    by,
    stacked,
    { flags: "--accumulate", synopsis: "sums of what came so far (default)" },
    { flags: "--no-accumulate", synopsis: "what each place adds" },
    ...look,
  ],
  flamegraph: [
    { flags: "-f, --filename <file>", synopsis: "the file that is written (default: flame.svg)" },
    { flags: "-h, --graph-height <pixels>", synopsis: "how high a row is (default: 20)" },
  ],
  scatter: [of, { flags: "-p, --per <column>", synopsis: "along this column" }, ...look],
};

/** Perun's names of files that are not called after the view. */
const names: Readonly<Record<string, string>> = { scatter: "scatter", flamegraph: "flame.svg" };

/**
 * Draws into files, under Perun's names where none is given. Perun writes a file for each location of a scatter plot,
 * and so do we.
 */
async function showChart(session: Session, args: Arguments, view: string): Promise<number> {
  const [minor, what] = [args.text("minor"), args.maybeOperand(2)];
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
  for (const [file, single] of view === "scatter" ? apart(figure, name) : [[name, figure] as const]) {
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

/** Perun's name for the numbers of snapshots once rows are a table. */
function column(name: string): string {
  return name === "snapshots" ? "snapshot" : name;
}

function apart({ title, blocks }: Figure, base: string): (readonly [string, Figure])[] {
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

/** Endings of files that hold tables in forms of documents. */
const endings: readonly (readonly [RegExp, string])[] = [
  [/^(?:github|pipe)$/, "md"],
  [/html$/, "html"],
  [/^latex/, "tex"],
  [/^tsv$/, "tsv"],
];

const tableGroup: readonly OptionSpec[] = [
  { flags: "--to-file", synopsis: "write the table to a file (default)", also: ["-tf"] },
  { flags: "--to-stdout", synopsis: "print the table", also: ["-ts"] },
  { flags: "--output-file <file>", synopsis: "the file (default: tableof-RESOURCES-of-PROFILE.txt)", also: ["-of"] },
  { flags: "-f, --format <form>", synopsis: "form of the table (default: simple)", choices: tableStyleNames },
];

const rowOptions: readonly OptionSpec[] = [
  { flags: "-h, --headers <name>", synopsis: "column to show (default: all)", repeat: true },
  { flags: "-s, --sort-by <name>", synopsis: "column to sort by" },
  { flags: "-f, --filter-by <words>", synopsis: "only rows where a column has this value", words: 2 },
];

export const show: Verb = {
  name: "show",
  summary: "display a profile",
  details: [
    "Words: show [-m REV] PROFILE VIEW. The view tableof has options, then resources or models, then options of these.",
    "bars and flow take a function (sum, mean, count, nunique, median, min, max) and, as scatter, their own options:",
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
    { name: "[of]", synopsis: "of tableof: resources or models; of bars and flow: a function" },
  ],
  options: [...longOnly([minorOption, ...tableGroup, ...chartSpecs()]), ...rowOptions],
  arrange,
  run(session, args) {
    const [profile, view, of] = [args.operand(0), args.operand(1), args.maybeOperand(2)];
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

/** Each option once, by its long name. */
function chartSpecs(): OptionSpec[] {
  const all = Object.values(chartOptions).flat();
  return [...new Map(all.map((option) => [/--[\w-]+/.exec(option.flags)?.[0], option])).values()];
}

/**
 * The options of `show`, of `tableof` and of charts by their long names, since letters mean one thing before and
 * another behind `resources`.
 */
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

/** They would do nothing. */
function refuseTableOptions(args: Arguments, view: string): void {
  const given = ["headers", "sortBy", "filterBy", "format", "outputFile"].find((name) => args.texts(name).length > 0);
  const switched = ["toFile", "toStdout"].find((name) => args.flag(name));
  if ((given ?? switched) === undefined) return;
  throw new Failure("unusable-combination", {
    what: `the view ${view} has no options of tables`,
    instead: "they belong to tableof",
  });
}

function tableWords(args: Arguments, profile: string, of: string): string[] {
  if (args.flag("toFile") && args.flag("toStdout"))
    throw new Failure("unusable-combination", {
      what: "--to-file and --to-stdout exclude each other",
      instead: "give one of them",
    });
  const form = args.text("format") ?? "simple";
  const place = args.flag("toStdout") ? [] : [`--output=${args.text("outputFile") ?? defaultFile(profile, of, form)}`];
  return ["--format=table", `--format-opt=style=${form}`, ...place];
}

/** Beside the user, whatever folder the profile lies in. */
function defaultFile(profile: string, of: string, form: string): string {
  const name = (profile.split("/").at(-1) ?? "").replaceAll(/[^\p{L}\p{N}._@-]/gu, "_");
  const ending = endings.find(([forms]) => forms.test(form))?.[1] ?? "txt";
  return `tableof-${of}-of-${name}.${ending}`;
}
