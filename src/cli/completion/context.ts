import { optionsOf } from "../parse.ts";
import type { Meaning, OptionSpec, Verb, Operand } from "../verb.ts";

const profile: readonly Meaning[] = ["registered", "pending", "file"];

/** What a value names, by its placeholder: `<rev>` is a revision in all verbs. Others are free text. */
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

/** The same for options, by long name. */
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

function meaningOfOperand({ name, means }: Operand): readonly Meaning[] {
  return means ?? byName[name.replaceAll(/[<>[\].]/g, "")] ?? [];
}

function meaningOfOption({ flags, means }: OptionSpec): readonly Meaning[] {
  const long = /--[\w-]+/.exec(flags)?.[0] ?? "";
  const [, name = ""] = /[<[]([^>\]]+)[>\]]$/.exec(flags) ?? [];
  return means ?? byFlag[long] ?? byName[name] ?? [];
}

/** Candidates at the cursor: fixed words, and kinds of names in the project. */
export interface Expected {
  readonly words: readonly OfferedWord[];
  readonly meanings: readonly Meaning[];
  /** The experiment that the preceding words name. */
  readonly experiment?: string;
}

export interface OfferedWord {
  readonly word: string;
  readonly synopsis: string;
}

/** The state after the words before the cursor. */
interface Position {
  readonly verb: Verb;
  /** Operands before the cursor. */
  readonly operands: number;
  /** The option that expects a value next. */
  readonly open: OptionSpec | undefined;
  /** After `--`, all words are operands. */
  readonly isOver: boolean;
  readonly given: ReadonlySet<OptionSpec>;
  readonly experiment: string | undefined;
}

/** Candidates to complete `current`, after the words `before` of the verb. */
export function expectedAt(verb: Verb, before: readonly string[], current: string): Expected {
  const at = positionOf(verb, before);
  const expected = wordsExpected(at, current);
  return at.experiment === undefined ? expected : { ...expected, experiment: at.experiment };
}

function wordsExpected(at: Position, current: string): Expected {
  if (at.open !== undefined) return valuesOf(at.open, "");
  const [, flag = ""] = /^(--[\w-]+)=/.exec(current) ?? [];
  if (flag !== "" && !at.isOver) {
    const option = optionNamed(at.verb, flag);
    return option === undefined ? nothing : valuesOf(option, `${flag}=`);
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
      if (option !== undefined && takesValue(option) && !word.includes("="))
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

function takesValue({ flags }: OptionSpec): boolean {
  return flags.includes("<");
}

function flagsOf({ flags, also = [] }: OptionSpec): string[] {
  return [...flags.split(/[ ,]+/).filter((word) => word.startsWith("-")), ...also];
}

function optionNamed(verb: Verb, flag: string): OptionSpec | undefined {
  return optionsOf(verb).find((option) => flagsOf(option).includes(flag));
}

function valuesOf(option: OptionSpec, lead: string): Expected {
  const words = (option.choices ?? []).map((word) => ({ word: `${lead}${word}`, synopsis: "" }));
  return { words, meanings: option.choices ? [] : meaningOfOption(option) };
}

/** Omits options that are already given, unless they can be repeated. */
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
