import type { OptionSpec } from "./verb.ts";

/** The operands that stand behind each occurrence of an option, up to its next one. */
export interface WordGroup {
  /** The option as it was found, and its content; absent for operands before the first. */
  readonly option?: { readonly flags: string; readonly content: string };
  readonly operands: readonly string[];
}

/**
 * Groups operands by the options in `heads`, which take a content. `words` are spelled as `options` say; whoever calls
 * has had them parsed, so they are known to be right.
 */
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
    const { spec, content } = optionIn(word, options);
    const takesNext = content === undefined && spec !== undefined && spec.flags.includes("<");
    if (isHead(spec))
      groups.push({ option: { flags: spec.flags, content: content ?? words[at + 1] ?? "" }, operands: [] });
    if (takesNext) at += 1;
  }
  return groups;
}

/**
 * What takes a content in a word such as `--name=content`, `--name`, `-ncontent`, `-tn`; nothing for words of switches
 * alone.
 */
function optionIn(word: string, options: readonly OptionSpec[]): { spec?: OptionSpec | undefined; content?: string } {
  const named = (flag: string): OptionSpec | undefined =>
    options.find((option) => [...option.flags.split(/[ ,]+/), ...(option.also ?? [])].includes(flag));
  const equals = word.indexOf("=");
  if (word.startsWith("--"))
    return equals < 0 ? { spec: named(word) } : { spec: named(word.slice(0, equals)), content: word.slice(equals + 1) };
  for (let at = 1; at < word.length; at++) {
    const spec = named(`-${word[at]}`);
    if (spec?.flags.includes("<")) return at + 1 < word.length ? { spec, content: word.slice(at + 1) } : { spec };
  }
  return {};
}
