import { calibrate as run, type CalibrateOptions, type Calibration } from "../../../commands/verdicts/calibrate.ts";
import { counted } from "../../../core/text/plural.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import type { Figure, TableBlock } from "../../../core/figures/figure.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import { formatUnit } from "../../../core/values/unit.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure } from "../../print/figure.ts";
import { openProgress } from "../../progress.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { databaseOption } from "../options.ts";
import { detectorOptions, judgingOf, share, subjectOptions } from "../series-options.ts";

const left = (label: string) => ({ label, align: "left" }) as const;
const right = (label: string) => ({ label, align: "right" }) as const;

const seriesHead: TableBlock["head"] = [
  left("benchmark"),
  left("metric"),
  ...["steady", "alarms", "sees", "level", "effect", "alarms then", "sees then"].map(right),
];

const compareHead: TableBlock["head"] = [
  left("benchmark"),
  left("metric"),
  ...["pairs", "alarms", "effect", "alarms then"].map(right),
];

type Subject = Calibration["subjects"][number];

/** A line for each number that is calibrated, and why the others are not. */
function calibrationFigure(found: Calibration, rate: number): Figure {
  const [series, compared] = [found.subjects.flatMap(seriesCells), found.subjects.flatMap(compareCells)];
  const blocks: Figure["blocks"] = [
    ...(series.length === 0
      ? []
      : [{ kind: "table", caption: "check series", head: seriesHead, rows: series } as const]),
    ...(compared.length === 0
      ? []
      : [{ kind: "table", caption: "compare", head: compareHead, rows: compared } as const]),
    { kind: "text", text: [...summaryOf(found, rate), ...reasonsOf(found)].join("\n") },
  ];
  return { title: "", blocks };
}

function seriesCells({ subject, steady, now, chosen }: Subject): string[][] {
  if (now === null || chosen === null) return [];
  const seen = ({ detectable }: typeof now): string => (detectable === null ? "nothing" : `>= ${percent(detectable)}`);
  const level = chosen.level === null ? "" : String(chosen.level);
  const [today, then] = [now, chosen].map(({ falseAlarms }) => percent(falseAlarms.share)) as [string, string];
  return [
    [
      subject.benchmark,
      subject.metric,
      String(steady),
      today,
      seen(now),
      level,
      percent(chosen.minEffect),
      then,
      seen(chosen),
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
    `a check of all of them by ${method} tells a change that is none in ${percent(now.share)} (${range(now)}) of cases now,`,
    `in ${percent(chosen.share)} (${range(chosen)}) by thresholds for ${percent(rate)} of each`,
  ];
}

function reasonsOf({ subjects }: Calibration): string[] {
  const without = subjects.filter(({ reason }) => reason !== null);
  const lines = without.map(({ subject, reason }) => `inconclusive: ${subject.benchmark} ${subject.metric}: ${reason}`);
  return without.length === 0
    ? []
    : [`${counted(without.length, "number")} of ${subjects.length} not calibrated`, ...lines];
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}

/** As programs read it: the unit as text. */
function calibrationJson(
  found: Calibration,
  { rate, replicates, seed, repeated }: Omit<CalibrateOptions, "progress">,
): object {
  const subjects = found.subjects.map(({ subject, ...rest }) => ({
    subject: { ...subject, unit: formatUnit(subject.unit) },
    ...rest,
  }));
  return { ...found, rate, replicates, seed, repeated, subjects };
}

const usualReplicates = 500;

export const calibrate: Verb = {
  name: "calibrate",
  summary: "measure your false-positive rate and tune thresholds",
  details: [
    "Draws histories without a change from the noise that every number had between its changes, and looks what check",
    "series tells of them: the share of false alarms, and the least change that is seen in four of five cases.",
    "Thresholds for the wanted rate are written to perfkeep.thresholds.yml, a file to be tracked, which check series",
    "and compare read (docs/calibrate.md).",
    "",
    "Example: perfkeep calibrate --rate 1%",
    "         perfkeep calibrate -e io --result rate --dry-run",
    "",
    "Exit status: 0 every number is calibrated, 3 some have too little history.",
  ].join("\n"),
  operands: [{ name: "[range]", synopsis: "versions that tell of noise, A..B or one (default: all up to the head)" }],
  options: [
    ...subjectOptions,
    { flags: "--since <time>", synopsis: "only versions that were committed then or later, in UTC" },
    ...detectorOptions,
    { flags: "--aa", synopsis: "only what was measured again at the same version tells of noise" },
    {
      flags: "--rate <share>",
      synopsis: "the share of checks that may tell a change of a number that did not change",
      default: "1%",
    },
    { flags: "--min-effect <share>", synopsis: "the least effect to begin with (default: 1%)" },
    {
      flags: "--fdr <share>",
      synopsis: "share of false alarms among all changes, as check series has it",
      default: "0.05",
    },
    { flags: "--replicates <count>", synopsis: `histories to draw of each number (default: ${usualReplicates})` },
    { flags: "--seed <number>", synopsis: "another seed draws other histories", default: "1" },
    { flags: "--any-machine", synopsis: "values of different machines, too (default: of the newest point's only)" },
    { flags: "--dry-run", synopsis: "write nothing" },
    databaseOption,
  ],
  formats: ["json", "markdown", "html"],
  async run(session, args) {
    const progress = openProgress(session);
    const options = optionsOf(args);
    const found = await run(session.workspace, { ...options, progress: (...of) => progress.show(...of) });
    progress.hide();
    await print(session, found, options);
    const isWhole = found.subjects.every(({ reason }) => reason === null);
    return isWhole ? exitStatus.fine : exitStatus.inconclusive;
  },
};

async function print(session: Session, found: Calibration, options: Omit<CalibrateOptions, "progress">): Promise<void> {
  const { output, format } = session;
  if (format === "json") output.document("perfkeep.calibration/1", calibrationJson(found, options));
  else output.data(await renderFigure(session, calibrationFigure(found, options.rate), format));
  for (const note of found.notes) output.note(terminalText(note));
  if (found.written === null) return;
  const count = found.subjects.filter(({ chosen }) => chosen !== null).length;
  output.note(`${counted(count, "threshold")} written into ${found.written}; commit it`);
}

function optionsOf(args: Arguments): Omit<CalibrateOptions, "progress"> {
  return {
    ...judgingOf(args),
    rate: rateOf(args),
    replicates: within(args, "replicates", usualReplicates, 100, 100_000),
    seed: within(args, "seed", 1, 0, 2 ** 32 - 1),
    repeated: args.flag("aa"),
    write: !args.flag("dryRun"),
    program: version,
  };
}

function rateOf(args: Arguments): number {
  const text = args.text("rate") ?? "";
  const rate = share("--rate", text);
  if (rate > 0 && rate <= 0.5) return rate;
  throw new Failure("bad-option", { option: "--rate", value: text, expected: "a share above 0, up to 50%" });
}

function within(args: Arguments, name: string, otherwise: number, least: number, most: number): number {
  const value = args.count(name, least) ?? otherwise;
  if (value <= most) return value;
  throw new Failure("bad-option", { option: `--${name}`, value: String(value), expected: `a number up to ${most}` });
}
