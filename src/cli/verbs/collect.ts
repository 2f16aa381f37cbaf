import { collect as measure } from "../../commands/collect.ts";
import { quoteCommand } from "../../core/command-line.ts";
import { Failure } from "../../core/errors.ts";
import type { Verb } from "../verb.ts";
import { jobOptions, runOptionsOf, watched, mergedParams, reportJobs } from "./jobs.ts";

export const collect: Verb = {
  name: "collect",
  summary: "measure a command",
  details: [
    "Without -m the tree is measured as it is; with it each version in a clean tree of its own, and yours is not touched.",
    "No shell reads the command: quotes and backslashes work, and nothing else is expanded.",
    "Profiles become pending, or are registered at once where profiles.register_after_run says so.",
    "",
    "Examples: perfkeep collect time -p 'repeat: 20' -- ./bench --size 100",
    "          perfkeep collect time -c ./bench -w small.txt -w large.txt -m HEAD~1 -m HEAD",
  ].join("\n"),
  operands: [
    { name: "<collector>", synopsis: "how to measure: time, memory, trace, complexity, perf, counters, node, command" },
    { name: "[command...]", synopsis: "the command and its arguments, after --" },
  ],
  options: [
    { flags: "-c, --cmd <command>", synopsis: "command to measure (default: the configuration's)", repeat: true },
    { flags: "-w, --workload <words>", synopsis: "arguments for it", repeat: true },
    { flags: "-p, --params <yaml>", synopsis: "options of the collector, or a file with them", repeat: true },
    ...jobOptions,
  ],
  formats: ["json"],
  async run(session, args) {
    const words = args.rest(1);
    if (words.length > 0 && args.texts("cmd").length > 0)
      throw new Failure("unusable-combination", { what: "a command is given both by --cmd and after --", instead: "use one of them" });
    const options = {
      ...runOptionsOf(session, args),
      collector: args.operand(0),
      cmds: [...args.texts("cmd"), ...(words.length > 0 ? [quoteCommand(words)] : [])],
      workloads: args.texts("workload"),
      params: mergedParams(session, args.texts("params")),
    };
    return reportJobs(session, await watched(session, (watcher) => measure(session.workspace, options, watcher)));
  },
};
