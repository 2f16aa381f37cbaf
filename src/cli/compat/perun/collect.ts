import { collectorsNamed, type PluginOptions } from "../../../commands/jobs/collect.ts";
import { Failure } from "../../../core/failures/failure.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { collect as perfkeepCollect } from "../../verbs/profiles/collect.ts";
import { postprocessby as perfkeepPostprocessby } from "../../verbs/profiles/postprocessby.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep, refuse, refusedOptions, switched, type Refusal } from "./delegate.ts";

/** Perun's short spellings of the options of its collectors, by our names of collectors and options. */
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

/** Options that take two words each time; a line of ours has both. */
const inPairs: ReadonlySet<string> = new Set(["complexity sampling"]);

/** The options of a collector for the command line: their own names, and Perun's letters. */
export function collectorSpecs({ name: collector, options }: PluginOptions): OptionSpec[] {
  return options.map((option) => {
    const { name, type, synopsis = "", default: otherwise, valid } = option;
    const word = spellings[collector]?.[name];
    const letter = word?.length === 2 ? `${word}, ` : "";
    const shown = otherwise === null || otherwise === undefined ? "" : ` (default: ${String(otherwise)})`;
    return {
      flags: `${letter}--${name}${isSwitch(option) ? "" : ` <${type}>`}`,
      synopsis: `${synopsis}${shown}`,
      ...(word !== undefined && letter === "" ? { also: [word] } : {}),
      ...(valid ? { choices: valid.map(String) } : {}),
      // A text has a line for each.
      ...(type === "text" ? { repeat: true } : {}),
      ...(inPairs.has(`${collector} ${name}`) ? { words: 2 as const } : {}),
    };
  });
}

/** What was given of them, as `--params` of perfkeep takes it; nothing where nothing was. */
export function collectorParams({ name: collector, options }: PluginOptions, args: Arguments): string[] {
  const given = options.flatMap((option): [string, unknown][] => {
    const { name, type } = option;
    // The parser takes `--no-x` for the opposite of `--x`.
    const key = name.replace(/^no-/, "").replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    if (isSwitch(option)) return args.switched(key)[0] === String(!name.startsWith("no-")) ? [[name, true]] : [];
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

function listed(name: string, texts: readonly string[]): [string, unknown][] {
  return texts.length === 0 ? [] : [[name, texts]];
}

/** One that is on has to be told off by a word. */
function isSwitch({ type, default: otherwise }: Variable): boolean {
  return type === "boolean" && otherwise !== true;
}

/** `--args` was taken out of Perun, which reads and drops it. */
export const refusedArguments: Refusal = {
  flags: "-a, --args <words>",
  repeat: true,
  reason: "a command has no arguments beside its workload",
  instead: "put them into -w, or into the command",
};

const noOptimization = {
  reason: "calls are not left out by what earlier profiles tell",
  instead: "leave it out, and name the functions to trace",
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

/** What stands before the collector. */
const group: readonly OptionSpec[] = [
  { flags: "--profile-name <name>", synopsis: "name of the profiles", also: ["-pn"] },
  {
    flags: "-m, --minor-version <rev>",
    synopsis: "version to measure in a tree of its own (default: the tree as it is)",
    repeat: true,
    also: ["--minor"],
  },
  { flags: "--crawl-parents", synopsis: "measure all ancestors of these versions as well", also: ["-cp"] },
  { flags: "-c, --cmd <command>", synopsis: "command to measure (default: the configuration's)", repeat: true },
  { flags: "-w, --workload <words>", synopsis: "arguments for it", repeat: true },
  { flags: "-p, --params <yaml>", synopsis: "options of the collector, or a file with them", repeat: true },
  { flags: "--output-filename-template <text>", synopsis: "name of the profiles, made of tokens", also: ["-ot"] },
  ...refusedOptions(refusals),
];

const command = "perun collect";

/** The verb with the collector that the words name as its subverb, or with all of them where none is named. */
export async function collect({ workspace }: Session, words: readonly string[]): Promise<Verb> {
  const name = groupWords(words, group, 1, command).operands[0];
  return {
    name: "collect",
    summary: "measure a command",
    details: groupDetails(
      "Behind the collector stand its own options: collect [-c COMMAND] [-w WORKLOAD] … COLLECTOR [its options].",
      group,
    ),
    arrange(given) {
      const { options, operands, rest } = groupWords(given, group, 1, command);
      return [...operands, ...options, ...rest];
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
    run: (session, args) => run(session, args, collector),
  };
}

function run(session: Session, args: Arguments, collector: PluginOptions): Promise<number> {
  refuse(args, refusals);
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
      [template ?? name?.replaceAll("%", "%%")].filter((text) => text !== undefined),
    ),
    ...pairs("--params", args.texts("params")),
    ...collectorParams(collector, args),
  ];
  return perfkeep(session, perfkeepCollect, options, [collector.name]);
}

/** Ours takes Perun's words as they are; here it gives Perun's numbers as well. */
export async function postprocessby(session: Session, words: readonly string[]): Promise<Verb> {
  const verb = await perfkeepPostprocessby(session, words);
  const arranged = (given: readonly string[]): readonly string[] => verb.arrange?.(given) ?? given;
  return { ...verb, arrange: (given) => withCompat(arranged(given)) };
}

/** Behind the unit and the profile, which come first. */
function withCompat(words: readonly string[]): readonly string[] {
  return words.length < 2 ? words : [...words.slice(0, 2), "--compat=perun", ...words.slice(2)];
}
