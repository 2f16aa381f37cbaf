import {
  showExperiment,
  createExperiment,
  deleteExperiment,
  dumpExperiment,
  restoreExperiment,
  undeleteExperiment,
  updateExperiment,
} from "../../../commands/experiments/index.ts";
import { Failure, isFailure } from "../../../core/failures/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import { formatTimestamp } from "../../../core/values/index.ts";
import { confirmServerOf } from "../../confirm.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { noteNewDatabase } from "../../verbs/experiments/experiment.ts";
import { version } from "../../version.ts";
import {
  databaseOf,
  everyOption,
  experimentOption,
  namedExperiment,
  requiredExperiment,
  requiredText,
} from "./options.ts";

export const dump: Verb = {
  name: "dump",
  summary: "write a complete experiment to a file",
  options: [
    experimentOption,
    { flags: "-f, --file <file>", synopsis: "dump file (default: name of the experiment and time in UTC)" },
    ...everyOption,
  ],
  async run(session, args) {
    const experiment = requiredExperiment(session, args);
    const to = args.text("file") ?? `${experiment}__${minute(session.world.now())}.tar.gz`;
    await dumpExperiment(session.workspace, {
      name: experiment,
      to,
      program: `perfkeep ${version}`,
      ...databaseOf(session, args),
    });
    session.output.data(`#* Experiment '${terminalText(experiment)}' is dumped in ${terminalText(to)}\n`);
    return 0;
  },
};

/** `20041123_1830` */
function minute(now: number): string {
  const [day = "", clock = ""] = formatTimestamp(now * 1000).split("T");
  return `${day.replaceAll("-", "")}_${clock.slice(0, 5).replace(":", "")}`;
}

export const restore: Verb = {
  name: "restore",
  summary: "restore an experiment from a dump",
  options: [
    { flags: "-f, --file <file>", synopsis: "dump file" },
    { ...experimentOption, synopsis: "new name of the experiment" },
    { flags: "--force", synopsis: "delete an experiment of the same name first" },
    ...everyOption,
  ],
  async run(session, args) {
    const [from, as, location] = [requiredText(args, "file", "-f FILE"), args.text("exp"), databaseOf(session, args)];
    const make = () => restoreExperiment(session.workspace, { from, ...(as === undefined ? {} : { as }), ...location });
    const { experiment } = await replacingExperiment(session, { force: args.flag("force"), ...location }, make);
    session.output.data(`#* Experiment '${terminalText(experiment)}' is restored from ${terminalText(from)}\n`);
    return 0;
  },
};

export const setup: Verb = {
  name: "setup",
  summary: "create an experiment from its description, or print the description",
  options: [
    { flags: "-d, --desc <file>", synopsis: "experiment description", also: ["--description", "--xml"] },
    experimentOption,
    { flags: "-f, --force", synopsis: "delete an experiment of the same name first" },
    { flags: "-g, --get", synopsis: "print the description of an experiment" },
    ...everyOption,
  ],
  async run(session, args) {
    const location = databaseOf(session, args);
    if (args.flag("get")) {
      const experiment = requiredExperiment(session, args);
      session.output.data(await showExperiment(session.workspace, { experiment, spelling: "xml", ...location }));
      return 0;
    }
    const file = requiredText(args, "desc", "-d FILE");
    const name = args.text("exp");
    const make = () =>
      createExperiment(session.workspace, {
        file,
        ...(name === undefined ? {} : { name }),
        likePerfbase: true,
        ...confirmServerOf(session),
        ...location,
      });
    noteNewDatabase(session, await replacingExperiment(session, { force: args.flag("force"), ...location }, make));
    return 0;
  },
};

export const update: Verb = {
  name: "update",
  summary: "change an experiment",
  operands: [{ name: "[file]", synopsis: "refused, as by perfbase: give it with -d" }],
  options: [
    { flags: "-d, --desc <file>", synopsis: "experiment_update", also: ["--description", "--xml"] },
    experimentOption,
    ...everyOption,
  ],
  async run(session, args) {
    if (args.optionalOperand(0) !== undefined)
      throw new Failure("bad-usage", { reason: "-d is missing before the file", command: "perfbase update" });
    const name = namedExperiment(session, args);
    const file = requiredText(args, "desc", "-d FILE");
    await updateExperiment(session.workspace, {
      file,
      ...(name === undefined ? {} : { experiment: name }),
      dryRun: false,
      relabel: true,
      ...databaseOf(session, args),
    });
    return 0;
  },
};

/** Creates an experiment. With `force`, deletes one of the same name first and restores it if the creation fails. */
async function replacingExperiment<T>(
  { workspace }: Session,
  { force, ...location }: { readonly force: boolean; readonly database?: string },
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!force || !isFailure(error, "experiment-exists")) throw error;
    const experiment = String(error.data["experiment"]);
    await deleteExperiment(workspace, { experiment, target: { whole: true }, purge: false, ...location });
    return make().catch(async (reason: unknown) => {
      await undeleteExperiment(workspace, { experiment, force: false, ...location });
      throw reason;
    });
  }
}
