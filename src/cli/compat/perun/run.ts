import { run as perfkeepRun } from "../../verbs/profiles/run.ts";
import type { Arguments } from "../../arguments.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { refusedArguments } from "./collect.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep, refuse, refusedOptions, type Refusal } from "./delegate.ts";

const refusals: readonly Refusal[] = [
  {
    flags: "-f, --force-dirty",
    reason: "commits are measured in work trees of their own",
    instead: "remove it; without -m the working tree is measured",
  },
];

const jobRefusals: readonly Refusal[] = [...refusals, refusedArguments];

/** Options before matrix and job. */
const group: readonly OptionSpec[] = [
  { flags: "--output-filename-template <text>", synopsis: "template of profile names", also: ["-ot"] },
  {
    flags: "-m, --minor-version <rev>",
    synopsis: "commit to measure in a work tree of its own (default: the working tree)",
    repeat: true,
    also: ["--minor"],
  },
  { flags: "-c, --crawl-parents", synopsis: "also measure all ancestors of these commits" },
  ...refusedOptions(refusals),
];

const withoutHistory: OptionSpec = {
  flags: "-q, --without-vcs-history",
  synopsis: "measure the working tree, which is the default without -m and -c",
};

export const run: Verb = {
  name: "run",
  summary: "measure a matrix of commands, workloads and commits",
  details: groupDetails("", group),
  arrange(words) {
    const { options, operands, rest } = groupWords(words, group, 1, "perun run");
    return [...operands, ...options, ...rest];
  },
  subverbs: [
    {
      name: "matrix",
      summary: "measure the configured matrix",
      options: [withoutHistory, ...longOnly(group)],
      run(session, args) {
        refuse(args, refusals);
        if (args.flag("withoutVcsHistory")) refuseVersions(args);
        return perfkeep(session, perfkeepRun, ["matrix", ...groupOptions(args)]);
      },
    },
    {
      name: "job",
      summary: "measure the given commands, workloads and collectors",
      options: [
        { flags: "-b, --cmd <command>", synopsis: "command to measure", repeat: true },
        { flags: "-c, --collector <name>", synopsis: "collector", repeat: true },
        { flags: "-w, --workload <words>", synopsis: "arguments of the command", repeat: true },
        {
          flags: "--collector-params <words>",
          synopsis: "options of a collector: name and YAML, or a file",
          words: 2,
          also: ["-cp"],
        },
        { flags: "-p, --postprocessor <name>", synopsis: "postprocessor of each profile", repeat: true },
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
    { flags: "--minor-version", reason: "-q measures the working tree", instead: "give one of them" },
    { flags: "--crawl-parents", reason: "-q measures the working tree", instead: "give one of them" },
  ]);
}
