import type { PostprocessorInfo } from "../../commands/postprocess.ts";

/** Options that may stand before the profile, and what the unit calls them. All take a word. */
const before: ReadonlyMap<string, string> = new Map([
  ["-m", "--minor"],
  ["--minor", "--minor"],
  ["-ot", "--output-filename-template"],
  ["--output-filename-template", "--output-filename-template"],
  ["--compat", "--compat"],
  ["--format", "--format"],
  ["-o", "--output"],
  ["--output", "--output"],
]);

/**
 * Perun writes PROFILE UNIT, where `-m` means one thing before the profile and another behind the unit. Here the unit comes first and every flag has
 * its long name, so that the parser finds a subverb. Words that are not of this form stay as they are.
 */
export function arrangedWords(units: readonly PostprocessorInfo[], words: readonly string[]): readonly string[] {
  const { lead, profile, wanted, rest } = taken(words);
  if (profile === undefined || wanted === undefined) return words;
  const unit = units.find(({ name, recorded }) => [name, recorded].includes(wanted));
  return [wanted, profile, ...lead, ...(unit ? longWords(unit, rest) : rest)];
}

/** The unit that the words name, if they go that far. */
export function unitIn(words: readonly string[]): string | undefined {
  return taken(words).wanted;
}

interface Taken {
  /** Options before the unit, by their long names. */
  readonly lead: readonly string[];
  readonly profile: string | undefined;
  readonly wanted: string | undefined;
  /** What follows the unit. */
  readonly rest: readonly string[];
}

function taken(words: readonly string[]): Taken {
  const lead: string[] = [];
  const operands: string[] = [];
  let at = 0;
  while (at < words.length && operands.length < 2) {
    const word = words[at++]!;
    const name = before.get(word);
    if (name !== undefined) lead.push(name, ...words.slice(at, ++at));
    else if (word.startsWith("-") && word !== "-") lead.push(word);
    else operands.push(word);
  }
  return { lead, profile: operands[0], wanted: operands[1], rest: words.slice(at) };
}

/** `-gr 1 2` becomes `--gamma-low 1 --gamma-high 2`. */
function longWords({ spellings }: PostprocessorInfo, words: readonly string[]): string[] {
  const long: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const names = spellings[equals < 0 ? word : word.slice(0, equals)];
    if (names === undefined) long.push(word);
    else if (equals >= 0 || names[0]?.startsWith("--"))
      long.push(`${names[0]?.replace(/^(?!--)/, "--")}${equals < 0 ? "" : word.slice(equals)}`);
    else for (const name of names) long.push(`--${name}`, ...words.slice(at + 1, ++at + 1));
  }
  return long;
}
