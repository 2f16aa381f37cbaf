import { optionsOf } from "../parse.ts";
import type { Meaning, OptionSpec, Verb, Operand } from "../verb.ts";

const profile: readonly Meaning[] = ["registered", "pending", "file"];

/**
 * What words stand for under the names that verbs give them: `-m <rev>` takes a revision wherever it is. Other names
 * are free text.
 */
const byName: Readonly<Record<string, readonly Meaning[]>> = {
  base: ["revision", ...profile],
  baseline: profile,
  collector: ["collector"],
  experiment: ["experiment"],
  file: ["file"],
  folder: ["file"],
  from: ["revision"],
  head: ["revision"],
  key: ["key"],
  new: ["revision", ...profile],
  old: ["revision", ...profile],
  path: ["file"],
  profile,
  profiles: profile,
  range: ["revision"],
  results: ["variable"],
  rev: ["revision"],
  source: profile,
  target: ["revision", ...profile],
  to: ["revision"],
  variable: ["variable"],
  variables: ["variable"],
  versions: ["revision"],
  view: ["view"],
  words: ["file"],
  command: ["file"],
  yaml: ["file"],
};

/** The same of options, by their long names. */
const byFlag: Readonly<Record<string, readonly Meaning[]>> = {
  "--by": ["parameter"],
  "--cmd": [],
  "--collector": ["collector"],
  "--commit": ["revision"],
  "--experiment": ["experiment"],
  "--plots": ["parameter"],
  "--postprocessor": ["postprocessor"],
  "--reader": ["reader"],
  "--series": ["parameter"],
  "--stat": ["statistic"],
  "--vcs-type": ["vcs"],
  "--where": ["variable"],
  "--x": ["parameter"],
  "--y": ["parameter"],
};

/** What an operand names. */
function meaningOfOperand({ name, means }: Operand): readonly Meaning[] {
  return means ?? byName[name.replaceAll(/[<>[\].]/g, "")] ?? [];
}

/** What the content of an option names. */
function meaningOfOption({ flags, means }: OptionSpec): readonly Meaning[] {
  const long = /--[\w-]+/.exec(flags)?.[0] ?? "";
  const [, name = ""] = /[<[]([^>\]]+)[>\]]$/.exec(flags) ?? [];
  return means ?? byFlag[long] ?? byName[name] ?? [];
}

/** What may stand at the cursor: words that are known from the tables, and kinds of words that the project knows. */
export interface Expected {
  readonly words: readonly OfferedWord[];
  readonly meanings: readonly Meaning[];
  /** The experiment that the words before name. */
  readonly experiment?: string;
}

export interface OfferedWord {
  readonly word: string;
  readonly synopsis: string;
}

/** Where the words before the cursor have led to. */
interface Position {
  readonly verb: Verb;
  /** So many operands stand before the cursor. */
  readonly operands: number;
  /** The option whose content comes next. */
  readonly open: OptionSpec | undefined;
  /** Behind `--` there are no options any more. */
  readonly isOver: boolean;
  readonly given: ReadonlySet<OptionSpec>;
  readonly experiment: string | undefined;
}

/**
 * What may stand in place of `current`, which is what is typed so far of a word, behind the `before` ones of the verb.
 */
export function expectedAt(verb: Verb, before: readonly string[], current: string): Expected {
  const at = positionOf(verb, before);
  const expected = wordsExpected(at, current);
  return at.experiment === undefined ? expected : { ...expected, experiment: at.experiment };
}

function wordsExpected(at: Position, current: string): Expected {
  if (at.open !== undefined) return contentOf(at.open, "");
  const [, flag = ""] = /^(--[\w-]+)=/.exec(current) ?? [];
  if (flag !== "" && !at.isOver) {
    const option = optionNamed(at.verb, flag);
    return option === undefined ? nothing : contentOf(option, `${flag}=`);
  }
  if (current.startsWith("-") && current !== "-" && !at.isOver) return { words: optionWords(at), meanings: [] };
  const operand = operandAt(at);
  return current === "-" && !at.isOver ? { ...operand, words: [...operand.words, ...optionWords(at)] } : operand;
}

const nothing: Expected = { words: [], meanings: [] };

function positionOf(verb: Verb, words: readonly string[]): Position {
  let [at, operands, isOver]: [Verb, number, boolean] = [verb, 0, false];
  let open: OptionSpec[] = [];
  const given = new Set<OptionSpec>();
  let experiment: string | undefined;
  for (const word of words) {
    if (open.length > 0) {
      if (namesExperiment(open[0]!)) experiment = word;
      open = open.slice(1);
    } else if (!isOver && word === "--") isOver = true;
    else if (!isOver && word.startsWith("-") && word !== "-") {
      const option = optionNamed(at, word.split("=", 1)[0] ?? "");
      if (option !== undefined) given.add(option);
      if (option !== undefined && word.includes("=") && namesExperiment(option))
        experiment = word.slice(word.indexOf("=") + 1);
      if (option !== undefined && takesContent(option) && !word.includes("="))
        open = Array.from({ length: option.words ?? 1 }, () => option);
    } else {
      const sub = at.subverbs?.find(({ name, aliases = [] }) => [name, ...aliases].includes(word));
      if (sub === undefined) {
        if (at.operands?.[operands]?.name.includes("experiment") === true) experiment ??= word;
        operands += 1;
      } else [at, operands] = [sub, 0];
    }
  }
  return { verb: at, operands, open: open[0], isOver, given, experiment };
}

function namesExperiment({ flags }: OptionSpec): boolean {
  return flags.includes("--experiment ");
}

function takesContent({ flags }: OptionSpec): boolean {
  return flags.includes("<");
}

function flagsOf({ flags, also = [] }: OptionSpec): string[] {
  return [...flags.split(/[ ,]+/).filter((word) => word.startsWith("-")), ...also];
}

function optionNamed(verb: Verb, flag: string): OptionSpec | undefined {
  return optionsOf(verb).find((option) => flagsOf(option).includes(flag));
}

function contentOf(option: OptionSpec, lead: string): Expected {
  const words = (option.choices ?? []).map((word) => ({ word: `${lead}${word}`, synopsis: "" }));
  return { words, meanings: option.choices ? [] : meaningOfOption(option) };
}

/** Options that were given already are offered again only when they may stand several times. */
function optionWords({ verb, given }: Position): OfferedWord[] {
  const open = optionsOf(verb).filter((option) => option.repeat === true || option.words === 2 || !given.has(option));
  const help = { flags: "-h, --help", synopsis: "show this help" };
  return [...open, help].flatMap((option) =>
    flagsOf({ ...option, also: [] }).map((word) => ({ word, synopsis: option.synopsis })),
  );
}

function operandAt({ verb, operands }: Position): Expected {
  const subverbs = operands === 0 ? (verb.subverbs ?? []) : [];
  const list = verb.operands ?? [];
  const last = list.at(-1);
  const operand = list[operands] ?? (last?.name.includes("...") ? last : undefined);
  const known = (operand?.known ?? []).map((word) => ({ word, synopsis: "" }));
  return {
    words: [...subverbs.map(({ name, summary }) => ({ word: name, synopsis: summary })), ...known],
    meanings: operand === undefined || operand.known ? [] : meaningOfOperand(operand),
  };
}
