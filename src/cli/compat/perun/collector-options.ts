import type { PluginOptions } from "../../../commands/jobs/list-collectors.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import type { Arguments } from "../../arguments.ts";
import type { OptionSpec } from "../../verb.ts";

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
