import { compare as compareSides, type Comparison } from "../../../commands/verdicts/compare.ts";
import { verdictFormats } from "../../../commands/verdicts/render-verdicts.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import { compareFigure, compareRows } from "../../print/verdicts/compare.ts";
import { renderFigure } from "../../print/figure.ts";
import { honoured, noteTriage, orNothing, printVerdicts, reportNothing } from "../../print/verdicts/verdict-report.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { databaseOf, databaseOption } from "../options.ts";

/** How two sides are judged. */
export const judgeOptions: readonly OptionSpec[] = [
  { flags: "--alpha <p>", synopsis: "differences with a p up to it count (default: 0.05)" },
  {
    flags: "--min-effect <share>",
    synopsis: "changes that are less do not count: 2% or 0.02 (default: of perfkeep.thresholds.yml, else 0)",
  },
  { flags: "--no-thresholds", synopsis: "leave perfkeep.thresholds.yml out" },
  {
    flags: "--resolution <share>",
    synopsis: "the same is only what cannot be worse by this; else it is inconclusive (default: 5%)",
  },
  {
    flags: "--better <which>",
    synopsis: "which numbers are better (default: what the unit says; rates higher)",
    choices: ["lower", "higher"],
  },
  { flags: "--exact", synopsis: "the numbers repeat exactly: any difference counts, without a test" },
  { flags: "--any-machine", synopsis: "decide although the two were measured on different machines" },
];

export const compare: Verb = {
  name: "compare",
  summary: "compare two versions, profiles, runs or files of results",
  details: [
    "Each side is a revision, a profile (tag, name, object or file) or a file of results: of any format that perfkeep",
    "import --list-formats shows, or CSV or lines of JSON with benchmark, value and unit. With -e they are numbers of",
    "runs of an experiment, joined by commas.",
    "",
    "Exit status: 0 nothing is worse, 1 something is, 3 something could not be decided and nothing is worse (docs/compare.md).",
    "",
    "Example: perfkeep compare HEAD~1 HEAD",
    "Example: perfkeep compare old.txt new.txt --min-effect 2%",
    "Example: perfkeep compare --from jmh old.json new.json",
    "Example: perfkeep compare -e sysbench_memory 1,2,3,4 5,6,7,8",
  ].join("\n"),
  operands: [
    { name: "<old>", synopsis: "what to compare with" },
    { name: "<new>", synopsis: "what is compared" },
  ],
  options: [
    { flags: "-e, --experiment <name>", synopsis: "compare runs of this experiment" },
    {
      flags: "--from <format>",
      synopsis: "both are files of this format (default: as their content tells)",
      means: ["importer"],
    },
    ...judgeOptions,
    databaseOption,
  ],
  formats: ["json", "csv", "markdown", "table", "html", ...verdictFormats],
  figures: true,
  async run(session, args) {
    const experiment = args.text("experiment");
    const [old, now, from] = [args.operand(0), args.operand(1), args.text("from")];
    const found = await orNothing(
      compareSides(session.workspace, {
        old,
        new: now,
        ...(experiment === undefined ? {} : { experiment }),
        ...(from === undefined ? {} : { from }),
        ...databaseOf(args),
        ...judgingOf(args),
        confirm: confirmOf(session),
      }),
    );
    if (found instanceof Failure) {
      const empty = {
        schema: "perfkeep.compare/1",
        fields: { old, new: now, otherMachine: false, rows: [], means: [] },
      };
      return reportNothing(session, `compare ${old} ${now}`, found, empty);
    }
    return reportComparison(session, found);
  },
};

/** What `judgeOptions` say. */
export function judgingOf(
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

function shareOf(args: Arguments, name: string, otherwise: number): number {
  const text = args.text(name);
  if (text === undefined) return otherwise;
  const [, digits = "", percent] = /^(\d{1,9}(?:\.\d{1,15})?|\.\d{1,15})(?:e-\d{1,2})? *(%?)$/.exec(text) ?? [];
  const value = digits === "" ? Number.NaN : Number(text.replace("%", "").trim()) / (percent === "%" ? 100 : 1);
  if (value >= 0 && value <= (name === "alpha" ? 0.5 : 10)) return value;
  const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new Failure("bad-option", { option, value: text, expected: "a share such as 0.05 or 5%" });
}

/** Prints the table; answers the exit status. */
export async function reportComparison(session: Session, found: Comparison): Promise<number> {
  const { output, format } = session;
  const verdicts = found.rows.map(({ verdict }) => verdict);
  const isUnclear = verdicts.length === 0 || verdicts.some(({ word }) => word === "inconclusive");
  const seen = await honoured(session, verdicts, isUnclear ? exitStatus.inconclusive : exitStatus.fine);
  const notes = notesOn(found);
  if (format === "json")
    output.document("perfkeep.compare/1", {
      old: found.old,
      new: found.new,
      otherMachine: found.otherMachine,
      unknownMachine: found.unknownMachine,
      rows: compareRows(found),
      means: found.means,
    });
  else if (!printVerdicts(session, `compare ${found.old} ${found.new}`, seen, notes))
    output.data(await renderFigure(session, compareFigure(found), format));
  for (const note of notes) output.note(note);
  noteTriage(session, seen);
  if (format === "text") output.note(summary(found));
  return seen.status;
}

function notesOn({ rows, otherMachine, unknownMachine }: Comparison): string[] {
  return [
    ...(rows.length === 0 ? ["nothing to compare: neither side has a number"] : []),
    ...(otherMachine ? ["measured on different machines"] : []),
    ...(unknownMachine ? ["it is not known of all numbers on which machine they were measured"] : []),
  ];
}

function summary({ rows }: Comparison): string {
  const count = (word: string): number => rows.filter(({ verdict }) => verdict.word === word).length;
  return `${count("worse")} worse, ${count("better")} better, ${count("same")} the same, ${count("inconclusive")} inconclusive`;
}
