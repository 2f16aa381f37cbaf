import { show as draw } from "../../../commands/profiles/index.ts";
import type { Setting, Settings } from "../../../core/values/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import { renderFigure } from "../../print/index.ts";
import type { Verb, OptionSpec } from "../../verb.ts";
import { mergedParams } from "./job-options.ts";
import { minorOption } from "../options.ts";

/** View options with a flag of the same name; `-p` sets any option. A view refuses options that it does not have. */
const viewOptionSpecs: readonly OptionSpec[] = [
  { flags: "--of <column>", synopsis: "column to show (default: amount)" },
  { flags: "--per <column>", synopsis: "column of the horizontal axis" },
  { flags: "--through <column>", synopsis: "flow: numeric column of the horizontal axis" },
  { flags: "--by <column>", synopsis: "split by the values of this column" },
  {
    flags: "--func <name>",
    synopsis: "aggregate of several values: sum, mean, count, nunique, median, min, max, q95, …",
  },
  { flags: "--subtype <name>", synopsis: "quantity to show, if there are several" },
  {
    flags: "-w, --where <condition>",
    synopsis: "only rows that match, as in perfkeep query: 'uid:function~sort'",
    repeat: true,
  },
  { flags: "--top <count>", synopsis: "maximum number of items, largest first" },
  { flags: "--function <name>", synopsis: "alloclist: function whose allocations to list", advanced: true },
  { flags: "--headers <name>", synopsis: "tableof: column to show (default: all)", repeat: true },
  { flags: "-s, --sort-by <name>", synopsis: "tableof: column to sort by", repeat: true },
  { flags: "--descending", synopsis: "tableof: sort in descending order" },
  {
    flags: "-g, --group-by <name>",
    synopsis: "tableof: one row per value of this column, with --func of the others",
    repeat: true,
    advanced: true,
  },
  {
    flags: "-f, --filter-by <words>",
    synopsis: "tableof: only rows with this value in a column: -f uid main (same column: or, others: and)",
    words: 2,
    advanced: true,
  },
  { flags: "--grouped", synopsis: "bars side by side, curves instead of areas", advanced: true },
  { flags: "--no-accumulate", synopsis: "flow: show increments instead of cumulative sums", advanced: true },
  {
    flags: "--focus <name>",
    synopsis: "flamegraph: show only callees of this frame (callers with --inverted)",
  },
  { flags: "--inverted", synopsis: "flamegraph: put innermost calls next to the root" },
  { flags: "--merged", synopsis: "flamegraph: fold recursive calls", advanced: true },
  { flags: "--title <text>", synopsis: "title" },
  { flags: "--x-label <text>", synopsis: "label of the horizontal axis", advanced: true },
  { flags: "--y-label <text>", synopsis: "label of the vertical axis", advanced: true },
];

/** Flags with comma-separated values. */
const listFlags = ["headers", "sort-by", "group-by"];

/** The values of the flags by option name. */
function viewOptionsOf(args: Arguments): Settings {
  return new Map(viewOptionSpecs.flatMap(({ flags }) => settingOf(args, /--([a-z-]+)/.exec(flags)?.[1] ?? "")));
}

function settingOf(args: Arguments, flag: string): [string, Setting][] {
  const key = flag.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  if (flag === "grouped") return args.flag(key) ? [["stacked", false]] : [];
  if (flag === "no-accumulate") return args.switched("accumulate").includes("false") ? [["accumulate", false]] : [];
  if (flag === "filter-by") {
    const pairs = args.pairs(key).map(([column, value]) => `${column}=${value}`);
    return pairs.length === 0 ? [] : [[flag, pairs]];
  }
  if (args.flag(key)) return [[flag, true]];
  const words = args.texts(key).flatMap((word) => (listFlags.includes(flag) ? word.split(",") : [word]));
  return words.length === 0 ? [] : [[flag, words.length === 1 ? (words[0] as string) : words]];
}

/** Words that views accept after their name. */
const viewWords = [
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
  summary: "display a profile",
  examples: [
    "perfkeep show 0@p",
    "perfkeep show 0@i tableof models",
    "perfkeep show 0@i bars sum --of amount --per uid:function --by subtype -o bars.svg",
  ],
  details: [
    "A profile is a tag (0@i, 1@p), a name, REV^tag or REV^name, a 40-digit object id, or a file.",
    "perfkeep utils plugins lists the views (docs/views.md). -o FILE writes a picture or table: .svg, .png, .html,",
    ".tex, .md, .csv, .json.",
  ].join("\n"),
  operands: [
    { name: "<profile>", synopsis: "profile to show" },
    { name: "[view]", synopsis: "view (default: tableof)" },
    {
      name: "[what]",
      synopsis: "tableof: resources (default) or models; bars and flow: an aggregate; alloclist: a kind of list",
      known: viewWords,
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
    const [minor, what] = [args.text("minor"), args.optionalOperand(2)];
    const params = new Map([...mergedParams(session, args.texts("params")), ...viewOptionsOf(args)]);
    const options = {
      profile: args.operand(0),
      ...(minor === undefined ? {} : { minor }),
      ...(what === undefined ? {} : { what }),
      params,
      confirm: confirmOf(session),
    };
    const figure = await draw(session.workspace, options, args.optionalOperand(1) ?? "tableof");
    session.output.data(await renderFigure(session, figure, session.format));
    return 0;
  },
};
