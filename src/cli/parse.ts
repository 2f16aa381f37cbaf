import { Command, CommanderError, Option } from "commander";
import { Failure, isFailure } from "../core/failures/index.ts";
import { Arguments } from "./arguments.ts";
import { descriptionOf, helpText, moreOptions, shownOptions } from "./help.ts";
import { customFormat, rendererValues } from "./custom-renderer.ts";
import type { Session } from "./session.ts";
import type { OptionSpec, Verb } from "./verb.ts";

/** Options that every verb accepts. */
const generalOptions: readonly OptionSpec[] = [
  { flags: "-q, --quiet", synopsis: "print nothing on success but requested data" },
  { flags: "-v, --verbose", synopsis: "print what is done" },
  {
    flags: "--color <when>",
    synopsis: "use colors",
    choices: ["auto", "always", "never"],
    default: "auto",
  },
  {
    flags: "--hyperlinks <when>",
    synopsis: "print hyperlinks (OSC 8) to commits",
    choices: ["auto", "always", "never"],
    default: "auto",
  },
  { flags: "--no-pager", synopsis: "do not pipe long output through a pager" },
];

const formatOption: OptionSpec = {
  flags: "--format-opt <name=value>",
  synopsis: "option of the renderer of the output format",
  repeat: true,
  advanced: true,
};

const darkOption: OptionSpec = {
  flags: "--dark",
  synopsis: "write a dark picture (default: follow the viewer's color scheme)",
  advanced: true,
};

/**
 * Moves general options before the verb to its end, as git accepts them, but not into a command after `--`. The parser
 * refuses other words there.
 */
export function verbFirst(words: readonly string[]): readonly string[] {
  let at = 0;
  for (let option = generalOption(words[at]); option !== undefined; option = generalOption(words[at])) {
    at += option.choices !== undefined && words[at]?.includes("=") === false ? 2 : 1;
  }
  const end = words.indexOf("--", at);
  return end < 0
    ? [...words.slice(at), ...words.slice(0, at)]
    : [...words.slice(at, end), ...words.slice(0, at), ...words.slice(end)];
}

function generalOption(word: string | undefined): OptionSpec | undefined {
  const flag = word?.split("=", 1)[0] ?? "";
  return generalOptions.find((option) => option.flags.split(/[ ,]+/).includes(flag));
}

/** Parses `words` and runs the verb; returns the exit status. Help is printed to stdout with status 0. */
export async function runVerb(
  program: string,
  verb: Verb,
  words: readonly string[],
  session: Session,
): Promise<number> {
  let status = 0;
  const canonical = canonicalWords(verb, verb.arrange?.(words) ?? words);
  const command = build(verb, program, { session, words: canonical, showsAll: asksForAll(canonical) }, (code) => {
    status = code;
  });
  try {
    await command.parseAsync(canonical, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    throw usageFailure(error, ...namedVerb(`${program} ${verb.name}`.trim(), verb, canonical));
  }
  return status;
}

/** `--help --all`: the help lists all options. */
function asksForAll(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  const before = end < 0 ? words : words.slice(0, end);
  return before.includes("--all") && (before.includes("--help") || before.includes("-h"));
}

interface Invocation {
  readonly session: Session;
  readonly words: readonly string[];
  /** Help lists advanced options as well. */
  readonly showsAll: boolean;
}

function build(verb: Verb, parent: string, invocation: Invocation, done: (status: number) => void): Command {
  const { session, words } = invocation;
  const path = `${parent} ${verb.name}`.trim();
  const command = new Command(path);
  command.summary(verb.summary).description(descriptionOf(verb));
  command.exitOverride().configureOutput({ writeOut: (text) => session.output.data(text), writeErr: () => {} });
  command.configureHelp({ boxWrap: helpText });
  command.helpOption("-h, --help", "show this help").helpCommand(false).allowExcessArguments(false);
  for (const operand of verb.operands ?? []) command.argument(operand.name, operand.synopsis);
  addOptions(command, verb, path, invocation.showsAll);
  for (const sub of verb.subverbs ?? []) {
    const child = build(sub, path, invocation, done);
    command.addCommand(child.name(sub.name).aliases(sub.aliases ?? []));
  }
  const run = verb.run?.bind(verb);
  if (run)
    command.action(async () => {
      const options = command.optsWithGlobals();
      const formats = verb.formats ?? [];
      const custom = verb.figures ? await customFormat(session, options, formats) : {};
      const given = { ...options, ...custom };
      const values = verb.figures ? await rendererValues(session, given, formats) : undefined;
      try {
        done(await run(session.configured(given, formats, values), argumentsOf(command, words)));
      } catch (error) {
        throw withCommand(error, path);
      }
    });
  return command;
}

/** Adds the options of the verb; help omits some if there are many. */
function addOptions(command: Command, verb: Verb, path: string, showsAll: boolean): void {
  const options = optionsOf(verb);
  const shown = new Set(showsAll ? options : shownOptions(options));
  for (const spec of options) command.addOption(optionFor(spec).hideHelp(!shown.has(spec)));
  for (const spec of verb.hiddenOptions ?? []) command.addOption(optionFor(spec).hideHelp());
  command.addHelpText("after", moreOptions(options.length - shown.size, path));
}

/** The documented options of a verb: its own, then those of its output formats and the general ones. */
export function optionsOf(verb: Verb): readonly OptionSpec[] {
  if (!verb.run) return [];
  const formats: OptionSpec[] = verb.formats
    ? [
        {
          flags: "--format <format>",
          synopsis: `output format${verb.figures ? " or custom renderer" : ""} (default: text, or by extension of -o)`,
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
  const shared = [...formats, ...generalOptions].filter(
    (option) => !option.flags.split(/[ ,]+/).some((word) => word.startsWith("--") && taken.has(word)),
  );
  return [...own, ...shared.map((option) => withoutTaken(option, taken))];
}

/** Drops the short letter of a general option that the verb uses for an option of its own. */
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

/** The subverb that the words name, or `verb`, with its command line. */
function namedVerb(path: string, verb: Verb, words: readonly string[]): [path: string, verb: Verb] {
  const [word = ""] = words;
  const sub = verb.subverbs?.find(({ name, aliases = [] }) => [name, ...aliases].includes(word));
  return sub === undefined ? [path, verb] : namedVerb(`${path} ${sub.name}`, sub, words.slice(1));
}

/** Adds the command to `bad-option`, whose message names its help. */
function withCommand(error: unknown, command: string): unknown {
  return isFailure(error, "bad-option") ? new Failure("bad-option", { command, ...error.data }, error) : error;
}

/** How commander reports a value of an option that is none of its choices. */
const badChoice = /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s;

function usageFailure(error: CommanderError, command: string, verb: Verb): Failure {
  const message = error.message.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ");
  const [, option, value, choices] = badChoice.exec(message) ?? [];
  const reason = option === undefined ? message : `option ${option}: unknown value '${value}', choose from ${choices}`;
  const missing = `a subcommand is missing, choose from ${(verb.subverbs ?? []).map((sub) => sub.name).join(", ")}`;
  return new Failure("bad-usage", { reason: error.code === "commander.help" ? missing : reason, command });
}

/** Replaces spellings of Perun and perfbase (`-cp`, `--minor-version`) up to `--`. */
function canonicalWords(verb: Verb, words: readonly string[]): string[] {
  const spellings = new Map(spellingsOf(verb));
  const end = words.indexOf("--");
  return words.map((word, i) => {
    if (end >= 0 && i > end) return word;
    // `-xl=TEXT` as `--x-axis-label=TEXT`; after a single letter the `=` belongs to the value.
    const equals = /^--|^-\w\w+=/.test(word) ? word.indexOf("=") : -1;
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
