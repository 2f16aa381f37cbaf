import { jobsInFile, runAb as measure, type AbResult, runJob, runMatrix } from "../../../commands/jobs/index.ts";
import { verdictFormats } from "../../../commands/verdicts/index.ts";
import { quoteCommand } from "../../../core/text/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { JobsResult } from "../../../workspace/jobs/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Verb } from "../../verb.ts";
import { comparisonOptions, comparisonOptionsOf, reportComparison, reportOptionsOf } from "../verdicts/compare.ts";
import { jobOptions, pluginsOf, reportJobs, runOptionsOf, withProgress, mergedParams } from "./job-options.ts";

/** Job options that `run ab` determines itself. */
const fixed = ["--minor", "--crawl-parents", "--order", "--rounds", "--resume"];

const runAb: Verb = {
  name: "ab",
  summary: "measure two commits alternately and compare them",
  details: [
    "Each commit gets a work tree of its own, prepared once by execute.pre_run. Each round measures both, in",
    "alternating order, so drift affects both equally; the pairs are then compared by their ratios (docs/compare.md).",
    "",
    "Exit status: 0 nothing is worse, 1 something is worse, 3 something is inconclusive and nothing is worse.",
    "",
    "Example: perfkeep run ab main HEAD -- ./bench --size 100",
  ].join("\n"),
  operands: [
    { name: "<base>", synopsis: "baseline commit" },
    { name: "<head>", synopsis: "commit to compare" },
    { name: "[command...]", synopsis: "the command and its arguments, after --" },
  ],
  options: [
    { flags: "-c, --cmd <command>", synopsis: "command to measure", repeat: true },
    { flags: "-w, --workload <words>", synopsis: "arguments of the command", repeat: true },
    { flags: "-C, --collector <name>", synopsis: "collector; it must support repetitions", default: "time" },
    { flags: "-p, --params <yaml>", synopsis: "options of the collector, or a file with them", repeat: true },
    { flags: "--pairs <count>", synopsis: "number of measurements of each commit (default: 20)" },
    ...jobOptions.filter(({ flags }) => !fixed.some((flag) => flags.split(/[ ,]+/).includes(flag))),
    ...comparisonOptions,
  ],
  formats: ["json", "csv", "markdown", "html", ...verdictFormats],
  async run(session, args) {
    const options = {
      ...runOptionsOf(session, args),
      ...comparisonOptionsOf(args),
      base: args.operand(0),
      head: args.operand(1),
      cmds: commandsOf(args),
      workloads: args.texts("workload"),
      collector: { name: args.text("collector") ?? "time", params: mergedParams(session, args.texts("params")) },
      pairs: args.count("pairs", 1) ?? 20,
    };
    const measured: { comparison: AbResult["comparison"] } = { comparison: null };
    const work = async (watcher: Parameters<Parameters<typeof withProgress>[1]>[0]): Promise<JobsResult> => {
      const result = await measure(session.workspace, options, { ...watcher, kept: () => {} });
      measured.comparison = result.comparison;
      return result.jobs;
    };
    const jobs = await withProgress(session, work);
    // Failures were reported while it ran.
    return measured.comparison === null ? reportJobs(session, jobs) : reportComparison(session, measured.comparison, reportOptionsOf(args));
  },
};

function commandsOf(args: Arguments): string[] {
  const words = args.rest(2);
  if (words.length > 0 && args.texts("cmd").length > 0)
    throw new Failure("unusable-combination", {
      what: "a command both by --cmd and after --",
      instead: "use one of them",
    });
  return [...args.texts("cmd"), ...(words.length > 0 ? [quoteCommand(words)] : [])];
}

export const run: Verb = {
  name: "run",
  summary: "measure a matrix of commands, workloads and commits",
  details: [
    "Creates a profile for each combination of command, workload and collector in each commit.",
    "Failures are reported; other jobs continue.",
  ].join("\n"),
  subverbs: [
    {
      name: "matrix",
      summary: "measure the configured cmds, workloads, collectors and postprocessors",
      examples: ["perfkeep run matrix", "perfkeep run matrix --minor HEAD --crawl-parents"],
      details: "Commands of a cloned repository's configuration must be allowed once: perfkeep trust.",
      options: jobOptions,
      formats: ["json"],
      run: async (session, args) =>
        reportJobs(
          session,
          await withProgress(session, (watcher) => runMatrix(session.workspace, runOptionsOf(session, args), watcher)),
        ),
    },
    {
      name: "job",
      summary: "measure the given commands, workloads and collectors",
      examples: ["perfkeep run job -c ./bench -w small.txt -C time", "perfkeep run job --from next.yml"],
      options: [
        { flags: "-c, --cmd <command>", synopsis: "command to measure", repeat: true, also: ["-b"] },
        { flags: "-w, --workload <words>", synopsis: "arguments of the command", repeat: true },
        { flags: "-C, --collector <name>", synopsis: "collector", repeat: true },
        {
          flags: "--params <words>",
          synopsis: "options of a collector: --params time 'repeat: 20'",
          words: 2,
          also: ["--collector-params", "-cp"],
        },
        {
          flags: "-p, --postprocessor <name>",
          synopsis: "postprocessor of each profile; several are chained",
          repeat: true,
        },
        {
          flags: "--postprocessor-params <words>",
          synopsis: "options of a postprocessor: -pp regression-analysis 'method: full'",
          words: 2,
          also: ["-pp"],
        },
        { flags: "--from <file>", synopsis: "also measure the jobs of this file, as written by perfkeep mine --jobs" },
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
        const jobs = await withProgress(session, (watcher) => runJob(session.workspace, options, watcher));
        return reportJobs(session, jobs);
      },
    },
    runAb,
  ],
};
