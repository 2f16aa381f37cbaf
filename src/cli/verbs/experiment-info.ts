import { infoExperiment, type InfoOptions } from "../../commands/info-experiment.ts";
import { Failure } from "../../core/errors.ts";
import { terminalLines } from "../../core/terminal-text.ts";
import type { Arguments } from "../arguments.ts";
import { printContents } from "../print/run-contents.ts";
import { infoJson } from "../print/info-json.ts";
import { infoText } from "../print/info-text.ts";
import type { Session } from "../session.ts";
import type { Verb } from "../verb.ts";
import { databaseOf, databaseOption, runNumbers, words } from "./options.ts";

const contentKinds = ["all", "once", "multiple"] as const;

export const experimentInfo: Verb = {
  name: "info",
  summary: "describe an experiment and its runs",
  details: [
    "--range and --counts tell of active runs; of the chosen ones with --run, and of all with --deleted.",
    "",
    "Example: perfkeep experiment info b_eff_io --range S_chunk,B_write --counts op,S_chunk",
  ].join("\n"),
  operands: [{ name: "<experiment>", synopsis: "its name" }],
  options: [
    { flags: "--deleted", synopsis: "also runs that were deleted" },
    { flags: "--value <pattern>", synopsis: "only variables whose names this pattern finds" },
    { flags: "-r, --run <numbers>", synopsis: "only these runs, joined by commas", repeat: true },
    { flags: "--data <kind>", synopsis: "with --run: also its contents", choices: contentKinds },
    { flags: "-p, --pset <name>", synopsis: "also the contents of this parameter set" },
    {
      flags: "--range <names>",
      synopsis: "instead of that: least and greatest content of these variables, joined by commas",
      repeat: true,
    },
    {
      flags: "--counts [names]",
      synopsis: "the same: how many contents results have for each set of these parameters (default: all)",
    },
    { flags: "-d, --description", synopsis: "print the description as it can be given to create" },
    databaseOption,
  ],
  formats: ["json"],
  run: info,
};

async function info(session: Session, args: Arguments): Promise<number> {
  const found = await infoExperiment(session.workspace, optionsOf(args));
  const { output } = session;
  if (session.format === "json") output.document("perfkeep.experiment/1", infoJson(found));
  else if (args.flag("description")) output.data(output.toTerminal ? terminalLines(found.text) : found.text);
  else {
    output.data(await infoText(session, found));
    for (const contents of found.data ?? []) printContents(output, found.experiment, contents);
  }
  return 0;
}

function optionsOf(args: Arguments): InfoOptions {
  const [variables, parameterSet, runs] = [args.text("value"), args.text("pset"), runNumbers(args)];
  const data = contentKinds.find((kind) => kind === args.text("data"));
  if (data !== undefined && runs.length === 0)
    throw new Failure("unusable-combination", {
      what: "--data without --run",
      instead: "give --run, or use perfkeep export for all runs",
    });
  const ranges = words(args, "range");
  const counted = args.flag("counts") || args.text("counts") !== undefined;
  return {
    experiment: args.operand(0),
    deleted: args.flag("deleted"),
    ...(variables === undefined ? {} : { variables }),
    ...(parameterSet === undefined ? {} : { parameterSet }),
    ...(runs.length === 0 ? {} : { runs }),
    ...(data === undefined ? {} : { data }),
    ...(ranges.length === 0 ? {} : { ranges }),
    ...(counted ? { countsBy: words(args, "counts") } : {}),
    ...databaseOf(args),
  };
}
