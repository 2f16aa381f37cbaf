import { jobsInFile } from "../../../commands/jobs/job-matrix.ts";
import { runAb as measure, type AbResult } from "../../../commands/jobs/run-ab.ts";
import { runJob, runMatrix } from "../../../commands/jobs/run-jobs.ts";
import { verdictFormats } from "../../../commands/verdicts/render-verdicts.ts";
import { quoteCommand } from "../../../core/text/command-line.ts";
import { Failure } from "../../../core/failures/failure.ts";
import type { JobsResult } from "../../../workspace/jobs/ledger.ts";
import type { Arguments } from "../../arguments.ts";
import type { Verb } from "../../verb.ts";
import { judgeOptions, judgingOf, reportComparison } from "../verdicts/compare.ts";
import { jobOptions, pluginsOf, reportJobs, runOptionsOf, watched, mergedParams } from "./job-options.ts";

/** What two versions in turns leave nothing to say about. */
const given = ["--minor", "--crawl-parents", "--order", "--rounds", "--resume"];

const runAb: Verb = {
  name: "ab",
  summary: "measure two versions in turns and compare them",
  details: [
    "Each version has a tree of its own, prepared once by execute.pre_run. In every round both are measured one after the other, in the next",
    "the other way round, so that what drifts meets both alike; the pairs are then judged by their ratios (docs/compare.md).",
    "",
    "Exit status: 0 nothing is worse, 1 something is, 3 something could not be decided and nothing is worse.",
    "",
    "Example: perfkeep run ab main HEAD -- ./bench --size 100",
  ].join("\n"),
  operands: [
    { name: "<base>", synopsis: "the version to compare with" },
    { name: "<head>", synopsis: "the version that is compared" },
    { name: "[command...]", synopsis: "the command and its arguments, after --" },
  ],
  options: [
    { flags: "-c, --cmd <command>", synopsis: "command to measure", repeat: true },
    { flags: "-w, --workload <words>", synopsis: "arguments for it", repeat: true },
    { flags: "-C, --collector <name>", synopsis: "how to measure; it has to repeat", default: "time" },
    { flags: "-p, --params <yaml>", synopsis: "options of the collector, or a file with them", repeat: true },
    { flags: "--pairs <count>", synopsis: "how often each is measured (default: 20)" },
    ...jobOptions.filter(({ flags }) => !given.some((flag) => flags.split(/[ ,]+/).includes(flag))),
    ...judgeOptions,
  ],
  formats: ["json", "csv", "markdown", "html", ...verdictFormats],
  async run(session, args) {
    const options = {
      ...runOptionsOf(session, args),
      ...judgingOf(args),
      base: args.operand(0),
      head: args.operand(1),
      cmds: commandsOf(args),
      workloads: args.texts("workload"),
      collector: { name: args.text("collector") ?? "time", params: mergedParams(session, args.texts("params")) },
      pairs: args.count("pairs", 1) ?? 20,
    };
    const found: { comparison: AbResult["comparison"] } = { comparison: null };
    const work = async (watcher: Parameters<Parameters<typeof watched>[1]>[0]): Promise<JobsResult> => {
      const result = await measure(session.workspace, options, { ...watcher, kept: () => {} });
      found.comparison = result.comparison;
      return result.jobs;
    };
    const jobs = await watched(session, work);
    // What failed was told while it ran.
    return found.comparison === null ? reportJobs(session, jobs) : reportComparison(session, found.comparison);
  },
};

function commandsOf(args: Arguments): string[] {
  const words = args.rest(2);
  if (words.length > 0 && args.texts("cmd").length > 0)
    throw new Failure("unusable-combination", {
      what: "a command is given both by --cmd and after --",
      instead: "use one of them",
    });
  return [...args.texts("cmd"), ...(words.length > 0 ? [quoteCommand(words)] : [])];
}

export const run: Verb = {
  name: "run",
  summary: "measure a matrix of commands, workloads and versions",
  details:
    "A profile is made for each combination of command, workload and collector, in each version. What fails is told; the rest goes on.",
  subverbs: [
    {
      name: "matrix",
      summary: "measure what the configuration names (cmds, workloads, collectors, postprocessors)",
      examples: ["perfkeep run matrix", "perfkeep run matrix --minor HEAD --crawl-parents"],
      details: "What a cloned repository's configuration names has to be allowed once: perfkeep trust.",
      options: jobOptions,
      formats: ["json"],
      run: async (session, args) =>
        reportJobs(
          session,
          await watched(session, (watcher) => runMatrix(session.workspace, runOptionsOf(session, args), watcher)),
        ),
    },
    {
      name: "job",
      summary: "measure what the options name",
      examples: ["perfkeep run job -c ./bench -w small.txt -C time", "perfkeep run job --from next.yml"],
      options: [
        { flags: "-c, --cmd <command>", synopsis: "command to measure", repeat: true, also: ["-b"] },
        { flags: "-w, --workload <words>", synopsis: "arguments for it", repeat: true },
        { flags: "-C, --collector <name>", synopsis: "how to measure", repeat: true },
        {
          flags: "--params <words>",
          synopsis: "options of a collector: --params time 'repeat: 20'",
          words: 2,
          also: ["--collector-params", "-cp"],
        },
        {
          flags: "-p, --postprocessor <name>",
          synopsis: "what to derive from each profile; several follow each other",
          repeat: true,
        },
        {
          flags: "--postprocessor-params <words>",
          synopsis: "options of a postprocessor: -pp regression-analysis 'method: full'",
          words: 2,
          also: ["-pp"],
        },
        { flags: "--from <file>", synopsis: "measure what this file names as well, as perfkeep mine --jobs writes it" },
        ...jobOptions,
      ],
      formats: ["json"],
      async run(session, args) {
        const file = args.text("from");
        const listed =
          file === undefined
            ? { cmds: [], workloads: [], collectors: [], postprocessors: [] }
            : jobsInFile(session.workspace, file);
        const collectors = pluginsOf(session, args, ["collector", "params"]);
        const postprocessors = pluginsOf(session, args, ["postprocessor", "postprocessorParams"]);
        const options = {
          ...runOptionsOf(session, args),
          cmds: [...args.texts("cmd"), ...listed.cmds],
          workloads: [...args.texts("workload"), ...listed.workloads],
          collectors: collectors.length > 0 ? collectors : listed.collectors,
          postprocessors: postprocessors.length > 0 ? postprocessors : listed.postprocessors,
        };
        return reportJobs(session, await watched(session, (watcher) => runJob(session.workspace, options, watcher)));
      },
    },
    runAb,
  ],
};
