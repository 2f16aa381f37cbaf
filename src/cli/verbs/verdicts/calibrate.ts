import { calibrate as run, type CalibrateOptions, type Calibration } from "../../../commands/verdicts/index.ts";
import { counted, firstNames } from "../../../core/text/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { groupBy } from "../../../core/values/index.ts";
import type { Figure, TableBlock } from "../../../core/figures/index.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure, subjectJson } from "../../print/index.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { databaseOption } from "../options.ts";
import { detectorOptions, seriesOptionsOf, parseShare, subjectOptions } from "../series-options.ts";

const left = (label: string) => ({ label, align: "left" }) as const;
const right = (label: string) => ({ label, align: "right" }) as const;

const seriesHead: TableBlock["head"] = [
  left("benchmark"),
  left("metric"),
  ...["stable", "alarms", "detects", "level", "effect", "alarms after", "detects after"].map(right),
];

const compareHead: TableBlock["head"] = [
  left("benchmark"),
  left("metric"),
  ...["pairs", "alarms", "effect", "alarms after"].map(right),
];

type Subject = Calibration["subjects"][number];

/** A row per calibrated metric, and why others are not calibrated. */
function calibrationFigure(calibration: Calibration, rate: number): Figure {
  const [series, compared] = [calibration.subjects.flatMap(seriesCells), calibration.subjects.flatMap(compareCells)];
  const blocks: Figure["blocks"] = [
    ...(series.length === 0
      ? []
      : [{ kind: "table", caption: "check series", head: seriesHead, rows: series } as const]),
    ...(compared.length === 0
      ? []
      : [{ kind: "table", caption: "compare", head: compareHead, rows: compared } as const]),
    { kind: "text", text: [...summaryOf(calibration, rate), ...reasonsOf(calibration)].join("\n") },
  ];
  return { title: "", blocks };
}

function seriesCells({ subject, steady, now, chosen }: Subject): string[][] {
  if (now === null || chosen === null) return [];
  const detects = ({ detectable }: typeof now): string =>
    detectable === null ? "nothing" : `>= ${percent(detectable)}`;
  const level = chosen.level === null ? "" : String(chosen.level);
  const [before, after] = [now, chosen].map(({ falseAlarms }) => percent(falseAlarms.share)) as [string, string];
  return [
    [
      subject.benchmark,
      subject.metric,
      String(steady),
      before,
      detects(now),
      level,
      percent(chosen.minEffect),
      after,
      detects(chosen),
    ],
  ];
}

function compareCells({ subject, compare }: Subject): string[][] {
  if (compare === null) return [];
  const { pairs, now, minEffect, chosen } = compare;
  return [
    [subject.benchmark, subject.metric, String(pairs), percent(now.share), percent(minEffect), percent(chosen.share)],
  ];
}

function summaryOf({ overall, method }: Calibration, rate: number): string[] {
  if (overall === null) return [];
  const { now, chosen } = overall;
  const range = ({ low, high }: typeof now): string => `${percent(low)} … ${percent(high)}`;
  return [
    `false-positive rate of a check of all metrics by ${method}: ${percent(now.share)} (${range(now)}),`,
    `${percent(chosen.share)} (${range(chosen)}) with thresholds for ${percent(rate)} per metric`,
  ];
}

/** Metrics to name of those that have the same reason; JSON has all. */
const namedPerReason = 3;

function reasonsOf({ subjects }: Calibration): string[] {
  const without = subjects.filter(({ reason }) => reason !== null);
  const lines = [...groupBy(without, ({ reason }) => reason)].map(([reason, own]) => {
    const names = own.map(({ subject }) => `${subject.benchmark} ${subject.metric}`);
    return `inconclusive: ${firstNames(names, namedPerReason)}: ${reason}`;
  });
  return without.length === 0
    ? []
    : [`${counted(without.length, "metric")} of ${subjects.length} not calibrated`, ...lines];
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

/** The JSON document: units as text. */
function calibrationJson(
  calibration: Calibration,
  { rate, replicates, seed, repeated }: Omit<CalibrateOptions, "progress">,
): object {
  const { overall, ...rest } = calibration;
  const subjects = calibration.subjects.map(({ subject, steady, compare, ...each }) => ({
    ...currentJson(each),
    subject: subjectJson(subject),
    unchangedPoints: steady,
    compare: compare === null ? null : currentJson(compare),
  }));
  return {
    ...rest,
    overall: overall === null ? null : currentJson(overall),
    rate,
    replicates,
    seed,
    repeated,
    subjects,
  };
}

/** The rates with the current threshold are named `current`. */
function currentJson({ now, ...rest }: { readonly now: unknown }): object {
  return { ...rest, current: now };
}

const defaultReplicates = 500;

export const calibrate: Verb = {
  name: "calibrate",
  summary: "measure your false-positive rate and tune thresholds",
  details: [
    "Simulates histories without changes from the noise of each metric and runs check series on them: measures the",
    "rate of false alarms and the smallest change that is detected in 80 % of cases. Thresholds for the target rate",
    "are written to perfkeep.thresholds.yml, a tracked file that check series and compare read (docs/calibrate.md).",
    "",
    "Example: perfkeep calibrate --rate 1%",
    "         perfkeep calibrate -e io --result rate --dry-run",
    "",
    "Exit status: 0 all metrics are calibrated, 3 some have too little history.",
  ].join("\n"),
  operands: [{ name: "[range]", synopsis: "commits to take noise from, A..B or one (default: all up to HEAD)" }],
  options: [
    ...subjectOptions,
    { flags: "--since <time>", synopsis: "only commits at or after this time (UTC)" },
    ...detectorOptions,
    { flags: "--aa", synopsis: "use only repeated measurements of the same commit" },
    {
      flags: "--rate <share>",
      synopsis: "target false-positive rate per metric",
      default: "1%",
    },
    { flags: "--min-effect <share>", synopsis: "initial minimum effect (default: 1%)" },
    {
      flags: "--fdr <share>",
      synopsis: "false-discovery rate, as for check series",
      default: "0.05",
      advanced: true,
    },
    {
      flags: "--replicates <count>",
      synopsis: `number of simulated histories per metric (default: ${defaultReplicates})`,
    },
    { flags: "--seed <number>", synopsis: "seed of the simulation", default: "1", advanced: true },
    {
      flags: "--any-machine",
      synopsis: "include values of other machines than that of the newest point",
      advanced: true,
    },
    { flags: "--dry-run", synopsis: "do not write thresholds" },
    databaseOption,
  ],
  formats: ["json", "markdown", "html"],
  async run(session, args) {
    const progress = openProgress(session);
    const options = optionsOf(args);
    const calibration = await run(session.workspace, { ...options, progress: (...of) => progress.show(...of) });
    progress.hide();
    await print(session, calibration, options);
    const isComplete = calibration.subjects.every(({ reason }) => reason === null);
    return isComplete ? exitStatus.fine : exitStatus.inconclusive;
  },
};

async function print(
  session: Session,
  calibration: Calibration,
  options: Omit<CalibrateOptions, "progress">,
): Promise<void> {
  const { output, format } = session;
  if (format === "json") output.document("perfkeep.calibration/2", calibrationJson(calibration, options));
  else output.data(await renderFigure(session, calibrationFigure(calibration, options.rate), format));
  for (const note of calibration.notes) output.note(note);
  if (calibration.written === null) return;
  const count = calibration.subjects.filter(({ chosen }) => chosen !== null).length;
  output.note(`${counted(count, "threshold")} written into ${calibration.written}; commit it`);
}

function optionsOf(args: Arguments): Omit<CalibrateOptions, "progress"> {
  return {
    ...seriesOptionsOf(args),
    rate: rateOf(args),
    replicates: within(args, "replicates", defaultReplicates, 100, 100_000),
    seed: within(args, "seed", 1, 0, 2 ** 32 - 1),
    repeated: args.flag("aa"),
    write: !args.flag("dryRun"),
    program: version,
  };
}

function rateOf(args: Arguments): number {
  const text = args.text("rate") ?? "";
  const rate = parseShare("--rate", text);
  if (rate > 0 && rate <= 0.5) return rate;
  throw new Failure("bad-option", { option: "--rate", value: text, expected: "a share above 0, up to 50%" });
}

function within(args: Arguments, name: string, fallback: number, least: number, most: number): number {
  const value = args.count(name, least) ?? fallback;
  if (value <= most) return value;
  throw new Failure("bad-option", { option: `--${name}`, value: String(value), expected: `a number up to ${most}` });
}
