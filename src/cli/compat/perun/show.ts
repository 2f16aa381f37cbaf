import { Failure } from "../../../core/failures/failure.ts";
import { tableStyleNames } from "../../../core/figures/table-style-names.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { minorOption } from "../../verbs/options.ts";
import { show as own } from "../../verbs/profiles/show.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep } from "./delegate.ts";
import { chartOptions, showChart } from "./show-charts.ts";

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
  summary: "look at a profile",
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
    return perfkeep(session, own, words, [profile, view, ...(of === undefined ? [] : [of])]);
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
