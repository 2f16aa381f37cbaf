import { jobsInFile, runAb as measure, type AbResult, runJob, runMatrix } from "../../../commands/jobs/index.ts";
import { openVerdicts, verdictFormats } from "../../../commands/verdicts/index.ts";
import { cpuTimeMetric } from "../../../core/measurements/index.ts";
import { counted, quoteCommand } from "../../../core/text/index.ts";
import type { Verdict } from "../../../core/verdicts/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { JobsResult } from "../../../workspace/jobs/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Verb } from "../../verb.ts";
import { comparisonOptions, comparisonOptionsOf, reportComparison, reportOptionsOf } from "../verdicts/compare.ts";
import { jobOptions, pluginsOf, reportJobs, runOptionsOf, withProgress, mergedParams } from "./job-options.ts";

/** Job options that `run ab` determines itself. */
const fixed = ["--minor", "--crawl-parents", "--first-parent", "--order", "--rounds", "--resume"];

const runAb: Verb = {
  name: "ab",
  summary: "measure two commits alternately and compare them",
  details: [
    "Each commit gets a work tree of its own, built once by --build. Each round measures both, in",
    "alternating order, so drift affects both equally, and compares the pairs by their ratios. Stops as soon as every",
    "metric is worse, better or the same within --resolution, which keeps the error rate (docs/compare.md).",
    "",
    "Exit status: 0 nothing is worse, 1 something is worse, 3 something is inconclusive and nothing is worse.",
    "",
    "Example: perfkeep run ab main HEAD --build make -- ./bench --size 100",
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
    { flags: "--max-pairs <count>", synopsis: "most measurements of each commit (default: 40)" },
    { flags: "--pairs <count>", synopsis: "fixed number of measurements of each commit; never stop early" },
    ...jobOptions.filter(({ flags }) => !fixed.some((flag) => flags.split(/[ ,]+/).includes(flag))),
    ...comparisonOptions,
  ],
  formats: ["json", "csv", "markdown", "html", ...verdictFormats],
  async run(session, args) {
    const [pairs, maxPairs] = [args.count("pairs", 1), args.count("maxPairs", 1)];
    if (pairs !== undefined && maxPairs !== undefined)
      throw new Failure("unusable-combination", { what: "both --pairs and --max-pairs", instead: "use one of them" });
    const options = {
      ...runOptionsOf(session, args),
      ...comparisonOptionsOf(args),
      base: args.operand(0),
      head: args.operand(1),
      cmds: commandsOf(args),
      workloads: args.texts("workload"),
      collector: { name: args.text("collector") ?? "time", params: mergedParams(session, args.texts("params")) },
      pairs: pairs ?? null,
      maxPairs: maxPairs ?? 40,
    };
    const measured: { comparison: AbResult["comparison"]; pairs: AbResult["pairs"] } = {
      comparison: null,
      pairs: null,
    };
    const work = async (watcher: Parameters<Parameters<typeof withProgress>[1]>[0]): Promise<JobsResult> => {
      const result = await measure(session.workspace, options, { ...watcher, kept: () => {} });
      ({ comparison: measured.comparison, pairs: measured.pairs } = result);
      return result.jobs;
    };
    const jobs = await withProgress(session, work);
    const { comparison, pairs: done } = measured;
    // Failures were reported while it ran.
    if (comparison === null || done === null) return reportJobs(session, jobs);
    const notes = pairNotes(comparison, done);
    return reportComparison(session, comparison, reportOptionsOf(args), { notes, fields: { pairs: done } });
  },
};

/** What the pairs decided, and what would decide the rest. */
function pairNotes(
  { rows }: NonNullable<AbResult["comparison"]>,
  { measured, most, isFixed }: NonNullable<AbResult["pairs"]>,
): string[] {
  if (isFixed) return [];
  const verdicts = rows.map(({ verdict }) => verdict);
  const open = openVerdicts(verdicts);
  const count = `${counted(measured, "pair")} of at most ${most} measured`;
  if (open.length === 0) return [`${count}: decided`];
  const waits = open.map(({ morePairs }) => morePairs ?? null);
  const cure = waits.includes(null)
    ? "more pairs would not settle it"
    : `about ${counted(Math.max(...waits.map(Number)), "more pair")} would settle it`;
  return [`${count}: ${cure}`, ...quieterMetric(verdicts)];
}

/** Offers CPU time or counters where wall time is too noisy. */
function quieterMetric(verdicts: readonly Verdict[]): string[] {
  const isOpen = verdicts.some(({ subject, outcome }) => subject.metric === "time" && outcome === "inconclusive");
  if (!isOpen) return [];
  const cpu = verdicts.filter(({ subject }) => subject.metric === cpuTimeMetric);
  const isQuiet = cpu.length > 0 && cpu.every(({ outcome }) => outcome !== "inconclusive");
  return [
    isQuiet
      ? `CPU time is decided where wall time is not: gate by it with --metric ${cpuTimeMetric}`
      : "wall time is too noisy: count instructions with -C counters, or gate by --metric cpu-time",
  ];
}

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
