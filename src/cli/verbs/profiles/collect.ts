import {
  collectAndImport,
  type CollectedAndImported,
  collect as measure,
  type CollectOptions,
} from "../../../commands/jobs/index.ts";
import { counted, quoteCommand, terminalText } from "../../../core/text/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { printExperiment } from "../import/import-reports.ts";
import { jobOptions, runOptionsOf, withProgress, mergedParams, reportJobs } from "./job-options.ts";
import { databaseOf, databaseOption } from "../options.ts";

export const collect: Verb = {
  name: "collect",
  summary: "measure a command",
  details: [
    "Without -m the working tree is measured; with it, each commit in a clean work tree of its own.",
    "The command is not run by a shell: quotes and backslashes work, nothing else is expanded.",
    "Profiles become pending, or are registered at once if profiles.register_after_run is set.",
    "",
    "Examples: perfkeep collect time -p 'repeat: 20' -- ./bench --size 100",
    "          perfkeep collect time -c ./bench -w small.txt -w large.txt -m HEAD~1 -m HEAD",
    "          perfkeep collect command --from csv --from-params 'parameters: [threads]' -- ./bench --csv",
    "          perfkeep collect command --from auto --result out.json -- pytest --benchmark-json=out.json",
  ].join("\n"),
  operands: [
    { name: "<collector>", synopsis: "collector: time, memory, trace, complexity, perf, counters, node, command" },
    { name: "[command...]", synopsis: "the command and its arguments, after --" },
  ],
  options: [
    { flags: "-c, --cmd <command>", synopsis: "command to measure (default: as configured)", repeat: true },
    { flags: "-w, --workload <words>", synopsis: "arguments of the command", repeat: true },
    { flags: "-p, --params <yaml>", synopsis: "options of the collector, or a file with them", repeat: true },
    {
      flags: "--from <format>",
      synopsis: "collector command: import the output, in this format or auto",
    },
    {
      flags: "--from-params <yaml>",
      synopsis: "--from: options of the format, or a file with them",
      repeat: true,
      advanced: true,
    },
    {
      flags: "--result <file>",
      synopsis: "--from: result file that the command writes, relative to its directory (default: its stdout)",
    },
    {
      flags: "-e, --experiment <name>",
      synopsis: "--from: target experiment (default: PERFKEEP_EXPERIMENT, else the format)",
    },
    {
      flags: "--as <what>",
      synopsis: "--from: only create profiles, import no runs",
      choices: ["profile"],
      advanced: true,
    },
    databaseOption,
    ...jobOptions,
  ],
  formats: ["json"],
  async run(session, args) {
    const words = args.rest(1);
    if (words.length > 0 && args.texts("cmd").length > 0)
      throw new Failure("unusable-combination", {
        what: "a command both by --cmd and after --",
        instead: "use one of them",
      });
    const options = {
      ...runOptionsOf(session, args),
      collector: args.operand(0),
      cmds: [...args.texts("cmd"), ...(words.length > 0 ? [quoteCommand(words)] : [])],
      workloads: args.texts("workload"),
      params: mergedParams(session, args.texts("params")),
    };
    const from = args.text("from");
    if (from !== undefined) return measureAndImport(session, args, { ...options, from });
    refuseImportOptions(args);
    return reportJobs(session, await withProgress(session, (watcher) => measure(session.workspace, options, watcher)));
  },
};

async function measureAndImport(
  session: Session,
  args: Arguments,
  options: CollectOptions & { readonly from: string },
): Promise<number> {
  const fromParams = mergedParams(session, args.texts("fromParams"));
  const [result, experiment, as] = ["result", "experiment", "as"].map((name) => args.text(name));
  let imported: CollectedAndImported["imported"];
  const jobs = await withProgress(session, async (watcher) => {
    const collected = await collectAndImport(
      session.workspace,
      {
        ...options,
        fromParams,
        ...(result === undefined ? {} : { result }),
        ...(experiment === undefined ? {} : { experiment }),
        ...databaseOf(args),
        profileOnly: as === "profile",
        notice: (file, line, text) => session.output.note(`${file}:${line}: ${text}`),
      },
      watcher,
    );
    imported = collected.imported;
    return collected.jobs;
  });
  if (imported === undefined) return reportJobs(session, jobs);
  const { experiment: name, importer, made, added } = imported;
  const runs = imported.runs.map(({ run, dataSets: rows }) => ({ run, rows }));
  if (session.format !== "json") {
    printExperiment(session, imported);
    session.output.report(`${counted(runs.length, "run")} of ${terminalText(name)} imported\n`);
  }
  return reportJobs(session, jobs, {
    imported: { experiment: name, importer, created: made, added, runs },
  });
}

/** Fails with `unusable-combination` for options that need --from. */
function refuseImportOptions(args: Arguments): void {
  const single = ["result", "experiment", "as", "db"].find((name) => args.text(name) !== undefined);
  const unusable = args.texts("fromParams").length > 0 ? "from-params" : single;
  if (unusable !== undefined)
    throw new Failure("unusable-combination", {
      what: `--${unusable} without --from`,
      instead: "add --from with a format or auto",
    });
}
