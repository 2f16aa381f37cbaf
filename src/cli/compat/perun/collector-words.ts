import type { PluginOptions } from "../../../commands/plugin-options.ts";
import type { Arguments } from "../../arguments.ts";
import type { OptionSpec } from "../../verb.ts";

/** Perun's short spellings of the options of its collectors, by ours of the collector and of the option. */
const spellings: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  time: { warmup: ["-w"], repeat: ["-r"] },
  memory: { sampling: ["-s"], all: ["-a"] },
  perf: { "with-sudo": ["-s"], warmup: ["-w"], repeat: ["-r"] },
};

/** The options of a collector for the command line: their own names, and Perun's letters. */
export function collectorSpecs({ name, options }: PluginOptions): OptionSpec[] {
  const known = spellings[name] ?? {};
  return options.map(({ name: option, type, synopsis = "", default: otherwise, valid }) => {
    const words = known[option] ?? [];
    const letter = words.find((word) => word.length === 2);
    const also = words.filter((word) => word !== letter);
    const shown = otherwise === null || otherwise === undefined ? "" : ` (default: ${String(otherwise)})`;
    return {
      flags: `${letter === undefined ? "" : `${letter}, `}--${option}${type === "boolean" && otherwise !== true ? "" : ` <${type}>`}`,
      synopsis: `${synopsis}${shown}`,
      ...(also.length > 0 ? { also } : {}),
      ...(valid ? { choices: valid.map(String) } : {}),
      // A text has a line for each.
      ...(type === "text" ? { repeat: true } : {}),
    };
  });
}

/** What was given of them, as `--params` of perfkeep takes it; nothing where nothing was. */
export function collectorParams({ options }: PluginOptions, args: Arguments): string[] {
  const given = options.flatMap(({ name, type }): [string, unknown][] => {
    const key = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    if (args.flag(key)) return [[name, true]];
    const texts = args.texts(key);
    return texts.length === 0 ? [] : [[name, type === "text" ? texts : texts.at(-1)]];
  });
  return given.length === 0 ? [] : [`--params=${JSON.stringify(Object.fromEntries(given))}`];
}
