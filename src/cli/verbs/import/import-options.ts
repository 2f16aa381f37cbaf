import { missingPolicies, type ImportOptions } from "../../../commands/import/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import { localeNames } from "../../../core/values/index.ts";
import type { OptionSpec } from "../../verb.ts";
import { databaseOption, parseSize } from "../options.ts";

export const descriptionOption: OptionSpec = {
  flags: "-d, --description <file>",
  synopsis: "input description: where to find the values",
  repeat: true,
  also: ["-i", "--input"],
};

export const attachedOption: OptionSpec = {
  flags: "-n, --attached <name>",
  synopsis: "input description attached to the experiment (perfkeep attach)",
  repeat: true,
};

export const experimentOptions: readonly OptionSpec[] = [
  {
    flags: "-e, --experiment <name>",
    synopsis: "target experiment (default: the one the description names, else PERFKEEP_EXPERIMENT)",
  },
  descriptionOption,
  attachedOption,
  { flags: "-f, --fixed <name=value>", synopsis: "set a variable, overriding the input", repeat: true },
  {
    flags: "--pset-use <names>",
    synopsis: "fixed values from parameter sets, comma-separated; the first set that has a value wins",
    repeat: true,
    advanced: true,
  },
  {
    flags: "--pset-store <name>",
    synopsis: "store the run's parameters as a parameter set, and no run",
    advanced: true,
  },
  {
    flags: "-u, --undefined <policy>",
    synopsis: "policy for variables the description does not define",
    choices: missingPolicies,
    advanced: true,
  },
  {
    flags: "-a, --missing <policy>",
    synopsis: "policy for values that are not found in the input",
    choices: missingPolicies,
  },
  { flags: "--join", synopsis: "concatenate all files into one input", advanced: true },
  {
    flags: "--sequential",
    synopsis: "with several descriptions, read their files one after another instead of row by row",
    advanced: true,
  },
  {
    flags: "--encoding <name>",
    synopsis: "character encoding (default: auto-detect)",
    choices: ["utf-8", "utf-16le", "utf-16be", "latin1"],
    advanced: true,
  },
  {
    flags: "--locale <language>",
    synopsis: "decimal sign and thousands separator of numbers, as in de or en (default: point, none)",
    choices: localeNames,
    advanced: true,
  },
  { flags: "--recursive", synopsis: "import all files below the given folders" },
  {
    flags: "--include <pattern>",
    synopsis: "with --recursive: only files with such a name or path (`*.out`, `runs/**/*.txt`)",
    repeat: true,
    advanced: true,
  },
  {
    flags: "--exclude <pattern>",
    synopsis: "with --recursive: skip files and folders with such a name or path",
    repeat: true,
    advanced: true,
  },
  { flags: "--label <name>", synopsis: "unique name of the run (default: date and time of the measurement)" },
  { flags: "--synopsis <text>", synopsis: "one-line description of the runs", advanced: true },
  { flags: "-p, --performed <time>", synopsis: "time of the measurement (default: now)" },
  {
    flags: "-m, --performed-from <source>",
    synopsis: "take the time of the measurement from the file's modification time",
    choices: ["file"],
    advanced: true,
  },
  { flags: "--force", synopsis: "import files that were imported before" },
  {
    flags: "--enforce <file>",
    synopsis: "import this file even if it was imported before",
    repeat: true,
    advanced: true,
  },
  {
    flags: "--stream-limit <size>",
    synopsis: "maximum size read from stdin or a pipe, or `none` (default: 16GiByte)",
    advanced: true,
  },
  { flags: "-t, --dry-run", synopsis: "print the values without storing them" },
  databaseOption,
];

/** Options of imports without a description. */
export const formatOptions: readonly OptionSpec[] = [
  {
    flags: "--params <yaml>",
    synopsis: "without a description: options of the format, or a file with them",
    repeat: true,
  },
  {
    flags: "--minor <rev>",
    synopsis: "without a description: measured commit (default: as recorded in the file, else HEAD)",
  },
];

/** Options of imports without a description that do not apply to profiles, except --from. */
export const reportOptions: readonly OptionSpec[] = [
  {
    flags: "--from <format>",
    synopsis: "without a description: format of the files (default: auto-detect)",
    means: ["importer"],
  },
  { flags: "--list-formats", synopsis: "list the formats that need no description" },
  { flags: "--explain", synopsis: "print the detected formats of each file without importing" },
];

/** Fails with `bad-usage` if one of the options is given. */
export function refuse(args: Arguments, options: readonly OptionSpec[], reason: string): void {
  const names = options.map(({ flags }) => /--([a-z-]+)/.exec(flags)?.[1] ?? "");
  const given = names.find((name) => {
    const key = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    return args.flag(key) || args.texts(key).length > 0;
  });
  if (given !== undefined) throw usage(`--${given} ${reason}`);
}

/** A notice on a line of a file, or on all of it. */
export function noticeText(file: string, line: number, text: string): string {
  return `${file}:${line === 0 ? "" : `${line}:`} ${text}`;
}

export function usage(reason: string): Failure {
  return new Failure("bad-usage", { reason, command: "perfkeep import" });
}

export function givenTexts<N extends string>(args: Arguments, names: readonly N[]): { [name in N]?: string } {
  const given = names.flatMap((name): [N, string][] =>
    args.text(name) === undefined ? [] : [[name, args.text(name)!]],
  );
  return Object.fromEntries(given) as { [name in N]?: string };
}

export function performedOf(args: Arguments): Pick<ImportOptions, "performed"> {
  const [given, from] = [args.text("performed"), args.text("performedFrom")];
  if (given !== undefined && from !== undefined)
    throw new Failure("unusable-combination", {
      what: "--performed and --performed-from exclude each other",
      instead: "give one of both",
    });
  if (from !== undefined) return { performed: { from: "file" } };
  return given === undefined ? {} : { performed: given };
}

/** Fails with `bad-usage` for patterns without --recursive. */
export function recursiveOf(args: Arguments): Pick<ImportOptions, "recursive"> {
  const selection = { include: args.texts("include"), exclude: args.texts("exclude") };
  if (args.flag("recursive")) return { recursive: selection };
  if (selection.include.length + selection.exclude.length > 0)
    throw usage("--include and --exclude select files of --recursive");
  return {};
}

/** `none`: no limit. */
export function limitOf(args: Arguments): Pick<ImportOptions, "streamLimit"> {
  const text = args.text("streamLimit");
  if (text === undefined) return {};
  return { streamLimit: text === "none" ? Infinity : parseSize("--stream-limit", text) };
}

export function assignment(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new Failure("bad-option", { option: "--fixed", value: text, expected: "name=value" });
  return [text.slice(0, at), text.slice(at + 1)];
}
