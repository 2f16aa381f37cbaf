import { fuzzStrategies, type ChosenPlugin, type FuzzOptions } from "../../../commands/fuzz/options.ts";
import { fuzz as search } from "../../../commands/fuzz/fuzz.ts";
import type { FuzzReport } from "../../../commands/fuzz/campaign-report.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmCommandsOf } from "../../confirm.ts";
import type { Find } from "../../../workspace/fuzz/campaign-state.ts";
import { findLine, fuzzText } from "../../print/verdicts/fuzz.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { mergedParams } from "../profiles/job-options.ts";

const options: readonly OptionSpec[] = [
  { flags: "-b, --cmd <command>", synopsis: "the command; the path of an input is its last argument" },
  { flags: "-w, --input-sample <path>", synopsis: "file, or folder with files, to start from", repeat: true },
  { flags: "-o, --output-dir <folder>", synopsis: "folder for all that is found; a campaign there goes on" },
  { flags: "--workloads-filter <regex>", synopsis: "of the files in folders only these", also: ["-wf"] },
  { flags: "--exclude <regex>", synopsis: "of the files in folders none of these", repeat: true },
  { flags: "-c, --collector <name>", synopsis: "how to measure", default: "time" },
  {
    flags: "--collector-params <words>",
    synopsis: "its options: --collector-params time 'repeat: 10'",
    words: 2,
    also: ["-cp"],
  },
  { flags: "-p, --postprocessor <name>", synopsis: "apply it to each profile", repeat: true },
  { flags: "--postprocessor-params <words>", synopsis: "its options, as for the collector", words: 2, also: ["-pp"] },
  { flags: "--method <name>", synopsis: "how to compare (default: degradation.strategies)", means: ["checker"] },
  { flags: "-m, --minor <rev>", synopsis: "fuzz this version, in a tree of its own", also: ["--minor-version"] },
  { flags: "-t, --timeout <seconds>", synopsis: "end after that time", default: "1800" },
  { flags: "--runs <count>", synopsis: "end after so many runs of the command" },
  { flags: "--hang-timeout <seconds>", synopsis: "a run that takes longer hangs", default: "10" },
  { flags: "--allow-failure", synopsis: "a status other than 0 is no fault" },
  { flags: "-N, --max-size <bytes>", synopsis: "largest input", also: ["--max"] },
  {
    flags: "--max-size-increase <bytes>",
    synopsis: "largest input: so much more than the largest sample (default: 1000000)",
    also: ["-mi", "-mg", "--max-size-gain"],
  },
  { flags: "--max-size-ratio <times>", synopsis: "largest input: so many times the largest sample", also: ["-mp"] },
  { flags: "-e, --exec-limit <count>", synopsis: "mutations tried in a round", default: "100" },
  {
    flags: "-l, --interesting-files-limit <count>",
    synopsis: "mutations that a round ends with when they are worth measuring",
    default: "20",
  },
  {
    flags: "--coverage-increase-rate <times>",
    synopsis: "worth measuring is so many times the effort that the size explains, to begin with",
    default: "1.5",
    also: ["-cr"],
  },
  { flags: "--any-growth", synopsis: "worth measuring is also what is slow only because it is large, as with Perun" },
  {
    flags: "--mutations-per-rule <strategy>",
    synopsis: "how many mutations a rule makes",
    choices: fuzzStrategies,
    default: "mixed",
    also: ["-mpr"],
  },
  { flags: "-r, --regex-rules <file>", synopsis: "own rules: YAML of PATTERN: REPLACEMENT", repeat: true },
  { flags: "--skip-coverage-testing", synopsis: "decide by CPU time, not by coverage" },
  { flags: "-s, --source-path <folder>", synopsis: "count only lines of sources below it" },
  {
    flags: "-g, --gcno-path <folder>",
    synopsis: "where the compiler's .gcno files are (default: where it wrote them)",
  },
  { flags: "--seed <number>", synopsis: "of the random numbers", default: "1" },
  { flags: "--disk <mebibytes>", synopsis: "what may be kept in the folder", default: "512" },
  { flags: "--no-plotting", synopsis: "draw no pictures", also: ["-np"] },
  { flags: "--resume", synopsis: "fail unless there is a campaign to go on with" },
];

export const fuzz: Verb = {
  name: "fuzz",
  summary: "search for inputs that make a command slow, hang or fail",
  details: [
    "Samples are mutated; what keeps the command busier than the samples did is measured and compared with them, and",
    "varied further. A program built with --coverage tells how many lines it executed; of others the CPU time is",
    "taken. All that is found stays in the folder, and the same command line goes on where it ended (docs/fuzzing.md).",
    "",
    "Example: perfkeep fuzz -b ./tokenize -w samples/ -o fuzzed -t 120",
    "",
    "Exit status: 0 nothing was found, 1 a degradation, hang or fault, 130 interrupted.",
  ].join("\n"),
  // Perun's -h is --hang-timeout; alone it is what it is everywhere.
  arrange: (words) =>
    words.map((word, at) => (word === "-h" && /^[\d.]+$/.test(words[at + 1] ?? "") ? "--hang-timeout" : word)),
  options,
  formats: ["json"],
  async run(session, args) {
    const progress = openProgress(session);
    try {
      const report = await search(session.workspace, optionsOf(session, args), {
        progress: (done, total, { runs }) => progress.show(done, total, `${runs} runs`),
        notice: (text) => session.output.note(terminalText(text)),
        found: tellingRecords((text, isRecord) => {
          progress.hide();
          if (isRecord) session.output.note(text);
          else session.output.detail(text);
        }),
      });
      progress.hide();
      return print(session, report);
    } finally {
      progress.hide();
    }
  },
};

/**
 * Many finds are alike: told of are those worse than all before, and the first hang and the first fault of each kind.
 */
function tellingRecords(tell: (text: string, isRecord: boolean) => void): (find: Find) => void {
  let worst = 0;
  const seen = new Set<string>();
  return (find) => {
    const rate = find.changes[0]?.rate ?? Number.POSITIVE_INFINITY;
    const isRecord = find.kind === "degradation" ? rate > worst : !seen.has(find.kind + find.detail);
    if (find.kind === "degradation") worst = Math.max(worst, rate);
    seen.add(find.kind + find.detail);
    tell(findLine(find), isRecord);
  };
}

function print({ format, output }: Session, report: FuzzReport): number {
  if (format === "json") output.document("perfkeep.fuzz/1", report);
  else output.data(fuzzText(report));
  return report.finds.length > 0 ? exitStatus.found : exitStatus.fine;
}

function optionsOf(session: Session, args: Arguments): FuzzOptions {
  const [only, method, minor] = [args.text("workloadsFilter"), args.text("method"), args.text("minor")];
  const [sources, notes] = [args.text("sourcePath"), args.text("gcnoPath")];
  return {
    cmd: required(args, "cmd", "-b ./program"),
    samples:
      args.texts("inputSample").length > 0 ? args.texts("inputSample") : [required(args, "inputSample", "-w samples/")],
    folder: required(args, "outputDir", "-o fuzzed"),
    ...(only === undefined || only === "" ? {} : { only }),
    without: args.texts("exclude"),
    collector: chosen(session, args, [args.text("collector") ?? "time"], "collectorParams")[0]!,
    postprocessors: chosen(session, args, args.texts("postprocessor"), "postprocessorParams"),
    ...(method === undefined ? {} : { method }),
    ...(minor === undefined ? {} : { minor }),
    coverage: {
      skip: args.flag("skipCoverageTesting"),
      ...(sources === undefined ? {} : { sources }),
      ...(notes === undefined ? {} : { notes }),
    },
    ...limitsOf(args),
    allowsFailure: args.flag("allowFailure"),
    anyGrowth: args.flag("anyGrowth"),
    strategy: fuzzStrategies.find((name) => name === args.text("mutationsPerRule")) ?? "mixed",
    ruleFiles: args.texts("regexRules"),
    seed: args.count("seed") ?? 1,
    graphs: args.switched("plotting")[0] !== "false",
    resume: args.flag("resume"),
    confirm: confirmCommandsOf(session),
  };
}

type Limits = Pick<
  FuzzOptions,
  "seconds" | "runs" | "hangSeconds" | "size" | "tries" | "interesting" | "rate" | "room"
>;

function limitsOf(args: Arguments): Limits {
  const [most, increase] = [args.count("maxSize"), args.count("maxSizeIncrease")];
  return {
    seconds: number(args, "timeout", 0),
    runs: args.count("runs", 1) ?? Number.POSITIVE_INFINITY,
    hangSeconds: number(args, "hangTimeout", 0),
    size: {
      ...(most === undefined ? {} : { most }),
      ...(args.text("maxSizeRatio") === undefined ? {} : { ratio: number(args, "maxSizeRatio", 0) }),
      increase: increase ?? 1_000_000,
    },
    tries: args.count("execLimit", 1) ?? 100,
    interesting: args.count("interestingFilesLimit", 1) ?? 20,
    rate: number(args, "coverageIncreaseRate", 0),
    room: (args.count("disk", 1) ?? 512) * 2 ** 20,
  };
}

function required(args: Arguments, name: string, example: string): string {
  const text = args.text(name);
  if (text) return text;
  const flag = options.find(({ flags }) =>
    flags.includes(`--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} `),
  )?.flags;
  throw new Failure("nothing-to-run", { what: flag?.split(", ")[1] ?? name, instead: `for example ${example}` });
}

/** Units by their names with the options given for each. Fails when options are given for one that is not used. */
function chosen(session: Session, args: Arguments, names: readonly string[], params: string): ChosenPlugin[] {
  const given = args.pairs(params);
  const stray = given.find(([name]) => !names.includes(name));
  if (stray)
    throw new Failure("unusable-combination", {
      what: `options for '${stray[0]}', which is not used`,
      instead: `it is ${names.join(", ")}`,
    });
  const of = (name: string): readonly string[] => given.filter(([unit]) => unit === name).map(([, text]) => text);
  return names.map((name) => ({ name, params: mergedParams(session, of(name)) }));
}

/** A number above `least`. */
function number(args: Arguments, name: string, least: number): number {
  const text = args.text(name) ?? "";
  const value = /^\d{0,9}\.?\d{0,9}$/.test(text) && text !== "" ? Number(text) : Number.NaN;
  if (value > least) return value;
  const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new Failure("bad-option", { option, value: text, expected: `a number above ${least}` });
}
