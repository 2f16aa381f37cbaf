import { collectorsNamed, type PluginOptions } from "../../../commands/jobs/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { collect as perfkeepCollect } from "../../verbs/profiles/collect.ts";
import { postprocessby as perfkeepPostprocessby } from "../../verbs/profiles/postprocessby.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep, refuse, refusedOptions, switched, type Refusal } from "./delegate.ts";

/** Perun's short flags of collector options, by our names. */
const spellings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  time: { warmup: "-w", repeat: "-r" },
  memory: { sampling: "-s", all: "-a" },
  perf: { "with-sudo": "-s", warmup: "-w", repeat: "-r" },
  complexity: {
    "target-dir": "-t",
    files: "-f",
    rules: "-r",
    sampling: "-s",
    "internal-data-filename": "-if",
    "internal-storage-size": "-is",
    "internal-direct-output": "-id",
  },
  trace: {
    engine: "-e",
    strategy: "-s",
    func: "-f",
    usdt: "-u",
    dynamic: "-d",
    "global-sampling": "-g",
    binary: "-b",
    libs: "-l",
    timeout: "-t",
    "zip-temps": "-z",
    "keep-temps": "-k",
    "verbose-trace": "-vt",
    quiet: "-q",
    watchdog: "-w",
    "output-handling": "-o",
    diagnostics: "-i",
    "stap-cache-off": "-sc",
    "no-profile": "-np",
  },
};

/** Options with two words each time, joined to one value. */
const inPairs: ReadonlySet<string> = new Set(["complexity sampling"]);

const noCallGraph = {
  reason: "no call graph limits tracing",
  instead: "remove it, and name the functions to trace",
} as const;

/** Options of collectors that are refused. */
const collectorRefusals: Readonly<Record<string, readonly Refusal[]>> = {
  trace: [
    { flags: "--extract-mixed-cg", also: ["-mcg"], ...noCallGraph },
    { flags: "--only-extract-cg", also: ["-cg"], ...noCallGraph },
    { flags: "--mt", also: ["-mt"], reason: "every thread is traced", instead: "remove it" },
    { flags: "--nds", also: ["-nds"], reason: "sampling never changes in a run", instead: "remove it" },
  ],
};

/** The command-line options of a collector, with Perun's short flags. */
export function collectorSpecs(collector: PluginOptions): OptionSpec[] {
  const negations = collector.options.filter((option) => option.type === "boolean" && option.default === null);
  return [
    ...ownSpecs(collector),
    ...negations.map(({ name }) => ({ flags: `--no-${name}`, synopsis: `disable --${name}` })),
    ...refusedOptions(collectorRefusals[collector.name] ?? []),
  ];
}

function ownSpecs({ name: collector, options }: PluginOptions): OptionSpec[] {
  return options.map((option) => {
    const { name, type, synopsis = "", default: defaultValue, valid } = option;
    const word = spellings[collector]?.[name];
    const letter = word?.length === 2 ? `${word}, ` : "";
    const shown = defaultValue === null || defaultValue === undefined ? "" : ` (default: ${String(defaultValue)})`;
    return {
      flags: `${letter}--${name}${isSwitch(option) ? "" : ` <${type}>`}`,
      synopsis: `${synopsis}${shown}`,
      ...(word !== undefined && letter === "" ? { also: [word] } : {}),
      ...(valid ? { choices: valid.map(String) } : {}),
      // Repeated texts become lines.
      ...(type === "text" ? { repeat: true } : {}),
      ...(inPairs.has(`${collector} ${name}`) ? { words: 2 as const } : {}),
    };
  });
}

/** The given options as `--params` of perfkeep; empty if there are none. */
export function collectorParams({ name: collector, options }: PluginOptions, args: Arguments): string[] {
  const given = options.flatMap((option): [string, unknown][] => {
    const { name, type } = option;
    // The parser treats `--no-x` as the negation of `--x`.
    const key = name.replace(/^no-/, "").replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    if (collector === "trace" && name === "quiet") return [];
    if (isSwitch(option)) return switchedOn(args.switched(key)[0], option);
    if (inPairs.has(`${collector} ${name}`))
      return listed(
        name,
        args.pairs(key).map((pair) => pair.join(" ")),
      );
    const texts = args.texts(key);
    return type === "text" ? listed(name, texts) : texts.slice(-1).map((text) => [name, text]);
  });
  return given.length === 0 ? [] : [`--params=${JSON.stringify(Object.fromEntries(given))}`];
}

/** A switch without a default can be turned off, too. */
function switchedOn(given: string | undefined, { name, default: defaultValue }: Variable): [string, unknown][] {
  if (given === String(!name.startsWith("no-"))) return [[name, true]];
  return given === "false" && defaultValue === null ? [[name, false]] : [];
}

function listed(name: string, texts: readonly string[]): [string, unknown][] {
  return texts.length === 0 ? [] : [[name, texts]];
}

/** Whether the option is a switch; one that is on by default takes a value. */
function isSwitch({ type, default: defaultValue }: Variable): boolean {
  return type === "boolean" && defaultValue !== true;
}

/** Perun ignores `--args`, which was removed. */
export const refusedArguments: Refusal = {
  flags: "-a, --args <words>",
  repeat: true,
  reason: "a command has no arguments except its workload",
  instead: "add them to -w or to the command",
};

const noOptimization = {
  reason: "earlier profiles do not limit tracing",
  instead: "remove it, and name the functions to trace",
} as const;

const refusals: readonly Refusal[] = [
  refusedArguments,
  { flags: "--optimization-pipeline <name>", also: ["-op"], ...noOptimization },
  { flags: "--optimization-on <name>", also: ["-on"], repeat: true, ...noOptimization },
  { flags: "--optimization-off <name>", also: ["-off"], repeat: true, ...noOptimization },
  { flags: "--optimization-args <words>", also: ["-oa"], words: 2, ...noOptimization },
  { flags: "--optimization-cache-off", ...noOptimization },
  { flags: "--optimization-reset-cache", ...noOptimization },
  { flags: "--use-cg-type <name>", also: ["-cg"], ...noOptimization },
];

/** Options before the collector. */
const group: readonly OptionSpec[] = [
  { flags: "--profile-name <name>", synopsis: "profile name", also: ["-pn"] },
  {
    flags: "-m, --minor-version <rev>",
    synopsis: "commit to measure in a work tree of its own (default: the working tree)",
    repeat: true,
    also: ["--minor"],
  },
  { flags: "--crawl-parents", synopsis: "also measure all ancestors of these commits", also: ["-cp"] },
  { flags: "-c, --cmd <command>", synopsis: "command to measure (default: as configured)", repeat: true },
  { flags: "-w, --workload <words>", synopsis: "arguments of the command", repeat: true },
  { flags: "-p, --params <yaml>", synopsis: "options of the collector, or a file with them", repeat: true },
  { flags: "--output-filename-template <text>", synopsis: "template of profile names", also: ["-ot"] },
  ...refusedOptions(refusals),
];

const command = "perun collect";

/** The verb with the named collector as subverb, or all collectors if none is named. */
export async function collect({ workspace }: Session, words: readonly string[]): Promise<Verb> {
  const name = groupWords(words, group, 1, command).operands[0];
  return {
    name: "collect",
    summary: "measure a command",
    details: groupDetails(
      "Options of the collector follow its name: collect [-c COMMAND] [-w WORKLOAD] … COLLECTOR [options].",
      group,
    ),
    arrange(given) {
      const { options, operands, rest } = groupWords(given, group, 1, command);
      return [...operands, ...options, ...rest.map((word) => (word === "--no-usdt" ? "--no-with-usdt" : word))];
    },
    subverbs: (await collectorsNamed(workspace.registry, name)).map((collector) =>
      subverb(collector, name ?? collector.name),
    ),
  };
}

function subverb(collector: PluginOptions, name: string): Verb {
  const specs = collectorSpecs(collector);
  const taken = new Set(specs.map(({ flags }) => flags.replace(/^-\w, /, "").split(" ", 1)[0]));
  const shared = longOnly(group).filter(({ flags }) => !taken.has(flags.split(" ", 1)[0]));
  return {
    name,
    summary: collector.synopsis,
    options: [...specs, ...shared],
    run: (session, args) => run(session, args, collector, name),
  };
}

function run(session: Session, args: Arguments, collector: PluginOptions, as: string): Promise<number> {
  refuse(args, [...refusals, ...(collectorRefusals[collector.name] ?? [])]);
  const [name, template] = [args.text("profileName"), args.text("outputFilenameTemplate")];
  if (name !== undefined && template !== undefined)
    throw new Failure("unusable-combination", {
      what: "-pn and -ot both name the profiles",
      instead: "give one of them",
    });
  const options = [
    ...pairs("--cmd", args.texts("cmd")),
    ...pairs("--workload", args.texts("workload")),
    ...pairs("--minor", args.texts("minorVersion")),
    ...switched("--crawl-parents", args.flag("crawlParents")),
    ...pairs(
      "--output-filename-template",
      [template ?? name?.replaceAll("%", "%%")].filter((text) => text !== undefined).map(withoutExtension),
    ),
    ...pairs("--params", args.texts("params")),
    ...collectorParams(collector, args),
    ...switched("--quiet", collector.name === "trace" && args.flag("quiet")),
  ];
  return perfkeep(session, perfkeepCollect, options, [as]);
}

/** Names end in .perf in any case. */
function withoutExtension(template: string): string {
  return template.replace(/[.]perf$/, "");
}

/** perfkeep postprocessby with Perun's numbers; it accepts Perun's arguments. */
export async function postprocessby(session: Session, words: readonly string[]): Promise<Verb> {
  const verb = await perfkeepPostprocessby(session, words);
  const arranged = (given: readonly string[]): readonly string[] => verb.arrange?.(given) ?? given;
  return { ...verb, arrange: (given) => withCompat(arranged(given)) };
}

/** Inserts the option after unit and profile. */
function withCompat(words: readonly string[]): readonly string[] {
  return words.length < 2 ? words : [...words.slice(0, 2), "--compat=perun", ...words.slice(2)];
}
