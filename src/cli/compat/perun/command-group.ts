import { Failure } from "../../../core/failures/failure.ts";
import type { OptionSpec } from "../../verb.ts";

/** The words of a group of commands, taken apart: what stands before the sub-command, and the rest. */
export interface GroupWords {
  /** The group's own options by their long names, each content in a word of its own. */
  readonly options: readonly string[];
  readonly operands: readonly string[];
  readonly rest: readonly string[];
}

/**
 * Perun's groups have options of their own, which stand before the sub-command and may have the same letters as those
 * behind it: `perun check -f profiles A B -m REV`. Takes them, and as many operands; fails with `bad-usage` for an
 * option that the group has not.
 */
export function groupWords(
  words: readonly string[],
  options: readonly OptionSpec[],
  operands: number,
  command: string,
): GroupWords {
  const found: { options: string[]; operands: string[] } = { options: [], operands: [] };
  let at = 0;
  while (at < words.length && found.operands.length < operands) {
    const word = words[at] as string;
    if (word === "--help") break;
    if (word === "-" || !word.startsWith("-")) {
      found.operands.push(word);
      at += 1;
      continue;
    }
    const { spec, inline } = optionOf(word, options, command);
    const wanted = wordsOf(spec) - (inline === undefined ? 0 : 1);
    const contents = [...(inline === undefined ? [] : [inline]), ...words.slice(at + 1, at + 1 + wanted)];
    if (contents.length < wordsOf(spec))
      throw new Failure("bad-usage", { reason: `${word} lacks what belongs to it`, command });
    found.options.push(longFlag(spec), ...contents);
    at += 1 + wanted;
  }
  return { ...found, rest: words.slice(at) };
}

/** The options as a parser behind the sub-command takes them: their letters belong to the sub-command. */
export function longOnly(options: readonly OptionSpec[]): OptionSpec[] {
  return options.map(({ also: _, flags, ...spec }) => ({ ...spec, flags: flags.replace(/^-\w, /, "") }));
}

/**
 * What the help of the group says of its options, since they belong to no sub-command; those that are refused are left
 * out.
 */
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
  const long = word.startsWith("--") && equals > 0 ? named(word.slice(0, equals)) : undefined;
  if (long && wordsOf(long) > 0) return { spec: long, inline: word.slice(equals + 1) };
  const letter = word.startsWith("--") ? undefined : named(word.slice(0, 2));
  if (letter && wordsOf(letter) > 0) return { spec: letter, inline: word.slice(2) };
  throw new Failure("bad-usage", { reason: `there is no option ${word}`, command });
}

/** The flags of an option as people write them. */
function flagsOf({ flags, also = [] }: OptionSpec): string[] {
  return [...flags.split(/[ ,]+/).filter((flag) => flag.startsWith("-")), ...also];
}

function longFlag(spec: OptionSpec): string {
  return flagsOf(spec).find((flag) => flag.startsWith("--")) as string;
}

function wordsOf({ flags, words }: OptionSpec): number {
  return flags.includes("<") ? (words ?? 1) : 0;
}
