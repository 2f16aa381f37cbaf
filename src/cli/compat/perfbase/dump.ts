import { dumpExperiment } from "../../../commands/experiments/dump-experiment.ts";
import { restoreExperiment } from "../../../commands/experiments/restore-experiment.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import { formatTimestamp } from "../../../core/values/date-time.ts";
import type { Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { databaseOf, everyOption, experimentOption, requiredExperiment, requiredText } from "./options.ts";
import { inPlaceOf } from "./replace-experiment.ts";

export const dump: Verb = {
  name: "dump",
  summary: "write an experiment with all it has into a file",
  options: [
    experimentOption,
    { flags: "-f, --file <file>", synopsis: "the dump (default: the experiment's name and the time in UTC)" },
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
  summary: "make an experiment again from a dump",
  options: [
    { flags: "-f, --file <file>", synopsis: "the dump" },
    { ...experimentOption, synopsis: "another name than the experiment had" },
    { flags: "--force", synopsis: "delete an experiment of that name first" },
    ...everyOption,
  ],
  async run(session, args) {
    const [from, as, place] = [requiredText(args, "file", "-f FILE"), args.text("exp"), databaseOf(session, args)];
    const make = () => restoreExperiment(session.workspace, { from, ...(as === undefined ? {} : { as }), ...place });
    const { experiment } = await inPlaceOf(session, { force: args.flag("force"), ...place }, make);
    session.output.data(`#* Experiment '${terminalText(experiment)}' is restored from ${terminalText(from)}\n`);
    return 0;
  },
};
