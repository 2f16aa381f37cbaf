import { Command, CommanderError, Option } from "commander";
import { Failure, isFailure } from "../core/failures/failure.ts";
import { Arguments } from "./arguments.ts";
import { helpText } from "./help-text.ts";
import { ownRenderer, rendererValues } from "./custom-renderer.ts";
import type { Session } from "./session.ts";
import type { LazyVerb, OptionSpec, Verb } from "./verb.ts";

/** Options that every verb takes. */
const everywhere: readonly OptionSpec[] = [
  { flags: "-q, --quiet", synopsis: "say nothing but data and errors" },
  { flags: "-v, --verbose", synopsis: "say more about what is done" },
  {
    flags: "--color <when>",
    synopsis: "colours: auto, always or never",
    choices: ["auto", "always", "never"],
    default: "auto",
  },
  {
    flags: "--hyperlinks <when>",
    synopsis: "links in the text of a terminal: auto, always or never",
    choices: ["auto", "always", "never"],
    default: "auto",
  },
  { flags: "--no-pager", synopsis: "print long output directly" },
];

const formatOption: OptionSpec = {
  flags: "--format-opt <name=value>",
  synopsis: "an option of the renderer of that format",
  repeat: true,
};

const darkOption: OptionSpec = {
  flags: "--dark",
  synopsis: "a dark picture, wherever it is looked at (default: as the viewer prefers)",
};

/**
 * As with git, general options may stand before the verb: they are moved behind it. Other words before it are left for
 * the parser to refuse.
 */
export function verbFirst(words: readonly string[]): readonly string[] {
  let at = 0;
  for (let option = generalOption(words[at]); option !== undefined; option = generalOption(words[at])) {
    at += option.choices !== undefined && words[at]?.includes("=") === false ? 2 : 1;
  }
  return [...words.slice(at), ...words.slice(0, at)];
}

function generalOption(word: string | undefined): OptionSpec | undefined {
  const flag = word?.split("=", 1)[0] ?? "";
  return everywhere.find((option) => option.flags.split(/[ ,]+/).includes(flag));
}

/** Parses `words` for the verb and runs it; answers the exit status. Help is data: it goes to stdout and ends well. */
export async function runVerb(
  program: string,
  verb: Verb,
  words: readonly string[],
  session: Session,
): Promise<number> {
  let status = 0;
  const spelled = respelled(verb, verb.arrange?.(words) ?? words);
  const command = build(verb, program, session, spelled, (code) => {
    status = code;
  });
  try {
    await command.parseAsync(spelled, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    throw usageFailure(error, ...meant(`${program} ${verb.name}`.trim(), verb, spelled));
  }
  return status;
}

function build(
  verb: Verb,
  parent: string,
  session: Session,
  words: readonly string[],
  done: (status: number) => void,
): Command {
  const path = `${parent} ${verb.name}`.trim();
  const command = new Command(path);
  command.summary(verb.summary).description(helpOf(verb));
  command.exitOverride().configureOutput({ writeOut: (text) => session.output.data(text), writeErr: () => {} });
  command.configureHelp({ boxWrap: helpText });
  command.helpOption("-h, --help", "show this help").helpCommand(false).allowExcessArguments(false);
  for (const operand of verb.operands ?? []) command.argument(operand.name, operand.synopsis);
  for (const option of optionsOf(verb)) command.addOption(optionFor(option));
  for (const sub of verb.subverbs ?? []) {
    const child = build(sub, path, session, words, done);
    command.addCommand(child.name(sub.name).aliases(sub.aliases ?? []));
  }
  const run = verb.run?.bind(verb);
  if (run)
    command.action(async () => {
      const options = command.optsWithGlobals();
      const formats = verb.formats ?? [];
      const own = verb.figures ? await ownRenderer(session, options, formats) : {};
      const given = { ...options, ...own };
      const values = verb.figures ? await rendererValues(session, given, formats) : undefined;
      try {
        done(await run(session.configured(given, formats, values), argumentsOf(command, words)));
      } catch (error) {
        throw withCommand(error, path);
      }
    });
  return command;
}

function helpOf({ summary, details, examples = [] }: Verb): string {
  const shown = examples.map((line, at) => `${at === 0 ? "Examples: " : "          "}${line}`).join("\n");
  return [summary, details ?? "", shown].filter((part) => part !== "").join("\n\n");
}

/** All options of a verb, with those that every verb has. */
export function optionsOf(verb: Verb): readonly OptionSpec[] {
  if (!verb.run) return [];
  const formats: OptionSpec[] = verb.formats
    ? [
        {
          flags: "--format <format>",
          synopsis: `form of the output${verb.figures ? ", also a renderer of your own" : ""} (default: text, or as the ending of -o says)`,
          choices: ["text", ...verb.formats],
          ...(verb.figures ? { open: true } : {}),
        },
        { flags: "-o, --output <file>", synopsis: "write the output to a file" },
        ...(verb.figures ? [formatOption] : []),
        ...(verb.figures && verb.formats.includes("svg") ? [darkOption] : []),
      ]
    : [];
  const own = verb.options ?? [];
  const taken = new Set(own.flatMap((option) => option.flags.split(/[ ,]+/)));
  const shared = [...formats, ...everywhere].filter(
    (option) => !option.flags.split(/[ ,]+/).some((word) => word.startsWith("--") && taken.has(word)),
  );
  return [...own, ...shared.map((option) => withoutTaken(option, taken))];
}

/** A verb may use a short letter of the general options for itself; the long form stays. */
function withoutTaken(option: OptionSpec, taken: ReadonlySet<string>): OptionSpec {
  const [short = ""] = option.flags.split(", ");
  return /^-\w$/.test(short) && taken.has(short) ? { ...option, flags: option.flags.slice(short.length + 2) } : option;
}

function optionFor(spec: OptionSpec): Option {
  const option = new Option(
    spec.words === 2 ? spec.flags.replace(/<[^>]*>$/, "<words...>") : spec.flags,
    spec.synopsis,
  );
  if (spec.choices) option.choices([...spec.choices]);
  if (spec.open) option.argParser((word: string) => word);
  if (spec.default !== undefined) option.default(spec.default);
  if (spec.repeat && spec.words !== 2) {
    const check = option.parseArg;
    option.argParser((word: string, previous: readonly string[] | undefined) => {
      check?.(word, undefined as never);
      return [...(Array.isArray(previous) ? previous : []), word];
    });
  }
  return option;
}

function argumentsOf(command: Command, words: readonly string[]): Arguments {
  return new Arguments(command.processedArgs as (string | string[] | undefined)[], command.opts(), words);
}

/** The verb that the words name below `verb`, and how it is called. */
function meant(path: string, verb: Verb, words: readonly string[]): [path: string, verb: Verb] {
  const [word = ""] = words;
  const sub = verb.subverbs?.find(({ name, aliases = [] }) => [name, ...aliases].includes(word));
  return sub === undefined ? [path, verb] : meant(`${path} ${sub.name}`, sub, words.slice(1));
}

/** A value that an option cannot have is explained by the help of the verb. */
function withCommand(error: unknown, command: string): unknown {
  return isFailure(error, "bad-option") ? new Failure("bad-option", { command, ...error.data }, error) : error;
}

function usageFailure(error: CommanderError, command: string, verb: Verb): Failure {
  const said = error.message.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ");
  const missing = `a subcommand is missing, choose from ${(verb.subverbs ?? []).map((sub) => sub.name).join(", ")}`;
  return new Failure("bad-usage", { reason: error.code === "commander.help" ? missing : said, command });
}

/** The ancestors' spellings (`-cp`, `--minor-version`) replaced by ours; words after `--` are left alone. */
function respelled(verb: Verb, words: readonly string[]): string[] {
  const spellings = new Map(spellingsOf(verb));
  const end = words.indexOf("--");
  return words.map((word, i) => {
    if (end >= 0 && i > end) return word;
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const flag = equals < 0 ? word : word.slice(0, equals);
    return (spellings.get(flag) ?? flag) + (equals < 0 ? "" : word.slice(equals));
  });
}

function spellingsOf(verb: Verb): [string, string][] {
  const own = (verb.options ?? []).flatMap((option) =>
    (option.also ?? []).map((word): [string, string] => [word, longFlag(option)]),
  );
  return [...own, ...(verb.subverbs ?? []).flatMap(spellingsOf)];
}

function longFlag(option: OptionSpec): string {
  return option.flags.split(/[ ,]+/).find((word) => word.startsWith("--")) ?? option.flags;
}

/** The overview: verbs by group, in the order of the list. */
export function overview(program: string, version: string, list: readonly LazyVerb[]): string {
  const verbs = list.filter(({ isHidden }) => !isHidden);
  const width = Math.max(...verbs.map((verb) => verb.name.length)) + 2;
  const groups = [...new Set(verbs.map((verb) => verb.group))];
  const lines = groups.flatMap((group) => [
    "",
    `${group}:`,
    ...verbs.filter((verb) => verb.group === group).map((verb) => `  ${verb.name.padEnd(width)}${verb.summary}`),
  ]);
  return [
    `${program} ${version}: a project's performance beside its history`,
    "",
    `Usage: ${program} <verb> [options]`,
    ...lines,
    "",
    `${program} <verb> --help tells more about one.`,
    "",
  ].join("\n");
}
