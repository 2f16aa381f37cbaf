import { Failure } from "../../../core/failures/failure.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { diffVerb } from "../../verbs/profiles/diff.ts";
import { minorOption } from "../../verbs/options.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep } from "./delegate.ts";

const outputFile: OptionSpec = {
  flags: "-o, --output-file <file>",
  synopsis: "the page that is written (default: VIEW-diff-of-BASE-and-TARGET.html)",
};

/** The options of each of Perun's views of two profiles. */
const viewOptions: Readonly<Record<string, readonly OptionSpec[]>> = {
  table: [
    { flags: "-n, --top-n <count>", synopsis: "so many functions, those that changed most (default: 10)" },
    {
      flags: "-f, --filter <words>",
      synopsis: "only rows where a column has this content; given several times: one of them",
      words: 2,
    },
    { flags: "-g, --group-by <name>", synopsis: "what profiles are named after: origin (default)" },
  ],
  report: [outputFile],
  flamegraph: [
    { flags: "-w, --width <pixels>", synopsis: "how wide a graph is (default: 600)" },
    { flags: "-h, --height <pixels>", synopsis: "how high a row is (default: 14)" },
    outputFile,
  ],
};

export const showdiff: Verb = {
  name: "showdiff",
  summary: "look at how two profiles differ",
  details: [
    "Words: showdiff [-m REV] BASE TARGET VIEW. table is printed; report and flamegraph write a page.",
    ...Object.entries(viewOptions).flatMap(([view, options]) => [
      "",
      `Options of ${view}:`,
      ...groupDetails("", options).split("\n").slice(1),
    ]),
  ].join("\n"),
  operands: [
    { name: "<base>", synopsis: "the older profile: tag, name, REV^tag, object or file" },
    { name: "<target>", synopsis: "the newer one" },
    { name: "<view>", synopsis: "table, report or flamegraph", known: Object.keys(viewOptions) },
  ],
  options: longOnly([...new Set([minorOption, ...Object.values(viewOptions).flat()])]),
  arrange,
  async run(session, args) {
    const [base, target, view] = [args.operand(0), args.operand(1), args.operand(2)];
    const words = [...pairs("--minor", args.texts("minor")), ...wordsOf(args, view)];
    if (view === "table") return perfkeep(session, diffVerb, words, [base, target]);
    const file = fileOf(args.text("outputFile") ?? `${view}-diff-of-${nameOf(base)}-and-${nameOf(target)}`);
    const status = await perfkeep(session, diffVerb, [...words, `--output=${file}`], [base, target, view]);
    session.output.note(`wrote ${terminalText(file)}`);
    return status;
  },
};

/** Letters mean one thing before the view and others behind it. */
function arrange(words: readonly string[]): readonly string[] {
  const { options, operands, rest } = groupWords(words, [minorOption], 3, "perun showdiff");
  const view = operands[2];
  if (view === undefined) return [...operands, ...options, ...rest];
  const own = Object.hasOwn(viewOptions, view) ? viewOptions[view] : undefined;
  if (own === undefined)
    throw new Failure("unknown-choice", {
      kind: "view of two profiles",
      value: view,
      choices: Object.keys(viewOptions),
    });
  const shown = groupWords(rest, own, Number.POSITIVE_INFINITY, `perun showdiff BASE TARGET ${view}`);
  return [...operands, ...shown.operands, ...options, ...shown.options, ...shown.rest];
}

function wordsOf(args: Arguments, view: string): string[] {
  if (view === "report") return [];
  if (view === "flamegraph")
    return ["--both", `--width=${args.text("width") ?? 600}`, `--height=${args.text("height") ?? 14}`];
  const by = args.text("groupBy");
  if (by !== undefined && by !== "origin")
    throw new Failure("unusable-combination", {
      what: `--group-by ${by}: profiles are named after their versions`,
      instead: "leave it out",
    });
  return [
    `--limit=${args.text("topN") ?? 10}`,
    "--min-share=0",
    ...args.pairs("filter").flatMap((pair) => ["--filter-by", ...pair]),
  ];
}

/** Beside the user, whatever folder the profile lies in. */
function nameOf(profile: string): string {
  const name = (profile.split("/").at(-1) ?? "").replace(/(?<=.)\.[^.]*$/u, "");
  return name.replaceAll(/[^\p{L}\p{N}._@-]/gu, "_").slice(0, 100);
}

function fileOf(name: string): string {
  return name.endsWith("html") ? name : `${name}.html`;
}
