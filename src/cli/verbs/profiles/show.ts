import { show as draw } from "../../../commands/profiles/show.ts";
import type { Setting, Settings } from "../../../core/values/setting.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import { renderFigure } from "../../print/figure.ts";
import type { Verb, OptionSpec } from "../../verb.ts";
import { mergedParams } from "./job-options.ts";
import { minorOption } from "../options.ts";

/**
 * Options of views that have flags of their own; each is named as its flag, and `-p` gives the others. A view refuses
 * those that it has not.
 */
const viewOptionSpecs: readonly OptionSpec[] = [
  { flags: "--of <column>", synopsis: "what is shown (default: amount)" },
  { flags: "--per <column>", synopsis: "along which column" },
  { flags: "--through <column>", synopsis: "of flow: along which numbers" },
  { flags: "--by <column>", synopsis: "with a part for each content of this column" },
  { flags: "--func <name>", synopsis: "what of several contents: sum, mean, count, nunique, median, min, max, q95, …" },
  { flags: "--subtype <name>", synopsis: "of which quantity, where rows have several" },
  {
    flags: "-w, --where <condition>",
    synopsis: "only rows that fulfil this, as in perfkeep query: 'uid:function~sort'",
    repeat: true,
  },
  { flags: "--top <count>", synopsis: "only so many, the greatest" },
  { flags: "--function <name>", synopsis: "of alloclist: whose allocations" },
  { flags: "--headers <name>", synopsis: "of tableof: column to show (default: all)", repeat: true },
  { flags: "-s, --sort-by <name>", synopsis: "of tableof: column to sort by", repeat: true },
  { flags: "--descending", synopsis: "of tableof: the greatest first" },
  {
    flags: "-g, --group-by <name>",
    synopsis: "of tableof: one row for the contents of this column, --func of the others",
    repeat: true,
  },
  {
    flags: "-f, --filter-by <words>",
    synopsis: "of tableof: only rows where a column has this value: -f uid main (same column: or, others: and)",
    words: 2,
  },
  { flags: "--grouped", synopsis: "bars side by side, curves instead of areas" },
  { flags: "--no-accumulate", synopsis: "of flow: what each place adds instead of the sum so far" },
  {
    flags: "--focus <name>",
    synopsis: "of flamegraph: only what is below this frame, or with --inverted what called it",
  },
  { flags: "--inverted", synopsis: "of flamegraph: innermost calls next to the root" },
  { flags: "--merged", synopsis: "of flamegraph: recursion folded" },
  { flags: "--title <text>", synopsis: "what stands above it" },
  { flags: "--x-label <text>", synopsis: "what the lying axis is called" },
  { flags: "--y-label <text>", synopsis: "what the upright axis is called" },
];

/** Flags whose words may name several things, parted by commas. */
const lists = ["headers", "sort-by", "group-by"];

/** What the flags say, by the names of the options. */
function viewOptionsOf(args: Arguments): Settings {
  return new Map(viewOptionSpecs.flatMap(({ flags }) => settingOf(args, /--([a-z-]+)/.exec(flags)?.[1] ?? "")));
}

function settingOf(args: Arguments, flag: string): [string, Setting][] {
  const key = flag.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  if (flag === "grouped") return args.flag(key) ? [["stacked", false]] : [];
  if (flag === "no-accumulate") return args.switched("accumulate").includes("false") ? [["accumulate", false]] : [];
  if (flag === "filter-by") {
    const pairs = args.pairs(key).map(([column, content]) => `${column}=${content}`);
    return pairs.length === 0 ? [] : [[flag, pairs]];
  }
  if (args.flag(key)) return [[flag, true]];
  const words = args.texts(key).flatMap((word) => (lists.includes(flag) ? word.split(",") : [word]));
  return words.length === 0 ? [] : [[flag, words.length === 1 ? (words[0] as string) : words]];
}

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
