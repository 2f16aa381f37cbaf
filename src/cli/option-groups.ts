import type { OptionSpec } from "./verb.ts";

/** The operands between one occurrence of an option and the next. */
export interface WordGroup {
  /** The option and its value; absent for operands before the first option. */
  readonly option?: { readonly flags: string; readonly value: string };
  readonly operands: readonly string[];
}

/** Groups operands by the options in `heads`, which take a value. `words` must be valid: the caller has parsed them. */
export function groupedWords(
  words: readonly string[],
  options: readonly OptionSpec[],
  heads: readonly OptionSpec[],
): WordGroup[] {
  const groups: (Pick<WordGroup, "option"> & { operands: string[] })[] = [{ operands: [] }];
  const isHead = (spec: OptionSpec | undefined): spec is OptionSpec =>
    spec !== undefined && heads.some((head) => head.flags === spec.flags);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "--") {
      groups.at(-1)?.operands.push(...words.slice(at + 1));
      break;
    }
    if (word === "-" || !word.startsWith("-")) {
      groups.at(-1)?.operands.push(word);
      continue;
    }
    const { spec, value } = optionIn(word, options);
    const takesNext = value === undefined && spec !== undefined && spec.flags.includes("<");
    if (isHead(spec)) groups.push({ option: { flags: spec.flags, value: value ?? words[at + 1] ?? "" }, operands: [] });
    if (takesNext) at += 1;
  }
  return groups;
}

/** The option with a value in `--name=value`, `--name`, `-nvalue` or `-tn` (`-t` is a switch); empty for switches. */
function optionIn(word: string, options: readonly OptionSpec[]): { spec?: OptionSpec | undefined; value?: string } {
  const named = (flag: string): OptionSpec | undefined =>
    options.find((option) => [...option.flags.split(/[ ,]+/), ...(option.also ?? [])].includes(flag));
  const equals = word.indexOf("=");
  if (word.startsWith("--"))
    return equals < 0 ? { spec: named(word) } : { spec: named(word.slice(0, equals)), value: word.slice(equals + 1) };
  for (let at = 1; at < word.length; at++) {
    const spec = named(`-${word[at]}`);
    if (spec?.flags.includes("<")) return at + 1 < word.length ? { spec, value: word.slice(at + 1) } : { spec };
  }
  return {};
}
