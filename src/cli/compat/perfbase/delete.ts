import {
  checkExperiments,
  deleteExperiment,
  requireDeletable,
  type DeleteTarget,
  listExperiments,
  undeleteExperiment,
} from "../../../commands/experiments/index.ts";
import type { RunName } from "../../../core/experiments/index.ts";
import { exitStatus } from "../../../core/failures/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { confirmOrFail } from "../../confirm.ts";
import { runNames } from "../../verbs/options.ts";
import { databaseOf, everyOption, experimentOption, requiredExperiment } from "./options.ts";

const runOption = { flags: "-r, --run <name>", synopsis: "only this run, by number or label", repeat: true };

function runsOf(args: Arguments): RunName[] {
  return runNames(args);
}

/** Deleted runs and experiments can be restored with undelete, as in perfbase. */
export const deleteVerb: Verb = {
  name: "delete",
  summary: "delete an experiment, runs of it, or a parameter set",
  options: [
    experimentOption,
    runOption,
    { flags: "-p, --pset <name>", synopsis: "only this parameter set" },
    { flags: "--file <path>", synopsis: "only runs imported from this file" },
    { flags: "--dontask", synopsis: "do not ask for confirmation" },
    { flags: "--force", synopsis: "delete permanently" },
    ...everyOption,
  ],
  async run(session, args) {
    const experiment = requiredExperiment(session, args);
    const location = databaseOf(session, args);
    const target = targetOf(args);
    if (!args.flag("dontask")) await requireDeletable(session.workspace, { experiment, target, ...location });
    if (!args.flag("dontask"))
      await confirmOrFail(session, `Delete from ${experiment}?`, "nothing was deleted", "add --dontask");
    await deleteExperiment(session.workspace, { experiment, target, purge: args.flag("force"), ...location });
    return 0;
  },
};

function targetOf(args: Arguments): DeleteTarget {
  const runs = runsOf(args);
  const [parameterSet, file] = [args.text("pset"), args.text("file")];
  if (runs.length > 0) return { runs };
  if (parameterSet !== undefined) return { parameterSet };
  return file === undefined ? { whole: true } : { file };
}

export const undelete: Verb = {
  name: "undelete",
  summary: "restore deleted runs or a deleted experiment",
  options: [experimentOption, runOption, ...everyOption],
  async run(session, args) {
    const runs = runsOf(args);
    const experiment = requiredExperiment(session, args);
    await undeleteExperiment(session.workspace, {
      experiment,
      ...(runs.length === 0 ? {} : { runs }),
      force: false,
      ...databaseOf(session, args),
    });
    return 0;
  },
};

export const check: Verb = {
  name: "check",
  summary: "check the consistency of experiments",
  options: [
    experimentOption,
    { flags: "-a, --all", synopsis: "all experiments" },
    { flags: "-f, --fix", synopsis: "repair problems" },
    { flags: "-u, --update", synopsis: "update the database schema, which every command does" },
    { flags: "-c, --clean", synopsis: "permanently delete runs that were deleted before" },
    { flags: "-t, --tune", synopsis: "no effect: the database stores columns" },
    { flags: "-i, --index <values>", synopsis: "no effect: the database needs no index" },
    ...everyOption,
  ],
  async run(session, args) {
    const experiment = args.flag("all") ? undefined : requiredExperiment(session, args);
    const location = databaseOf(session, args);
    if (args.flag("clean")) await clean(session, experiment, location);
    const fix = args.flag("fix") || args.flag("update");
    const { findings, repaired } = await checkExperiments(session.workspace, {
      ...(experiment === undefined ? {} : { experiment }),
      fix,
      ...location,
    });
    for (const finding of findings) session.output.data(`${terminalText(JSON.stringify(finding))}\n`);
    return findings.length > repaired.length ? exitStatus.found : exitStatus.fine;
  },
};

async function clean(
  { workspace }: Session,
  only: string | undefined,
  location: { readonly database?: string },
): Promise<void> {
  const names = only === undefined ? (await listExperiments(workspace, location)).map(({ name }) => name) : [only];
  for (const experiment of names)
    await deleteExperiment(workspace, { experiment, target: { deletedRuns: true }, purge: true, ...location });
}
