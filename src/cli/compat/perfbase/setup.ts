import { createExperiment } from "../../../commands/experiments/create-experiment.ts";
import { showExperiment } from "../../../commands/experiments/show-experiment.ts";
import { updateExperiment } from "../../../commands/experiments/update-experiment.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { confirmServerOf } from "../../confirm.ts";
import type { Verb } from "../../verb.ts";
import { noteFirst } from "../../verbs/experiments/experiment.ts";
import {
  databaseOf,
  everyOption,
  experimentOption,
  namedExperiment,
  requiredExperiment,
  requiredText,
} from "./options.ts";
import { inPlaceOf } from "./replace-experiment.ts";

export const setup: Verb = {
  name: "setup",
  summary: "make an experiment from its description, or print the description",
  options: [
    { flags: "-d, --desc <file>", synopsis: "experiment description", also: ["--description", "--xml"] },
    experimentOption,
    { flags: "-f, --force", synopsis: "delete an experiment of that name first" },
    { flags: "-g, --get", synopsis: "print the description of an experiment" },
    ...everyOption,
  ],
  async run(session, args) {
    const place = databaseOf(session, args);
    if (args.flag("get")) {
      const experiment = requiredExperiment(session, args);
      session.output.data(await showExperiment(session.workspace, { experiment, spelling: "xml", ...place }));
      return 0;
    }
    const file = requiredText(args, "desc", "-d FILE");
    const name = args.text("exp");
    const make = () =>
      createExperiment(session.workspace, {
        file,
        ...(name === undefined ? {} : { name }),
        ...confirmServerOf(session),
        ...place,
      });
    noteFirst(session, await inPlaceOf(session, { force: args.flag("force"), ...place }, make));
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
    if (args.maybeOperand(0) !== undefined)
      throw new Failure("bad-usage", { reason: "-d is missing before the file", command: "perfbase update" });
    const name = namedExperiment(session, args);
    const file = requiredText(args, "desc", "-d FILE");
    await updateExperiment(session.workspace, {
      file,
      ...(name === undefined ? {} : { experiment: name }),
      dryRun: false,
      ...databaseOf(session, args),
    });
    return 0;
  },
};
