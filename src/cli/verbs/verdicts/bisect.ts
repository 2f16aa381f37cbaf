import { commitJson } from "../../print/index.ts";
import {
  bisect as search,
  type BisectWatcher,
  type BisectResult,
  type BisectJob,
  bisectPredicate,
  type PredicateResult,
} from "../../../commands/bisect/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { quoteCommand, counted, terminalText } from "../../../core/text/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmCommandsOf } from "../../confirm.ts";
import { noteFailure } from "../../failure-line.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { buildOption, mergedParams } from "../profiles/job-options.ts";

/** Printed suspects; JSON has all. */
const mostSuspects = 16;

function printBisect({ format, output }: Session, result: BisectResult): void {
  if (format === "json") return output.document("perfkeep.bisect/2", bisectJson(result));
  const lines = [...verdict(result), ...suspects(result), ...obstacle(result), ...effort(result)];
  output.data(lines.map((line) => `${line}\n`).join(""));
}

function bisectJson({ suspects: all, measurements, skipped, ...result }: BisectResult): object {
  return {
    ...result,
    suspects: all.map(commitJson),
    measurements: measurements.map(commitJson),
    skipped: skipped.map(commitJson),
  };
}

function verdict(result: BisectResult): string[] {
  const { outcome, step, probability, unit, merges, good, bad } = result;
  if (outcome === "alike") return [`${abbreviate(good)} and ${abbreviate(bad)} do not differ by more than their noise`];
  const certainty = `${percent(probability)} certain`;
  if (outcome === "stopped")
    return [`inconclusive: one of these commits made the change (${certainty}); --resume continues`];
  const change = step === null ? "" : `: ${changeText(step, unit)}`;
  const inside = merges.length === 0 ? "" : `, within merge ${merges.map((each) => abbreviate(each)).join(" > ")}`;
  return [
    `${outcome === "found" ? "this commit" : "one of these commits"} made the change${change} (${certainty}${inside})`,
  ];
}

function changeText(
  { before, after, delta, deltaLow, deltaHigh }: NonNullable<BisectResult["step"]>,
  unit: string,
): string {
  const levels = `${short(before.center)} -> ${short(after.center)}${unit === "" ? "" : ` ${unit}`}`;
  if (delta === null || deltaLow === null || deltaHigh === null) return levels;
  return `${levels}, ${signed(delta)} [${signed(deltaLow)}, ${signed(deltaHigh)}]`;
}

function suspects({ suspects: all }: BisectResult): string[] {
  const shown = all
    .slice(0, mostSuspects)
    .map(({ version, subject }) => `  ${abbreviate(version)} ${terminalText(subject)}`);
  return all.length > mostSuspects ? [...shown, `  … ${all.length - mostSuspects} more`] : shown;
}

/** Why the search could not enter the last merge. */
function obstacle({ obstacle: reason, merges }: BisectResult): string[] {
  if (reason === null) return [];
  const merge = abbreviate(merges.at(-1)!);
  return [
    reason === "alike"
      ? `merge ${merge} is at the level of the commit where its branch started: it may undo another change`
      : `the commit where the branch of merge ${merge} started cannot be measured`,
  ];
}

function effort({ measurements, candidates, mainline, plain, skipped, earlier }: BisectResult): string[] {
  const versions = new Set(measurements.map(({ version }) => version)).size;
  const before = earlier === 0 ? "" : `, ${earlier} of them reused from earlier searches or profiles`;
  const measured = `${counted(measurements.length, "measurement")} of ${counted(versions, "commit")}${before}`;
  const direct = candidates === mainline ? "" : `, ${mainline} on the main line, the others merged`;
  const first = `${measured}; searched ${counted(candidates, "commit")}${direct}`;
  const other =
    plain === null
      ? []
      : [`plain binary search with this confidence: ${plain.measurements} (${plain.repetitions} per commit)`];
  return [
    first,
    ...other,
    ...skipped.map(({ version, reason }) => `skipped ${abbreviate(version)}: ${terminalText(reason)}`),
  ];
}

function printPredicate({ format, output }: Session, result: PredicateResult): void {
  if (format === "json") return output.document("perfkeep.bisect-predicate/1", { ...result });
  const { answer, reason, base, step } = result;
  const change = step === null ? "" : `: ${changeText(step, "")}`;
  const why = reason === null ? "" : ` (${terminalText(reason)})`;
  output.data(`${answer} ${answer === "cannot tell" ? "from" : "than"} ${abbreviate(base)}${change}${why}\n`);
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}

function signed(share: number): string {
  return `${share > 0 ? "+" : ""}${percent(share)}`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(5)));
}

/** `git bisect run` skips a commit with this status. */
const skipStatus = 125;

/** Stops `git bisect run`; it would treat lower statuses as a bad commit. */
const stops = 255;

export const bisect: Verb = {
  name: "bisect",
  summary: "find the commit that changed a metric",
  details: [
    "Measures both commits, then the most informative ones between them, until one is identified with confidence. The",
    "working tree is not changed. --predicate reports to git bisect run whether the working tree is worse than --base:",
    "0 no, 1 yes, 125 unknown.",
    "",
    "Examples: perfkeep bisect v1.2 HEAD --build 'make -j4' -- ./bench --size 100",
    "          git bisect run perfkeep bisect --predicate --base v1.2 --build 'make -j4' -- ./bench --size 100",
    "",
    "Exit status: 0 the commit was found; 3 no difference, several candidates or not enough confidence.",
  ].join("\n"),
  operands: [{ name: "[words...]", synopsis: "a good and a bad commit, then the command after --" }],
  options: [
    { flags: "-C, --collector <name>", synopsis: "collector", default: "time" },
    { flags: "-p, --params <yaml>", synopsis: "options of the collector, or a file with them", repeat: true },
    { flags: "-w, --workload <words>", synopsis: "arguments of the command" },
    buildOption,
    { flags: "--of <number>", synopsis: "metric to compare, such as amount:sum (default: by collector)" },
    { flags: "--confidence <share>", synopsis: "required confidence (default: 95%)" },
    { flags: "--most-runs <count>", synopsis: "maximum number of measurements (default: 100; with --predicate 20)" },
    { flags: "--timeout <seconds>", synopsis: "start no measurement after this time" },
    { flags: "--reuse", synopsis: "use registered profiles as measurements" },
    { flags: "--resume", synopsis: "resume this search after it was stopped or killed" },
    { flags: "--warmup <count>", synopsis: "number of discarded warm-up runs (default: that of the collector)" },
    { flags: "--pin <processors>", synopsis: "pin commands to these processors: 2, 0-3, or auto" },
    { flags: "--predicate", synopsis: "judge the working tree, for git bisect run" },
    { flags: "--base <rev>", synopsis: "--predicate: the good commit to compare with" },
    { flags: "--min-effect <share>", synopsis: "--predicate: ignore smaller changes (default: 1%)" },
    {
      flags: "--better <direction>",
      synopsis: "--predicate: which values are better (default: lower)",
      choices: ["lower", "higher"],
    },
  ],
  formats: ["json"],
  run: async (session, args) => (args.flag("predicate") ? judge(session, args) : find(session, args)),
};

async function find(session: Session, args: Arguments): Promise<number> {
  const { revisions, job } = wanted(session, args);
  const [good, bad, ...more] = revisions;
  refuse(args, ["base", "minEffect", "better"], "is for --predicate");
  if (good === undefined || bad === undefined || more.length > 0)
    throw new Failure("bad-usage", {
      reason: "two commits are required: a good and a bad one",
      command: "perfkeep bisect",
    });
  const [timeoutSeconds, of] = [args.count("timeout", 1), args.text("of")];
  const confidence = shareIn(args, "confidence", "95%");
  if (confidence <= 0.5 || confidence >= 1)
    throw new Failure("bad-option", {
      option: "--confidence",
      value: String(confidence),
      expected: "a share between 50% and 100%",
    });
  const result = await search(
    session.workspace,
    {
      good,
      bad,
      job,
      confidence,
      mostRuns: args.count("mostRuns", 1) ?? 100,
      reuse: args.flag("reuse"),
      resume: args.flag("resume"),
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
      ...(of === undefined ? {} : { of }),
    },
    watcherOf(session),
  );
  printBisect(session, result);
  return result.outcome === "found" ? exitStatus.fine : exitStatus.inconclusive;
}

/** Errors stop `git bisect run`; only commits that cannot be built or measured are skipped. */
async function judge(session: Session, args: Arguments): Promise<number> {
  try {
    const { revisions, job } = wanted(session, args);
    const [base, of] = [args.text("base"), args.text("of")];
    refuse(args, ["timeout", "confidence", "reuse", "resume"], "is not for --predicate");
    if (base === undefined || revisions.length > 0)
      throw new Failure("bad-usage", {
        reason: "--predicate requires --base and no other commit",
        command: "perfkeep bisect",
      });
    const options = {
      base,
      job,
      minEffect: shareIn(args, "minEffect", "1%"),
      mostRuns: args.count("mostRuns", 2) ?? 20,
      ...(of === undefined ? {} : { of }),
    };
    const better = args.text("better") === "higher" ? "higher" : "lower";
    const result = await bisectPredicate(session.workspace, { ...options, better }, watcherOf(session));
    printPredicate(session, result);
    return { "not worse": exitStatus.fine, worse: exitStatus.found, "cannot tell": skipStatus }[result.answer];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    noteFailure(session, error);
    return stops;
  }
}

function wanted(session: Session, args: Arguments): { readonly revisions: readonly string[]; readonly job: BisectJob } {
  const end = args.words.indexOf("--");
  const command = end < 0 ? [] : args.words.slice(end + 1);
  if (command.length === 0)
    throw new Failure("nothing-to-run", {
      what: "a command to measure",
      instead: "add it after --, as in -- ./bench --size 100",
    });
  const operands = args.rest(0);
  const [build, workload, warmup, pin] = [
    args.texts("build"),
    args.text("workload"),
    args.count("warmup"),
    args.text("pin"),
  ];
  const job: BisectJob = {
    cmds: [quoteCommand(command)],
    workloads: workload === undefined ? [] : [workload],
    collectors: [{ name: args.text("collector") ?? "time", params: mergedParams(session, args.texts("params")) }],
    ...(build.length === 0 ? {} : { preRun: build }),
    ...(warmup === undefined ? {} : { warmup }),
    ...(pin === undefined ? {} : { pin }),
    confirm: confirmCommandsOf(session),
  };
  return { revisions: operands.slice(0, operands.length - command.length), job };
}

function refuse(args: Arguments, names: readonly string[], reason: string): void {
  const name = names.find((each) => args.text(each) !== undefined || args.flag(each));
  const flag = name?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (flag !== undefined)
    throw new Failure("unusable-combination", { what: `--${flag} ${reason}`, instead: `remove --${flag}` });
}

function watcherOf(session: Session): BisectWatcher {
  const { output } = session;
  const reported = new Set<string>();
  return {
    notice: (text) => {
      if (!reported.has(text)) output.note(text);
      reported.add(text);
    },
    measured: ({ version, value, unit }, count) =>
      output.note(`${count}: ${abbreviate(version)} ${Number(value.toPrecision(6))} ${unit}`.trim()),
    skipped: (version, failure) => output.note(`${abbreviate(version)} is skipped: ${failure.message}`),
  };
}

/** Parses `95%` or `0.95`. */
function shareIn(args: Arguments, name: string, fallback: string): number {
  const text = args.text(name) ?? fallback;
  const [, number = "", percent] = /^(\d{1,9}(?:\.\d{1,9})?)(%?)$/.exec(text) ?? [];
  if (number !== "") return percent === "%" ? Number(number) / 100 : Number(number);
  const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new Failure("bad-option", { option, value: text, expected: "a share such as 2.5%" });
}
