import { checkExperiments } from "../../../commands/experiments/check-experiments.ts";
import {
  deleteExperiment,
  requireDeletable,
  type DeleteTarget,
} from "../../../commands/experiments/delete-experiment.ts";
import { listExperiments } from "../../../commands/experiments/list-experiments.ts";
import { undeleteExperiment } from "../../../commands/experiments/undelete-experiment.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { runNumbers } from "../../verbs/options.ts";
import { databaseOf, everyOption, experimentOption, requiredExperiment } from "./options.ts";

const runOption = { flags: "-r, --run <number>", synopsis: "only this run", repeat: true };

function runsOf(args: Arguments): number[] {
  return runNumbers(args);
}

/** `delete` hides; undelete brings back, as perfbase does with runs. */
export const deleteVerb: Verb = {
  name: "delete",
  summary: "delete an experiment, runs of it, or a parameter set",
  options: [
    experimentOption,
    runOption,
    { flags: "-p, --pset <name>", synopsis: "only this parameter set" },
    { flags: "--file <path>", synopsis: "only the runs that came from this file" },
    { flags: "--dontask", synopsis: "do not ask" },
    { flags: "--force", synopsis: "drop them for good" },
    ...everyOption,
  ],
  async run(session, args) {
    const experiment = requiredExperiment(session, args);
    const place = databaseOf(session, args);
    const target = targetOf(args);
    if (!args.flag("dontask")) await requireDeletable(session.workspace, { experiment, target, ...place });
    if (!args.flag("dontask") && !(await session.confirm(`Delete from ${experiment}?`, "add --dontask"))) return 0;
    await deleteExperiment(session.workspace, { experiment, target, purge: args.flag("force"), ...place });
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
  summary: "bring deleted runs back, or a deleted experiment",
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
    { flags: "-f, --fix", synopsis: "mend what can be mended" },
    { flags: "-u, --update", synopsis: "renew the layout of the database, which any command does" },
    { flags: "-c, --clean", synopsis: "drop deleted runs for good" },
    { flags: "-t, --tune", synopsis: "nothing is to be tuned: the database keeps columns" },
    { flags: "-i, --index <values>", synopsis: "nothing is to be indexed, for the same reason" },
    ...everyOption,
  ],
  async run(session, args) {
    const experiment = args.flag("all") ? undefined : requiredExperiment(session, args);
    const place = databaseOf(session, args);
    if (args.flag("clean")) await clean(session, experiment, place);
    const fix = args.flag("fix") || args.flag("update");
    const { findings, mended } = await checkExperiments(session.workspace, {
      ...(experiment === undefined ? {} : { experiment }),
      fix,
      ...place,
    });
    for (const finding of findings) session.output.data(`${terminalText(JSON.stringify(finding))}\n`);
    return findings.length > mended.length ? exitStatus.found : exitStatus.fine;
  },
};

async function clean(
  { workspace }: Session,
  only: string | undefined,
  place: { readonly database?: string },
): Promise<void> {
  const names = only === undefined ? (await listExperiments(workspace, place)).map(({ name }) => name) : [only];
  for (const experiment of names)
    await deleteExperiment(workspace, { experiment, target: { deletedRuns: true }, purge: true, ...place });
}
