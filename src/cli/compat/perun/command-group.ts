import { Failure } from "../../../core/failures/index.ts";
import type { OptionSpec } from "../../verb.ts";

/** The words of a command group: options and operands before the sub-command, and the rest. */
export interface GroupWords {
  /** The group's options by long name, each value as a separate word. */
  readonly options: readonly string[];
  readonly operands: readonly string[];
  readonly rest: readonly string[];
}

/**
 * Perun's command groups have options before the sub-command, possibly with the same letters as options after it:
 * `perun check -f profiles A B -m REV`. Splits off these options and the given number of operands. Fails with
 * `bad-usage` for unknown options.
 */
export function groupWords(
  words: readonly string[],
  options: readonly OptionSpec[],
  operands: number,
  command: string,
): GroupWords {
  const own: { options: string[]; operands: string[] } = { options: [], operands: [] };
  let at = 0;
  while (at < words.length && own.operands.length < operands) {
    const word = words[at] as string;
    if (word === "--help") break;
    if (word === "-" || !word.startsWith("-")) {
      own.operands.push(word);
      at += 1;
      continue;
    }
    const { spec, inline } = optionOf(word, options, command);
    const missing = wordsOf(spec) - (inline === undefined ? 0 : 1);
    const values = [...(inline === undefined ? [] : [inline]), ...words.slice(at + 1, at + 1 + missing)];
    if (values.length < wordsOf(spec)) throw new Failure("bad-usage", { reason: `${word} requires a value`, command });
    own.options.push(longFlag(spec), ...values);
    at += 1 + missing;
  }
  return { ...own, rest: words.slice(at) };
}

/** The options without short flags, which belong to the sub-command. */
export function longOnly(options: readonly OptionSpec[]): OptionSpec[] {
  return options.map(({ also: _, flags, ...spec }) => ({ ...spec, flags: flags.replace(/^-\w, /, "") }));
}

/** Help of the options of a group, without refused ones. */
export function groupDetails(text: string, options: readonly OptionSpec[]): string {
  const lines = options
    .filter(({ synopsis }) => !synopsis.startsWith("refused"))
    .flatMap((option) => [
      `  ${[...flagsOf(option), /<.*>/.exec(option.flags)?.[0] ?? ""].join(" ").trim()}`,
      `      ${option.synopsis}`,
    ]);
  return [...(text === "" ? [] : [text, ""]), "Options before the sub-command:", ...lines].join("\n");
}

function optionOf(
  word: string,
  options: readonly OptionSpec[],
  command: string,
): { spec: OptionSpec; inline?: string } {
  const named = (flag: string): OptionSpec | undefined => options.find((option) => flagsOf(option).includes(flag));
  const exact = named(word);
  if (exact) return { spec: exact };
  const equals = word.indexOf("=");
  // `-pn=NAME` as `--profile-name=NAME`; the value of `-c=x` is `=x`.
  const long = equals > 2 ? named(word.slice(0, equals)) : undefined;
  if (long && wordsOf(long) > 0) return { spec: long, inline: word.slice(equals + 1) };
  const letter = word.startsWith("--") ? undefined : named(word.slice(0, 2));
  if (letter && wordsOf(letter) > 0) return { spec: letter, inline: word.slice(2) };
  throw new Failure("bad-usage", { reason: `unknown option ${word}`, command });
}

/** All flags of an option. */
function flagsOf({ flags, also = [] }: OptionSpec): string[] {
  return [...flags.split(/[ ,]+/).filter((flag) => flag.startsWith("-")), ...also];
}

function longFlag(spec: OptionSpec): string {
  return flagsOf(spec).find((flag) => flag.startsWith("--")) as string;
}

function wordsOf({ flags, words }: OptionSpec): number {
  return flags.includes("<") ? (words ?? 1) : 0;
}
