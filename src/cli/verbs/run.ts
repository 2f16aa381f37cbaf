import { jobsInFile } from "../../commands/job-axes.ts";
import { runJob, runMatrix } from "../../commands/run-jobs.ts";
import type { Verb } from "../verb.ts";
import { jobOptions, pluginsOf, reportJobs, runOptionsOf, watched } from "./jobs.ts";
import { runAb } from "./run-ab.ts";

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
