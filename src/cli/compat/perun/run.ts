import { run as perfkeepRun } from "../../verbs/profiles/run.ts";
import type { Arguments } from "../../arguments.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { refusedArguments } from "./collect.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep, refuse, refusedOptions, type Refusal } from "./delegate.ts";

const refusals: readonly Refusal[] = [
  {
    flags: "-f, --force-dirty",
    reason: "nothing has to be forced: versions are measured in trees of their own",
    instead: "leave it out; without -m the tree is measured as it is",
  },
];

const jobRefusals: readonly Refusal[] = [...refusals, refusedArguments];

/** What stands before matrix and job. */
const group: readonly OptionSpec[] = [
  { flags: "--output-filename-template <text>", synopsis: "name of the profiles, made of tokens", also: ["-ot"] },
  {
    flags: "-m, --minor-version <rev>",
    synopsis: "version to measure in a tree of its own (default: the tree as it is)",
    repeat: true,
    also: ["--minor"],
  },
  { flags: "-c, --crawl-parents", synopsis: "measure all ancestors of these versions as well" },
  ...refusedOptions(refusals),
];

const withoutHistory: OptionSpec = {
  flags: "-q, --without-vcs-history",
  synopsis: "measure the tree as it is, which happens without -m and -c anyhow",
};

export const run: Verb = {
  name: "run",
  summary: "measure many commands, workloads and versions",
  details: groupDetails("", group),
  arrange(words) {
    const { options, operands, rest } = groupWords(words, group, 1, "perun run");
    return [...operands, ...options, ...rest];
  },
  subverbs: [
    {
      name: "matrix",
      summary: "measure what the configuration names",
      options: [withoutHistory, ...longOnly(group)],
      run(session, args) {
        refuse(args, refusals);
        if (args.flag("withoutVcsHistory")) refuseVersions(args);
        return perfkeep(session, perfkeepRun, ["matrix", ...groupOptions(args)]);
      },
    },
    {
      name: "job",
      summary: "measure what the options name",
      options: [
        { flags: "-b, --cmd <command>", synopsis: "command to measure", repeat: true },
        { flags: "-c, --collector <name>", synopsis: "how to measure", repeat: true },
        { flags: "-w, --workload <words>", synopsis: "arguments for it", repeat: true },
        {
          flags: "--collector-params <words>",
          synopsis: "options of a collector: name and YAML, or a file",
          words: 2,
          also: ["-cp"],
        },
        { flags: "-p, --postprocessor <name>", synopsis: "what to derive from each profile", repeat: true },
        {
          flags: "--postprocessor-params <words>",
          synopsis: "options of a postprocessor: name and YAML, or a file",
          words: 2,
          also: ["-pp"],
        },
        ...refusedOptions([refusedArguments]),
        ...longOnly(group),
      ],
      run(session, args) {
        refuse(args, jobRefusals);
        const words = [
          "job",
          ...groupOptions(args),
          ...pairs("--cmd", args.texts("cmd")),
          ...pairs("--workload", args.texts("workload")),
          ...pairs("--collector", args.texts("collector")),
          ...args.pairs("collectorParams").flatMap((pair) => ["--params", ...pair]),
          ...pairs("--postprocessor", args.texts("postprocessor")),
          ...args.pairs("postprocessorParams").flatMap((pair) => ["--postprocessor-params", ...pair]),
        ];
        return perfkeep(session, perfkeepRun, words);
      },
    },
  ],
};

function groupOptions(args: Arguments): string[] {
  return [
    ...pairs("--output-filename-template", args.texts("outputFilenameTemplate")),
    ...pairs("--minor", args.texts("minorVersion")),
    ...(args.flag("crawlParents") ? ["--crawl-parents"] : []),
  ];
}

function refuseVersions(args: Arguments): void {
  refuse(args, [
    { flags: "--minor-version", reason: "-q measures the tree as it is, and no version", instead: "give one of them" },
    { flags: "--crawl-parents", reason: "-q measures the tree as it is, and no version", instead: "give one of them" },
  ]);
}
