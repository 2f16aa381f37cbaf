import type { Arguments } from "../../arguments.ts";
import type { Verb, OptionSpec } from "../../verb.ts";
import { config as perfkeepConfig } from "../../verbs/configuration/config.ts";
import { utils as perfkeepUtils } from "../../verbs/configuration/utilities.ts";
import { stats } from "../../verbs/maintenance/stats.ts";
import { temp } from "../../verbs/maintenance/temp.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { perfkeep, refuse, refusedOptions, type Refusal, switched } from "./delegate.ts";

const where: readonly OptionSpec[] = [
  { flags: "-l, --local", synopsis: "this instance's configuration" },
  { flags: "-h, --shared", synopsis: "your configuration for all instances" },
  { flags: "-n, --nearest", synopsis: "the first that has the key (default)" },
];

/** Perun's `-l`, `-h` and `-n` stand before get, set, edit and reset. */
export const config: Verb = {
  name: "config",
  summary: "read and change the configuration",
  details: groupDetails("", where),
  arrange(words) {
    const { options, operands, rest } = groupWords(words, where, 1, "perun config");
    return [...operands, ...options, ...rest];
  },
  subverbs: (perfkeepConfig.subverbs ?? []).map(({ name, summary, operands = [] }) => ({
    name,
    summary,
    operands,
    options: longOnly(where),
    run: (session, args) =>
      perfkeep(
        session,
        perfkeepConfig,
        [
          name,
          ...switched("--local", args.flag("local")),
          ...switched("--shared", args.flag("shared")),
          ...switched("--nearest", args.flag("nearest")),
        ],
        operands.map((_, at) => args.maybeOperand(at)).filter((word) => word !== undefined),
      ),
  })),
};

const refusals: readonly Refusal[] = [
  {
    flags: "--supported-type <type>",
    also: ["-st", "--supported-types"],
    repeat: true,
    reason: "a skeleton reads profiles of every type",
    instead: "refuse what it cannot read in its function, by kit.refuse",
  },
];

/** Perun writes into its own installation; here a plug-in belongs to the project. */
const create: Verb = {
  name: "create",
  summary: "write the skeleton of a plug-in into the project",
  operands: [
    { name: "<purpose>", synopsis: "collect, postprocess, view, check, vcs" },
    { name: "<name>", synopsis: "what users will call it" },
  ],
  options: [
    { flags: "--no-before-phase", synopsis: "collect: write no phase before the measurement", also: ["-nb"] },
    { flags: "--no-after-phase", synopsis: "collect: write no phase after the measurement", also: ["-na"] },
    { flags: "--no-edit", synopsis: "open no editor, which nothing here does", also: ["-ne"] },
    ...refusedOptions(refusals),
  ],
  run(session, args) {
    refuse(args, refusals);
    const name = args.operand(1).replaceAll("_", "-");
    return perfkeep(session, perfkeepUtils, ["create", ...phasesOf(args)], [args.operand(0), name]);
  },
};

/** Perun writes both unless it is told not to. No other plug-in has phases here, so there is none to leave out. */
function phasesOf(args: Arguments): string[] {
  if (args.operand(0) !== "collect") return [];
  return ["before", "after"]
    .filter((phase) => !args.switched(`${phase}Phase`).includes("false"))
    .map((phase) => `--phase=${phase}`);
}

export const utils: Verb = {
  name: "utils",
  summary: "plug-ins, statistics, temporary files",
  subverbs: [create, stats, temp],
};
