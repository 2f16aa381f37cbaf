import { collectorsNamed, type PluginOptions } from "../../../commands/jobs/list-collectors.ts";
import { Failure } from "../../../core/failures/failure.ts";
import type { Arguments } from "../../arguments.ts";
import { collect as own } from "../../verbs/profiles/collect.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { collectorParams, collectorSpecs } from "./collector-options.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep, refuse, refusedOptions, switched, type Refusal } from "./delegate.ts";

/** `--args` was taken out of Perun, which reads and drops it. */
export const refusedArguments: Refusal = {
  flags: "-a, --args <words>",
  repeat: true,
  reason: "a command has no arguments beside its workload",
  instead: "put them into -w, or into the command",
};

const noOptimization = {
  reason: "calls are not left out by what earlier profiles tell",
  instead: "leave it out, and name the functions to trace",
} as const;

const refusals: readonly Refusal[] = [
  refusedArguments,
  { flags: "--optimization-pipeline <name>", also: ["-op"], ...noOptimization },
  { flags: "--optimization-on <name>", also: ["-on"], repeat: true, ...noOptimization },
  { flags: "--optimization-off <name>", also: ["-off"], repeat: true, ...noOptimization },
  { flags: "--optimization-args <words>", also: ["-oa"], words: 2, ...noOptimization },
  { flags: "--optimization-cache-off", ...noOptimization },
  { flags: "--optimization-reset-cache", ...noOptimization },
  { flags: "--use-cg-type <name>", also: ["-cg"], ...noOptimization },
];

/** What stands before the collector. */
const group: readonly OptionSpec[] = [
  { flags: "--profile-name <name>", synopsis: "name of the profiles", also: ["-pn"] },
  {
    flags: "-m, --minor-version <rev>",
    synopsis: "version to measure in a tree of its own (default: the tree as it is)",
    repeat: true,
    also: ["--minor"],
  },
  { flags: "--crawl-parents", synopsis: "measure all ancestors of these versions as well", also: ["-cp"] },
  { flags: "-c, --cmd <command>", synopsis: "command to measure (default: the configuration's)", repeat: true },
  { flags: "-w, --workload <words>", synopsis: "arguments for it", repeat: true },
  { flags: "-p, --params <yaml>", synopsis: "options of the collector, or a file with them", repeat: true },
  { flags: "--output-filename-template <text>", synopsis: "name of the profiles, made of tokens", also: ["-ot"] },
  ...refusedOptions(refusals),
];

const command = "perun collect";

/** The verb with the collector that the words name as its subverb, or with all of them where none is named. */
export async function collect({ workspace }: Session, words: readonly string[]): Promise<Verb> {
  const name = groupWords(words, group, 1, command).operands[0];
  return {
    name: "collect",
    summary: "measure a command",
    details: groupDetails(
      "Behind the collector stand its own options: collect [-c COMMAND] [-w WORKLOAD] … COLLECTOR [its options].",
      group,
    ),
    arrange(given) {
      const { options, operands, rest } = groupWords(given, group, 1, command);
      return [...operands, ...options, ...rest];
    },
    subverbs: (await collectorsNamed(workspace.registry, name)).map((collector) =>
      subverb(collector, name ?? collector.name),
    ),
  };
}

function subverb(collector: PluginOptions, name: string): Verb {
  const specs = collectorSpecs(collector);
  const taken = new Set(specs.map(({ flags }) => flags.replace(/^-\w, /, "").split(" ", 1)[0]));
  const shared = longOnly(group).filter(({ flags }) => !taken.has(flags.split(" ", 1)[0]));
  return {
    name,
    summary: collector.synopsis,
    options: [...specs, ...shared],
    run: (session, args) => run(session, args, collector),
  };
}

function run(session: Session, args: Arguments, collector: PluginOptions): Promise<number> {
  refuse(args, refusals);
  const [name, template] = [args.text("profileName"), args.text("outputFilenameTemplate")];
  if (name !== undefined && template !== undefined)
    throw new Failure("unusable-combination", {
      what: "-pn and -ot both name the profiles",
      instead: "give one of them",
    });
  const options = [
    ...pairs("--cmd", args.texts("cmd")),
    ...pairs("--workload", args.texts("workload")),
    ...pairs("--minor", args.texts("minorVersion")),
    ...switched("--crawl-parents", args.flag("crawlParents")),
    ...pairs(
      "--output-filename-template",
      [template ?? name?.replaceAll("%", "%%")].filter((text) => text !== undefined),
    ),
    ...pairs("--params", args.texts("params")),
    ...collectorParams(collector, args),
  ];
  return perfkeep(session, own, options, [collector.name]);
}
