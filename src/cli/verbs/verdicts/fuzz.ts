import {
  fuzzStrategies,
  type ChosenPlugin,
  type FuzzOptions,
  fuzz as search,
  type FuzzReport,
} from "../../../commands/fuzz/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmCommandsOf } from "../../confirm.ts";
import type { Find } from "../../../workspace/fuzz/index.ts";
import { findLine, fuzzText } from "../../print/index.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { mergedParams } from "../profiles/job-options.ts";

const options: readonly OptionSpec[] = [
  { flags: "-b, --cmd <command>", synopsis: "command; the path of an input is appended as its last argument" },
  { flags: "-w, --input-sample <path>", synopsis: "initial sample: a file, or a folder of files", repeat: true },
  { flags: "-o, --output-dir <folder>", synopsis: "folder for results; an existing campaign in it is continued" },
  {
    flags: "--workloads-filter <regex>",
    synopsis: "only files of folders with a matching name",
    also: ["-wf"],
    advanced: true,
  },
  { flags: "--exclude <regex>", synopsis: "no files of folders with a matching name", repeat: true, advanced: true },
  { flags: "-c, --collector <name>", synopsis: "collector", default: "time" },
  {
    flags: "--collector-params <words>",
    synopsis: "options of the collector: --collector-params time 'repeat: 10'",
    words: 2,
    advanced: true,
    also: ["-cp"],
  },
  { flags: "-p, --postprocessor <name>", synopsis: "postprocessor of each profile", repeat: true, advanced: true },
  {
    flags: "--postprocessor-params <words>",
    synopsis: "options of the postprocessor, as for the collector",
    words: 2,
    also: ["-pp"],
    advanced: true,
  },
  { flags: "--method <name>", synopsis: "comparison method (default: degradation.strategies)", means: ["checker"] },
  { flags: "-m, --minor <rev>", synopsis: "fuzz this commit in a work tree of its own", also: ["--minor-version"] },
  { flags: "-t, --timeout <seconds>", synopsis: "stop after this time", default: "1800" },
  { flags: "--runs <count>", synopsis: "stop after this number of runs of the command" },
  { flags: "--hang-timeout <seconds>", synopsis: "time after which a run counts as a hang", default: "10" },
  { flags: "--allow-failure", synopsis: "do not report a status other than 0 as a fault" },
  { flags: "-N, --max-size <bytes>", synopsis: "maximum size of an input", also: ["--max"] },
  {
    flags: "--max-size-increase <bytes>",
    synopsis: "maximum size of an input above that of the largest sample (default: 1000000)",
    advanced: true,
    also: ["-mi", "-mg", "--max-size-gain"],
  },
  {
    flags: "--max-size-ratio <factor>",
    synopsis: "maximum size of an input relative to the largest sample",
    also: ["-mp"],
    advanced: true,
  },
  { flags: "-e, --exec-limit <count>", synopsis: "mutations per round", default: "100", advanced: true },
  {
    flags: "-l, --interesting-files-limit <count>",
    synopsis: "end a round after this number of promising mutations",
    default: "20",
    advanced: true,
  },
  {
    flags: "--coverage-increase-rate <factor>",
    synopsis: "initial effort, relative to the expected one for the size, above which an input is measured",
    advanced: true,
    default: "1.5",
    also: ["-cr"],
  },
  {
    flags: "--any-growth",
    synopsis: "also measure inputs that are slow only because of their size, as Perun does",
    advanced: true,
  },
  {
    flags: "--mutations-per-rule <strategy>",
    synopsis: "number of mutations per rule",
    choices: fuzzStrategies,
    advanced: true,
    default: "mixed",
    also: ["-mpr"],
  },
  { flags: "-r, --regex-rules <file>", synopsis: "custom rules: YAML of PATTERN: REPLACEMENT", repeat: true },
  { flags: "--skip-coverage-testing", synopsis: "select inputs by CPU time instead of coverage", advanced: true },
  { flags: "-s, --source-path <folder>", synopsis: "count only lines of sources in this folder", advanced: true },
  {
    flags: "-g, --gcno-path <folder>",
    synopsis: "folder of the compiler's .gcno files (default: as compiled)",
    advanced: true,
  },
  { flags: "--seed <number>", synopsis: "seed of the random numbers", default: "1" },
  { flags: "--disk <mebibytes>", synopsis: "maximum size of the folder in MiB", default: "512", advanced: true },
  { flags: "--no-plotting", synopsis: "draw no charts", also: ["-np"], advanced: true },
  { flags: "--resume", synopsis: "fail unless there is a campaign to continue" },
];

export const fuzz: Verb = {
  name: "fuzz",
  summary: "search for inputs that make a command slow, hang or fail",
  details: [
    "Mutates samples; inputs that keep the command busier than the samples are measured, compared with the samples and",
    "mutated further. Programs built with --coverage report the number of executed lines; for others, CPU time is",
    "used. Results stay in the folder, and the same command line continues the campaign (docs/fuzzing.md).",
    "",
    "Example: perfkeep fuzz -b ./tokenize -w samples/ -o fuzzed -t 120",
    "",
    "Exit status: 0 nothing was found, 1 a degradation, hang or fault, 130 interrupted.",
  ].join("\n"),
  // Perun's -h with a number is --hang-timeout.
  arrange: (words) =>
    words.map((word, at) => (word === "-h" && /^[\d.]+$/.test(words[at + 1] ?? "") ? "--hang-timeout" : word)),
  options,
  formats: ["json"],
  async run(session, args) {
    const progress = openProgress(session);
    try {
      const report = await search(session.workspace, optionsOf(session, args), {
        progress: (done, total, { runs }) => progress.show(done, total, `${runs} runs`),
        notice: (text) => session.output.note(text),
        found: markingRecords((text, isRecord) => {
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

/** Marks finds as records: those worse than all before, and the first hang and fault of each kind. */
function markingRecords(report: (text: string, isRecord: boolean) => void): (find: Find) => void {
  let worst = 0;
  const seen = new Set<string>();
  return (find) => {
    const rate = find.changes[0]?.rate ?? Number.POSITIVE_INFINITY;
    const isRecord = find.kind === "degradation" ? rate > worst : !seen.has(find.kind + find.detail);
    if (find.kind === "degradation") worst = Math.max(worst, rate);
    seen.add(find.kind + find.detail);
    report(findLine(find), isRecord);
  };
}

function print({ format, output }: Session, report: FuzzReport): number {
  if (format === "json") output.document("perfkeep.fuzz/2", report);
  else output.data(fuzzText(report));
  return report.findings.length > 0 ? exitStatus.found : exitStatus.fine;
}

/** A folder that an option names. Fails with `bad-option`. */
function existing({ workspace }: Session, args: Arguments, name: string): string | undefined {
  const path = args.text(name);
  if (path !== undefined && !workspace.files.isFolder(path))
    throw new Failure("bad-option", {
      option: name === "gcnoPath" ? "gcno-path" : "source-path",
      value: path,
      expected: "an existing folder",
    });
  return path;
}

function optionsOf(session: Session, args: Arguments): FuzzOptions {
  const [only, method, minor] = [args.text("workloadsFilter"), args.text("method"), args.text("minor")];
  const [sources, notes] = [existing(session, args, "sourcePath"), existing(session, args, "gcnoPath")];
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

/** The named plug-ins with their options. Fails with `unusable-combination` for options of others. */
function chosen(session: Session, args: Arguments, names: readonly string[], params: string): ChosenPlugin[] {
  const given = args.pairs(params);
  const unused = given.find(([name]) => !names.includes(name));
  if (unused)
    throw new Failure("unusable-combination", {
      what: `options for '${unused[0]}', which is not used`,
      instead: `use ${names.join(", ")}`,
    });
  const of = (name: string): readonly string[] => given.filter(([unit]) => unit === name).map(([, text]) => text);
  return names.map((name) => ({ name, params: mergedParams(session, of(name)) }));
}

/** Parses a number above `least`. */
function number(args: Arguments, name: string, least: number): number {
  const text = args.text(name) ?? "";
  const value = /^\d{0,9}\.?\d{0,9}$/.test(text) && text !== "" ? Number(text) : Number.NaN;
  if (value > least) return value;
  const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new Failure("bad-option", { option, value: text, expected: `a number above ${least}` });
}
