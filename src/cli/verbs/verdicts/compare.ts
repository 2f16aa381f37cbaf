import { compare as compareSides, type Comparison, verdictFormats } from "../../../commands/verdicts/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import {
  compareFigure,
  compareRows,
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
];

export const compare: Verb = {
  name: "compare",
  summary: "compare two commits, profiles, runs or result files",
  details: [
    "Each side is a revision, a profile (tag, name, object or file) or a result file: of any format of perfkeep import",
    "--list-formats, or CSV or JSON lines with benchmark, value and unit. With -e, each side is a comma-separated list",
    "of runs of an experiment.",
    "",
    "Exit status: 0 nothing is worse, 1 something is worse, 3 something is inconclusive and nothing is worse.",
    "",
    "Example: perfkeep compare HEAD~1 HEAD",
    "Example: perfkeep compare old.txt new.txt --min-effect 2%",
    "Example: perfkeep compare --from jmh old.json new.json",
    "Example: perfkeep compare -e sysbench_memory 1,2,3,4 5,6,7,8",
  ].join("\n"),
  operands: [
    { name: "<old>", synopsis: "baseline" },
    { name: "<new>", synopsis: "side to compare with the baseline" },
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
    return reportComparison(session, comparison);
  },
};

/** The values of `comparisonOptions`. */
export function comparisonOptionsOf(
  args: Arguments,
): Pick<Parameters<typeof compareSides>[1], "anyMachine" | "thresholds" | "options"> {
  const better = args.text("better");
  const options = {
    alpha: shareOf(args, "alpha", 0.05),
    minEffect: shareOf(args, "minEffect", 0),
    resolution: shareOf(args, "resolution", 0.05),
    exact: args.flag("exact"),
    ...(better === "lower" || better === "higher" ? ({ better } as const) : {}),
  };
  const thresholds = args.flag("thresholds") && args.text("minEffect") === undefined;
  return { anyMachine: args.flag("anyMachine"), thresholds, options };
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

/** Prints the comparison; returns the exit status. */
export async function reportComparison(session: Session, comparison: Comparison): Promise<number> {
  const { output, format } = session;
  const verdicts = comparison.rows.map(({ verdict }) => verdict);
  const isUnclear = verdicts.length === 0 || verdicts.some(({ outcome: word }) => word === "inconclusive");
  const triaged = await applyTriageTo(session, verdicts, isUnclear ? exitStatus.inconclusive : exitStatus.fine);
  const notes = notesOn(comparison);
  if (format === "json")
    output.document("perfkeep.compare/1", {
      old: comparison.old,
      new: comparison.new,
      otherMachine: comparison.otherMachine,
      unknownMachine: comparison.unknownMachine,
      rows: compareRows(comparison),
      means: comparison.means,
    });
  else if (!printVerdicts(session, `compare ${comparison.old} ${comparison.new}`, triaged, notes))
    output.data(await renderFigure(session, compareFigure(comparison), format));
  for (const note of notes) output.note(note);
  noteTriage(session, triaged);
  if (format === "text") output.note(summary(comparison));
  return triaged.status;
}

function notesOn({ rows, otherMachine, unknownMachine }: Comparison): string[] {
  return [
    ...(rows.length === 0 ? ["nothing to compare: neither side has values"] : []),
    ...(otherMachine ? ["measured on different machines"] : []),
    ...(unknownMachine ? ["the machine of some measurements is unknown"] : []),
  ];
}

function summary({ rows }: Comparison): string {
  const count = (word: string): number => rows.filter(({ verdict }) => verdict.outcome === word).length;
  const decided = `${count("worse")} worse, ${count("better")} better, ${count("same")} the same`;
  return `${decided}, ${count("inconclusive")} inconclusive`;
}
