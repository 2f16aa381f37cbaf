import {
  compare as compareSides,
  type Comparison,
  openVerdicts,
  verdictFormats,
  worstChange,
} from "../../../commands/verdicts/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { counted, firstNames } from "../../../core/text/index.ts";
import { assumedDirectionNotes, percentText, type Verdict, verdictOutcomes } from "../../../core/verdicts/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import {
  compareFigure,
  compareRows,
  rowOrders,
  type RowView,
  viewRows,
  renderFigure,
  applyTriageTo,
  noteTriage,
  orNothingToCompare,
  printVerdicts,
  reportEmpty,
} from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { databaseOf, databaseOption } from "../options.ts";

/** Options of the comparison. */
export const comparisonOptions: readonly OptionSpec[] = [
  { flags: "--alpha <p>", synopsis: "significance level (default: 0.05)" },
  {
    flags: "--min-effect <share>",
    synopsis: "ignore smaller changes: 2% or 0.02 (default: from perfkeep.thresholds.yml, else 0)",
  },
  { flags: "--no-thresholds", synopsis: "ignore perfkeep.thresholds.yml", advanced: true },
  {
    flags: "--resolution <share>",
    synopsis: "equivalence margin for reporting `same` (default: 5%)",
  },
  {
    flags: "--better <which>",
    synopsis: "which values are better (default: by unit; higher for rates)",
    choices: ["lower", "higher"],
    advanced: true,
  },
  { flags: "--exact", synopsis: "values are deterministic: any difference counts, without a test", advanced: true },
  { flags: "--any-machine", synopsis: "compare measurements of different machines", advanced: true },
  {
    flags: "--gate-bound <share>",
    synopsis: "also fail unless every 95 % interval excludes a change for the worse by more than this: 3%",
  },
  { flags: "--filter <pattern>", synopsis: "only benchmarks that match this pattern", repeat: true },
  { flags: "--metric <name>", synopsis: "only this metric, such as time or cpu-time", repeat: true },
  { flags: "--min-change <share>", synopsis: "print only rows that changed by this share or more", advanced: true },
  {
    flags: "--verdict <which>",
    synopsis: "print only rows with this verdict",
    choices: verdictOutcomes,
    repeat: true,
    advanced: true,
  },
  {
    flags: "--sort <key>",
    synopsis: "sort rows by name, change, q or verdict (default: as measured)",
    choices: rowOrders,
    advanced: true,
  },
];

export const compare: Verb = {
  name: "compare",
  summary: "compare commits, profiles, runs or result files",
  details: [
    "Each side is a revision, a profile (tag, name, object or file) or a result file: of any format of perfkeep import",
    "--list-formats, or CSV or JSON lines with benchmark, value and unit. A revision is everything measured there: its",
    "profiles and the runs of all experiments. With -e, each side is a comma-separated list of runs of an experiment.",
    "machine:NAME is a machine, by the start of its fingerprint or a part of its class: everything that all sides",
    "measured at one commit, the newest such. Further sides are compared with the first.",
    "",
    "q, the false discovery rate over all rows, decides, so --alpha holds for the whole suite.",
    "",
    "Exit status: 0 nothing is worse, 1 something is worse, 3 something is inconclusive and nothing is worse.",
    "",
    "Example: perfkeep compare HEAD~1 HEAD",
    "Example: perfkeep compare machine:5f2c machine:91ab",
    "Example: perfkeep compare old.txt new.txt --min-effect 2%",
    "Example: perfkeep compare --from jmh old.json new.json",
    "Example: perfkeep compare -e sysbench_memory 1,2,3,4 5,6,7,8",
  ].join("\n"),
  operands: [
    { name: "<old>", synopsis: "baseline" },
    { name: "<new>", synopsis: "side to compare with the baseline" },
    { name: "[more...]", synopsis: "further sides to compare with the baseline" },
  ],
  options: [
    { flags: "-e, --experiment <name>", synopsis: "compare runs of this experiment" },
    {
      flags: "--from <format>",
      synopsis: "format of both files (default: auto-detect)",
      means: ["importer"],
    },
    ...comparisonOptions,
    databaseOption,
  ],
  formats: ["json", "csv", "markdown", "table", "html", ...verdictFormats],
  figures: true,
  async run(session, args) {
    const experiment = args.text("experiment");
    const [old, now, from] = [args.operand(0), args.operand(1), args.text("from")];
    const comparison = await orNothingToCompare(
      compareSides(session.workspace, {
        old,
        new: now,
        others: args.rest(2),
        ...(experiment === undefined ? {} : { experiment }),
        ...(from === undefined ? {} : { from }),
        ...databaseOf(args),
        ...comparisonOptionsOf(args),
        confirm: confirmOf(session),
      }),
    );
    if (comparison instanceof Failure) {
      const empty = {
        schema: "perfkeep.compare/1",
        fields: { old, new: now, otherMachine: false, rows: [], means: [] },
      };
      return reportEmpty(session, `compare ${old} ${now}`, comparison, empty);
    }
    return reportComparison(session, comparison, reportOptionsOf(args));
  },
};

/** The values of `comparisonOptions`. */
export function comparisonOptionsOf(
  args: Arguments,
): Pick<Parameters<typeof compareSides>[1], "anyMachine" | "thresholds" | "options" | "selection"> {
  const better = args.text("better");
  const options = {
    alpha: shareOf(args, "alpha", 0.05),
    minEffect: shareOf(args, "minEffect", 0),
    resolution: shareOf(args, "resolution", gateBoundOf(args) ?? 0.05),
    exact: args.flag("exact"),
    ...(better === "lower" || better === "higher" ? ({ better } as const) : {}),
  };
  const thresholds = args.flag("thresholds") && args.text("minEffect") === undefined;
  const selection = { names: args.texts("filter"), metrics: args.texts("metric") };
  return { anyMachine: args.flag("anyMachine"), thresholds, options, selection };
}

/** How to print a comparison, and what else fails. */
export interface ReportOptions extends RowView {
  /** Greatest accepted bound of an interval for the worse, as a share; null: not gated. */
  readonly gateBound: number | null;
}

export function reportOptionsOf(args: Arguments): ReportOptions {
  const verdicts = args.texts("verdict");
  return {
    gateBound: gateBoundOf(args),
    minChange: shareOf(args, "minChange", 0),
    outcomes: verdictOutcomes.filter((outcome) => verdicts.length === 0 || verdicts.includes(outcome)),
    order: rowOrders.find((order) => order === args.text("sort")) ?? null,
  };
}

function gateBoundOf(args: Arguments): number | null {
  return args.text("gateBound") === undefined ? null : shareOf(args, "gateBound", 0);
}

function shareOf(args: Arguments, name: string, fallback: number): number {
  const text = args.text(name);
  if (text === undefined) return fallback;
  const [, digits = "", percent] = /^(\d{1,9}(?:\.\d{1,15})?|\.\d{1,15})(?:e-\d{1,2})? *(%?)$/.exec(text) ?? [];
  const value = digits === "" ? Number.NaN : Number(text.replace("%", "").trim()) / (percent === "%" ? 100 : 1);
  if (value >= 0 && value <= (name === "alpha" ? 0.5 : 10)) return value;
  const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new Failure("bad-option", { option, value: text, expected: "a share such as 0.05 or 5%" });
}

/** Prints the comparison; returns the exit status, which the rows that are not printed determine as well. */
export async function reportComparison(
  session: Session,
  comparison: Comparison,
  options: ReportOptions,
  more: { readonly notes: readonly string[]; readonly fields: object } = { notes: [], fields: {} },
): Promise<number> {
  const { output, format } = session;
  const all = [comparison, ...(comparison.others ?? [])];
  const verdicts = all.flatMap(({ rows }) => rows.map(({ verdict }) => verdict));
  const gate = options.gateBound === null ? null : gateOf(verdicts, options.gateBound);
  const isUnclear = verdicts.length === 0 || all.some(hasOpenRows) || (gate?.unknown ?? 0) > 0;
  const judged = await applyTriageTo(session, verdicts, isUnclear ? exitStatus.inconclusive : exitStatus.fine);
  const triaged = gate !== null && gate.failed.length > 0 ? { ...judged, status: exitStatus.found } : judged;
  const shown = viewRows(comparison, options);
  const ofVerdicts = assumedDirectionNotes(verdicts);
  const notes = [...all.flatMap(notesOn), ...ofVerdicts, ...(gate === null ? [] : gateNotes(gate)), ...more.notes];
  if (format === "json") output.document("perfkeep.compare/1", { ...comparisonJson(shown, gate), ...more.fields });
  else if (!printVerdicts(session, titleOf(comparison), triaged, notes))
    output.data(await renderFigure(session, compareFigure(shown), format));
  for (const note of notes) output.note(note);
  noteTriage(session, triaged);
  if (format === "text") output.note(summary(verdicts, shown));
  return triaged.status;
}

function comparisonJson(shown: Comparison, gate: Gate | null): object {
  const all = [shown, ...(shown.others ?? [])];
  const isMany = all.length > 1;
  const sideOf = ({ new: side }: Comparison): object => (isMany ? { side } : {});
  return {
    old: shown.old,
    new: all.map(({ new: side }) => side).join(", "),
    ...(isMany ? { sides: [shown.old, ...all.map(({ new: side }) => side)] } : {}),
    otherMachine: all.some(({ otherMachine }) => otherMachine),
    unknownMachine: all.some(({ unknownMachine }) => unknownMachine),
    ...(shown.settings === undefined ? {} : { settings: shown.settings }),
    rows: all.flatMap((each) => compareRows(each).map((row) => ({ ...row, ...sideOf(each) }))),
    means: all.flatMap((each) => each.means.map((mean) => ({ ...mean, ...sideOf(each) }))),
    ...(gate === null ? {} : { gate: { bound: gate.bound, failed: gate.failed.length, unknown: gate.unknown } }),
  };
}

function hasOpenRows({ rows }: Comparison): boolean {
  return openVerdicts(rows.map(({ verdict }) => verdict)).length > 0;
}

function titleOf({ old, new: now, others = [] }: Comparison): string {
  return ["compare", old, now, ...others.map((each) => each.new)].join(" ");
}

/** The result of `--gate-bound`. */
interface Gate {
  readonly bound: number;
  /** Verdicts whose interval does not exclude a change for the worse above the bound. */
  readonly failed: readonly Verdict[];
  /** Number of verdicts without an interval. */
  readonly unknown: number;
}

function gateOf(verdicts: readonly Verdict[], bound: number): Gate {
  const worst = verdicts.map((verdict) => (verdict.test === "exact" ? exactChange(verdict) : worstChange(verdict)));
  return {
    bound,
    failed: verdicts.filter((_, at) => (worst[at] ?? Number.NEGATIVE_INFINITY) > bound),
    unknown: worst.filter((each) => each === null).length,
  };
}

/** Exact values have no interval: their change is certain. */
function exactChange({ subject, delta }: Verdict): number | null {
  return delta === null || subject.better === "lower" ? delta : -delta;
}

function gateNotes({ bound, failed, unknown }: Gate): string[] {
  const limit = `${Number((bound * 100).toPrecision(6))} %`;
  const names = failed.map(({ subject }) => `${subject.benchmark} (${subject.metric})`);
  return [
    ...(failed.length === 0
      ? []
      : [`--gate-bound: ${firstNames(names, 3)} may be worse by more than ${limit} (95 % interval)`]),
    ...(unknown === 0 ? [] : [`--gate-bound: ${counted(unknown, "row")} without an interval`]),
  ];
}

function notesOn({ rows, otherMachine, unknownMachine, settings = [] }: Comparison): string[] {
  return [
    ...settings.map(({ name, values }) => `${name} differs: ${values.map((value) => value || "none").join(", ")}`),
    ...(rows.length === 0 ? ["nothing to compare: neither side has values"] : []),
    ...(otherMachine ? ["measured on different machines"] : []),
    ...(unknownMachine ? ["the machine of some measurements is unknown"] : []),
  ];
}

function summary(verdicts: readonly Verdict[], shown: Comparison): string {
  const count = (word: string): number => verdicts.filter(({ outcome }) => outcome === word).length;
  const printed = [shown, ...(shown.others ?? [])].reduce((sum, { rows }) => sum + rows.length, 0);
  const decided = `${count("worse")} worse, ${count("better")} better, ${count("same")} the same`;
  const part = printed === verdicts.length ? "" : `; ${printed} of ${counted(verdicts.length, "row")} printed`;
  return `${decided}, ${count("inconclusive")} inconclusive${mostText(verdicts)}${part}`;
}

/** The greatest change for the worse, else for the better: `; startup time +11 %`. */
function mostText(verdicts: readonly Verdict[]): string {
  const sizeOf = ({ delta }: Verdict): number => Math.abs(delta ?? 0);
  const [most] = (["worse", "better"] as const).flatMap((word) =>
    verdicts
      .filter(({ outcome, delta }) => outcome === word && delta !== null)
      .toSorted((a, b) => sizeOf(b) - sizeOf(a)),
  );
  if (most === undefined) return "";
  const { benchmark, metric } = most.subject;
  return `; ${[benchmark, metric].filter((word) => word !== "").join(" ")} ${percentText(most.delta ?? 0)}`;
}
