import { Failure } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import type { Session } from "../../session.ts";
import { diffVerb } from "../../verbs/profiles/diff.ts";
import { minorOption } from "../../verbs/options.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep } from "./delegate.ts";
import { generatedName } from "./generated-name.ts";

const outputFile: OptionSpec = {
  flags: "-o, --output-file <file>",
  synopsis: "output page (default: VIEW-diff-of-BASE-and-TARGET.html)",
};

/** Options of Perun's difference views. */
const viewOptions: Readonly<Record<string, readonly OptionSpec[]>> = {
  table: [
    { flags: "-n, --top-n <count>", synopsis: "maximum number of functions, largest changes first (default: 10)" },
    {
      flags: "-f, --filter <words>",
      synopsis: "only rows with this value in a column; several are alternatives",
      words: 2,
    },
    { flags: "-g, --group-by <name>", synopsis: "names of profiles: origin (default)" },
  ],
  report: [outputFile],
  flamegraph: [
    { flags: "-w, --width <pixels>", synopsis: "width of a graph (default: 600)" },
    { flags: "-h, --height <pixels>", synopsis: "row height (default: 14)" },
    outputFile,
  ],
};

export const showdiff: Verb = {
  name: "showdiff",
  summary: "compare two profiles",
  details: [
    "Usage: showdiff [-m REV] BASE TARGET VIEW. table is printed; report and flamegraph write a page.",
    ...Object.entries(viewOptions).flatMap(([view, options]) => [
      "",
      `Options of ${view}:`,
      ...groupDetails("", options).split("\n").slice(1),
    ]),
  ].join("\n"),
  operands: [
    { name: "<base>", synopsis: "older profile: tag, name, REV^tag, object or file" },
    { name: "<target>", synopsis: "newer profile" },
    { name: "<view>", synopsis: "table, report or flamegraph", known: Object.keys(viewOptions) },
  ],
  options: longOnly([...new Set([minorOption, ...Object.values(viewOptions).flat()])]),
  arrange,
  async run(session, args) {
    const [base, target, view] = [args.operand(0), args.operand(1), args.operand(2)];
    const words = [...pairs("--minor", args.texts("minor")), ...wordsOf(args, view)];
    if (view === "table") return perfkeep(session, diffVerb, words, [base, target]);
    const file = fileOf(args.text("outputFile") ?? (await defaultName(session, args, view)));
    const status = await perfkeep(session, diffVerb, [...words, `--output=${file}`], [base, target, view]);
    session.output.note(`wrote ${file}`);
    return status;
  },
};

/** Splits options before and after the view, whose letters differ. */
function arrange(words: readonly string[]): readonly string[] {
  const { options, operands, rest } = groupWords(words, [minorOption], 3, "perun showdiff");
  const view = operands[2];
  if (view === undefined) return [...operands, ...options, ...rest];
  const known = Object.hasOwn(viewOptions, view) ? viewOptions[view] : undefined;
  if (known === undefined)
    throw new Failure("unknown-choice", {
      kind: "difference view",
      value: view,
      choices: Object.keys(viewOptions),
    });
  const shown = groupWords(rest, known, Number.POSITIVE_INFINITY, `perun showdiff BASE TARGET ${view}`);
  return [...operands, ...shown.operands, ...options, ...shown.options, ...shown.rest];
}

function wordsOf(args: Arguments, view: string): string[] {
  if (view === "report") return [];
  if (view === "flamegraph")
    return ["--both", `--width=${args.text("width") ?? 600}`, `--height=${args.text("height") ?? 14}`];
  const by = args.text("groupBy");
  if (by !== undefined && by !== "origin")
    throw new Failure("unusable-combination", {
      what: `--group-by ${by}: profiles are named after their commits`,
      instead: "remove it",
    });
  return [
    `--limit=${args.text("topN") ?? 10}`,
    "--min-share=0",
    ...args.pairs("filter").flatMap((pair) => ["--filter-by", ...pair]),
  ];
}

/** Named like new profiles, by Perun's template. */
async function defaultName(session: Session, args: Arguments, view: string): Promise<string> {
  const minor = args.text("minor");
  const options = { ...(minor === undefined ? {} : { minor }), confirm: confirmOf(session) };
  const nameOf = (at: number): Promise<string> => generatedName(session, { profile: args.operand(at), ...options });
  return `${view}-diff-of-${await nameOf(0)}-and-${await nameOf(1)}`;
}

function fileOf(name: string): string {
  return name.endsWith("html") ? name : `${name}.html`;
}
