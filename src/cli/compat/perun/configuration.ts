import { getConfig } from "../../../commands/configuration/index.ts";
import { exitStatus } from "../../../core/failures/index.ts";
import { terminalLines, terminalText } from "../../../core/text/index.ts";
import type { Setting } from "../../../core/values/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb, OptionSpec } from "../../verb.ts";
import { config as perfkeepConfig } from "../../verbs/configuration/config.ts";
import { utils as perfkeepUtils } from "../../verbs/configuration/utilities.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { stats, temp } from "./listings.ts";
import { perfkeep, refuse, refusedOptions, type Refusal, switched } from "./delegate.ts";

const where: readonly OptionSpec[] = [
  { flags: "-l, --local", synopsis: "the configuration of this instance" },
  { flags: "-h, --shared", synopsis: "your configuration for all instances" },
  { flags: "-n, --nearest", synopsis: "the first file that has the key (default)" },
];

/** Perun accepts `-l`, `-h` and `-n` before get, set, edit and reset. */
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
      name === "get" && session.format === "text"
        ? printValue(session, args)
        : perfkeep(
            session,
            perfkeepConfig,
            [
              name,
              ...switched("--local", args.flag("local")),
              ...switched("--shared", args.flag("shared")),
              ...switched("--nearest", args.flag("nearest")),
            ],
            operands.map((_, at) => args.optionalOperand(at)).filter((word) => word !== undefined),
          ),
  })),
};

async function printValue({ workspace, output }: Session, args: Arguments): Promise<number> {
  const layer = args.flag("local") ? "local" : args.flag("shared") ? "shared" : "nearest";
  const { key, value } = await getConfig(workspace, layer, args.operand(0));
  output.data(`${terminalText(key)}: ${terminalLines(typeof value === "string" ? value : pythonText(value))}\n`);
  return exitStatus.fine;
}

/** A value as Python's `repr` spells it: Perun prints lists and sections on one line. */
function pythonText(value: Setting): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return quoted(value);
  if (value instanceof Map)
    return `{${[...value].map(([key, each]) => `${quoted(key)}: ${pythonText(each as Setting)}`).join(", ")}}`;
  return `[${(value as readonly Setting[]).map(pythonText).join(", ")}]`;
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

/** In single quotes, in double ones if only single ones occur. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll(/[\n\r\t\\]/g, (character) => escapes[character] ?? character);
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

const refusals: readonly Refusal[] = [
  {
    flags: "--supported-type <type>",
    also: ["-st", "--supported-types"],
    repeat: true,
    reason: "a skeleton reads profiles of every type",
    instead: "reject unsupported profiles in its function with kit.refuse",
  },
];

/** Perun writes to its own installation; here a plug-in belongs to the project. */
const create: Verb = {
  name: "create",
  summary: "create the skeleton of a plug-in in the project",
  operands: [
    { name: "<purpose>", synopsis: "collect, postprocess, view, check, vcs" },
    { name: "<name>", synopsis: "name of the plug-in" },
  ],
  options: [
    { flags: "--no-before-phase", synopsis: "collect: omit the phase before the measurement", also: ["-nb"] },
    { flags: "--no-after-phase", synopsis: "collect: omit the phase after the measurement", also: ["-na"] },
    { flags: "--no-edit", synopsis: "no effect: no editor is opened", also: ["-ne"] },
    ...refusedOptions(refusals),
  ],
  run(session, args) {
    refuse(args, refusals);
    const name = args.operand(1).replaceAll("_", "-");
    return perfkeep(session, perfkeepUtils, ["create", ...phasesOf(args)], [args.operand(0), name]);
  },
};

/** Perun creates both phases by default. Only collectors have phases here. */
function phasesOf(args: Arguments): string[] {
  if (args.operand(0) !== "collect") return [];
  return ["before", "after"]
    .filter((phase) => !args.switched(`${phase}Phase`).includes("false"))
    .map((phase) => `--phase=${phase}`);
}

export const utils: Verb = {
  name: "utils",
  summary: "manage plug-ins, statistics and temporary files",
  subverbs: [create, stats, temp],
};
