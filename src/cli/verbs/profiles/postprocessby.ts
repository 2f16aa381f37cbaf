import {
  postprocess,
  postprocessAndKeep,
  postprocessors,
  type Postprocessed,
  type PostprocessOptions,
  type PostprocessorInfo,
} from "../../../commands/profiles/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { exitStatus } from "../../../core/failures/index.ts";
import { locationName } from "../../../core/profiles/index.ts";
import type { Setting } from "../../../core/values/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Variable } from "../../../core/variables/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";

/** Options before the profile, and their long names after the unit. All take a value. */
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
 * Rewrites Perun's PROFILE UNIT, where `-m` before the profile differs from `-m` after the unit: puts the unit first
 * and replaces flags by long names, so that the parser finds a subverb. Leaves other words unchanged.
 */
function arrangedWords(units: readonly PostprocessorInfo[], words: readonly string[]): readonly string[] {
  const { lead, profile, wanted, rest } = splitWords(words);
  if (profile === undefined || wanted === undefined) return words;
  const unit = units.find(({ name, recorded }) => [name, recorded].includes(wanted));
  return [wanted, profile, ...lead, ...(unit ? longWords(unit, rest) : rest)];
}

/** The unit that the words name, if any. */
function unitIn(words: readonly string[]): string | undefined {
  return splitWords(words).wanted;
}

interface SplitWords {
  /** Options before the unit, by their long names. */
  readonly lead: readonly string[];
  readonly profile: string | undefined;
  readonly wanted: string | undefined;
  /** The words after the unit. */
  readonly rest: readonly string[];
}

function splitWords(words: readonly string[]): SplitWords {
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

/** `-gr 1 2` becomes `--gamma-low 1 --gamma-high 2`. A mode may have its own spellings. */
function longWords({ spellings, modes }: PostprocessorInfo, words: readonly string[]): string[] {
  const mode = words.find((word) => modes?.of.has(word) === true) ?? "";
  const known = { ...spellings, ...modes?.spellings?.[mode] };
  const long: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const equals = /^--|^-\w\w+=/.test(word) ? word.indexOf("=") : -1;
    const names = known[equals < 0 ? word : word.slice(0, equals)];
    if (names === undefined) long.push(word);
    else if (equals >= 0 || names[0]?.startsWith("--"))
      long.push(`${names[0]?.replace(/^(?!--)/, "--")}${equals < 0 ? "" : word.slice(equals)}`);
    else for (const name of names) long.push(`--${name}`, ...words.slice(at + 1, ++at + 1));
  }
  return long;
}

/** Options of all units. */
const general: readonly OptionSpec[] = [
  { flags: "--minor <rev>", synopsis: "commit whose profiles are looked up (default: HEAD)" },
  {
    flags: "--output-filename-template <text>",
    synopsis: "template of the profile name (default: format.output_profile_template)",
  },
  {
    flags: "--compat <program>",
    synopsis: "compute numbers as that program does, including its defects",
    choices: ["perun"],
  },
];

/** The verb with a subverb for each built-in postprocessor and for the one that the words name. */
export async function postprocessby({ workspace }: Session, words: readonly string[]): Promise<Verb> {
  const units = await postprocessors(workspace.registry, unitIn(words));
  return {
    name: "postprocessby",
    aliases: ["postprocess"],
    summary: "derive models or other data from a profile",
    details: [
      "The new profile becomes pending for the commit of the original and records the step; steps can be chained.",
      "--format json prints the new models and stores nothing.",
      "",
      "Examples: perfkeep postprocessby 0@i regression-analysis -r linear -r quadratic",
      "          perfkeep postprocessby sort.perf moving-average sma --window-width 5 --format json",
    ].join("\n"),
    arrange: (words) => arrangedWords(units, words),
    subverbs: units.map(subverb),
  };
}

function subverb(unit: PostprocessorInfo): Verb {
  const modes = unit.modes ? [...unit.modes.of.keys()] : [];
  return {
    name: unit.name,
    aliases: unit.recorded === unit.name ? [] : [unit.recorded],
    summary: unit.synopsis,
    operands: [
      { name: "<profile>", synopsis: "tag, name, REV^tag, object or file" },
      ...(modes.length > 0
        ? [{ name: "[mode]", synopsis: `${modes.join(", ")} (default: ${String(defaultMode(unit))})` }]
        : []),
    ],
    options: [
      ...unit.options.filter(({ name }) => name !== "compat" && name !== unit.modes?.option).flatMap(optionSpecs(unit)),
      ...general,
    ],
    formats: ["json"],
    run: (session, args) => run(session, args, unit),
  };
}

function defaultMode({ modes, options }: PostprocessorInfo): unknown {
  return options.find(({ name }) => name === modes?.option)?.default;
}

function optionSpecs(unit: PostprocessorInfo): (variable: Variable) => OptionSpec[] {
  return ({ name, type, valid, default: otherwise, synopsis = "" }) => {
    const shown = otherwise === null || otherwise === undefined ? "" : ` (default: ${String(otherwise)})`;
    if (type === "boolean")
      return [
        { flags: `--${name}`, synopsis: `${synopsis}${shown}` },
        { flags: `--no-${name}`, synopsis: `disable --${name}` },
      ];
    const choices = valid ? { choices: valid.map(String) } : {};
    return [
      {
        flags: `--${name} <${type}>`,
        synopsis: `${synopsis}${shown}`,
        ...choices,
        repeat: unit.repeated?.includes(name) === true,
      },
    ];
  };
}

async function run(session: Session, args: Arguments, unit: PostprocessorInfo): Promise<number> {
  const [minor, compat, nameTemplate] = [args.text("minor"), args.text("compat"), args.text("outputFilenameTemplate")];
  const options: PostprocessOptions = {
    profile: args.operand(0),
    postprocessor: unit.name,
    params: new Map(given(args, unit)),
    confirm: confirmOf(session),
    ...(compat === undefined ? {} : { compat }),
    ...(minor === undefined ? {} : { minor }),
  };
  if (session.format === "json") {
    const result = await postprocess(session.workspace, options);
    session.output.document("perfkeep.models/1", { models: result.models, rows: result.rows, notes: result.notes });
    return exitStatus.fine;
  }
  const result = await postprocessAndKeep(session.workspace, {
    ...options,
    ...(nameTemplate === undefined ? {} : { nameTemplate }),
  });
  for (const note of result.notes) session.output.note(note);
  const head = `${terminalText(result.kept.name)} pending for ${abbreviate(result.kept.version)}`;
  session.output.report(`${[head, ...modelLines(result)].join("\n")}\n`);
  return exitStatus.fine;
}

/** The options of the unit on the command line. */
function given(args: Arguments, unit: PostprocessorInfo): (readonly [string, Setting])[] {
  const mode = unit.modes && args.optionalOperand(1);
  const own = unit.options.flatMap(({ name, type }): (readonly [string, Setting])[] => {
    const key = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const words = type === "boolean" ? args.switched(key) : args.texts(key);
    return words.length > 0 && name !== "compat" ? [[name, words.join(",")]] : [];
  });
  return mode === undefined || !unit.modes ? own : [...own, [unit.modes.option, mode]];
}

function modelLines({ models, rows }: Postprocessed): string[] {
  if (models.length === 0) return [`  ${rows} rows`];
  return models.flatMap((model) => {
    const record = model as Readonly<Record<string, unknown>>;
    const { uid, subtype, model: kind, r_square: share } = record;
    const location = locationName({ uid: String(uid), ...(typeof subtype === "string" ? { subtype } : {}) });
    const fit = typeof share === "number" ? `, r² ${share.toFixed(4)}` : "";
    const isNormalForm = kind === "normal_form" && typeof record.formula === "string";
    const shown = isNormalForm ? String(record.formula) : String(kind);
    const head = `  ${terminalText(location)}: ${terminalText(shown)}${fit}`;
    return isNormalForm ? normalFormLines(head, record as unknown as NormalFormRecord) : [head];
  });
}

interface IntervalRecord {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Fields of a `normal_form` model. */
interface NormalFormRecord {
  readonly smape: number;
  readonly points: number;
  readonly terms: readonly (IntervalRecord & { readonly term: string })[];
  readonly alternatives: readonly { readonly formula: string; readonly smape: number }[];
  readonly predictions: readonly (IntervalRecord & {
    readonly at: Readonly<Record<string, number>>;
    readonly extrapolated: boolean;
  })[];
}

function normalFormLines(
  head: string,
  { smape, points, terms, alternatives, predictions }: NormalFormRecord,
): string[] {
  const interval = ({ value, low, high }: IntervalRecord): string =>
    `${figure(value)} [${figure(low)}, ${figure(high)}]`;
  return [
    `${head}, cross-validated error ${figure(Number(smape.toFixed(3)))} % (${points} points)`,
    ...terms.map((each) => `    ${terminalText(each.term)}: ${interval(each)}`),
    ...alternatives.map(
      (each) => `    as good: ${terminalText(each.formula)}, ${figure(Number(each.smape.toFixed(3)))} %`,
    ),
    ...predictions.map((each) => {
      const at = Object.entries(each.at).map(([name, value]) => `${terminalText(name)}=${value}`);
      return `    at ${at.join(", ")}: ${interval(each)}${each.extrapolated ? ", extrapolated" : ""}`;
    }),
  ];
}

/** Four significant digits. */
function figure(value: number | null): string {
  return value === null ? "unknown" : String(Number(value.toPrecision(4)));
}
