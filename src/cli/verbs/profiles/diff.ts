import { comparedProfilesJson, renderFigure } from "../../print/index.ts";
import { diff, type DiffOptions, type ComparedFlames } from "../../../commands/profiles/index.ts";
import { type ComparedVersions, differenceGroupings } from "../../../core/profiles/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import { differenceFigure, differenceTable } from "../../../core/figures/index.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { minorOption } from "../options.ts";

/** Views of a difference. */
const views = ["table", "flamegraph", "report"] as const;

type View = (typeof views)[number];

/** Defaults of --limit and --min-share in text. */
const textDefaults = { table: { limit: 20, minShare: 0.01 }, report: { limit: 100, minShare: 0.001 } };

const flameOptions: readonly OptionSpec[] = [
  {
    flags: "--of <quantity>",
    synopsis: "flamegraph: quantity to draw, such as an event or subtype (default: all)",
  },
  { flags: "--inverted", synopsis: "flame graphs: put innermost calls next to the root" },
  { flags: "--merged", synopsis: "flame graphs: fold recursive calls" },
  {
    flags: "--focus <name>",
    synopsis: "flame graphs: show only callees of this frame (callers with --inverted)",
  },
  {
    flags: "--widths <profile>",
    synopsis: "flame graphs: profile that determines box widths (default: target)",
    choices: ["base", "target"],
    advanced: true,
  },
  {
    flags: "--intensity <kind>",
    synopsis: "flame graphs: color by change relative to the frame or to the largest change (default: relative)",
    choices: ["relative", "absolute"],
    advanced: true,
  },
  { flags: "--both", synopsis: "flamegraph: add the graphs of base and target", advanced: true },
  {
    flags: "--width <pixels>",
    synopsis: "flame graphs: width in pixels (160 to 100000; default: available width)",
    advanced: true,
  },
  {
    flags: "--height <pixels>",
    synopsis: "flame graphs: row height in pixels (8 to 200; default: 20)",
    advanced: true,
  },
];

export const diffVerb: Verb = {
  name: "diff",
  summary: "compare two profiles or commits function by function",
  details: [
    "Compares two profiles (or files of other profilers), or two commits, whose profiles are matched by configuration.",
    "Functions are ranked by their share of the total change; new, removed and renamed functions and costs that moved",
    "between functions are marked (docs/diff.md).",
    "",
    "Exit status: 0 compared, with or without differences, 3 nothing to compare.",
  ].join("\n"),
  examples: [
    "perfkeep diff HEAD~1 HEAD",
    "perfkeep diff HEAD~1^0@i 0@p --by stack --format csv",
    "perfkeep diff old.folded new.folded flamegraph -o changed.svg",
    "perfkeep diff HEAD~1 HEAD report -o changed.html",
  ],
  operands: [
    { name: "<base>", synopsis: "older profile (tag, name, REV^tag, object or file) or commit" },
    { name: "<target>", synopsis: "newer profile or commit" },
    {
      name: "[profiles...]",
      synopsis: "view: table (default), flamegraph or report; for commits also: only these profiles of the target",
      known: views,
    },
  ],
  options: [
    { flags: "--by <what>", synopsis: "unit of comparison (default: function)", choices: differenceGroupings },
    {
      flags: "--normalise",
      synopsis: "compare shares of the total instead of amounts",
      also: ["--normalize", "--normalised", "--normalized"],
    },
    {
      flags: "--min-share <share>",
      synopsis: "omit smaller shares of the total change (default: 1%; report: 0.1%; json, csv: 0)",
    },
    {
      flags: "--limit <count>",
      synopsis: "maximum number of rows per quantity (default: 20; report: 100; json, csv: all)",
    },
    {
      flags: "-f, --filter-by <words>",
      synopsis: "only rows with this value in a column: -f uid:function main; several are alternatives",
      words: 2,
    },
    minorOption,
    ...flameOptions,
  ],
  formats: ["svg", "png", "html", "csv", "json", "markdown", "table", "latex", "gnuplot"],
  figures: true,
  async run(session, args) {
    const view = viewOf(args);
    refuseUnusable(args, view);
    if (view === "flamegraph") await printFlames(session, args);
    else if (view === "report") await printReport(session, args);
    else await printTable(session, await diff(session.workspace, optionsOf(session, args, "table")));
    return exitStatus.fine;
  },
};

/** A word that is a view; a profile of the same name must be given by its path. */
function viewOf(args: Arguments): View {
  return views.find((view) => view === args.rest(2)[0]) ?? "table";
}

/** Options that have no effect on a view. */
const unusable: Readonly<Record<View, readonly string[]>> = {
  table: ["of", "inverted", "merged", "focus", "widths", "intensity", "both", "width", "height"],
  flamegraph: ["by", "min-share", "limit"],
  report: ["of", "both"],
};

function refuseUnusable(args: Arguments, view: View): void {
  const given = unusable[view].find((name) => {
    const key = name.replace("-s", "S");
    return args.flag(key) || args.text(key) !== undefined;
  });
  if (given === undefined) return;
  const instead = view === "table" ? "name a view after the profiles: flamegraph or report" : "remove it";
  throw new Failure("unusable-combination", { what: `--${given}: the view ${view} has no such option`, instead });
}

async function printTable(session: Session, differences: ComparedVersions): Promise<void> {
  const { output, format } = session;
  if (format === "json")
    output.document("perfkeep.diff/2", {
      ...differences,
      compared: differences.compared.map(comparedProfilesJson),
    });
  else
    output.data(
      await renderFigure(
        session,
        format === "csv" ? differenceTable(differences) : differenceFigure(differences),
        format,
      ),
    );
}

async function printFlames(session: Session, args: Arguments): Promise<void> {
  const { diffFlames } = await import("../../../commands/profiles/diff-flames.ts");
  const flames = flamesOf(args, args.flag("both"));
  const figure = await diffFlames(session.workspace, { ...wordsOf(session, args), flames });
  session.output.data(await renderFigure(session, figure, session.format));
}

async function printReport(session: Session, args: Arguments): Promise<void> {
  const { diffReport } = await import("../../../commands/profiles/diff-report.ts");
  const figure = await diffReport(session.workspace, {
    ...optionsOf(session, args, "report"),
    flames: flamesOf(args, true),
  });
  session.output.data(await renderFigure(session, figure, session.format));
}

function wordsOf(
  session: Session,
  args: Arguments,
): Pick<DiffOptions, "base" | "target" | "profiles" | "minor" | "only" | "confirm"> {
  const [first, ...others] = args.rest(2);
  const minor = args.text("minor");
  return {
    base: args.operand(0),
    target: args.operand(1),
    profiles: views.some((view) => view === first) ? others : args.rest(2),
    ...(minor === undefined ? {} : { minor }),
    only: args.pairs("filterBy"),
    confirm: confirmOf(session),
  };
}

function optionsOf(session: Session, args: Arguments, view: "table" | "report"): DiffOptions {
  const isComplete = session.format === "json" || session.format === "csv";
  const share = args.text("minShare");
  const defaults = textDefaults[view];
  return {
    ...wordsOf(session, args),
    by: differenceGroupings.find((by) => by === args.text("by")) ?? "function",
    isNormalised: args.flag("normalise"),
    minShare: share === undefined ? (isComplete ? 0 : defaults.minShare) : shareOf(share),
    limit: args.count("limit", 1) ?? (isComplete ? Number.POSITIVE_INFINITY : defaults.limit),
  };
}

function flamesOf(args: Arguments, withBoth: boolean): ComparedFlames {
  const [of, focus] = [args.text("of"), args.text("focus")];
  const [width, frameHeight] = [pixelsOf(args, "width", 160, 1e5), pixelsOf(args, "height", 8, 200)];
  return {
    shape: {
      ...(of === undefined ? {} : { of }),
      ...(focus === undefined ? {} : { focus }),
      form: args.flag("inverted") ? "inverted" : "plain",
      merged: args.flag("merged"),
    },
    look: {
      normalised: args.flag("normalise"),
      widths: args.text("widths") === "base" ? "base" : "target",
      intensity: args.text("intensity") === "absolute" ? "absolute" : "relative",
      ...(width === undefined ? {} : { width }),
      ...(frameHeight === undefined ? {} : { frameHeight }),
    },
    withBoth,
  };
}

function pixelsOf(args: Arguments, name: string, least: number, most: number): number | undefined {
  const pixels = args.count(name, least);
  if (pixels === undefined || pixels <= most) return pixels;
  throw new Failure("bad-option", {
    option: `--${name}`,
    value: String(pixels),
    expected: `a whole number from ${least} to ${most}`,
  });
}

/** Parses a share from 0 to 1, such as `1%` or `0.01`. */
function shareOf(text: string): number {
  const match = /^(\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*(%?)$/.exec(text);
  const value = Number(match?.[1] ?? Number.NaN) / (match?.[2] === "%" ? 100 : 1);
  if (value >= 0 && value <= 1) return value;
  throw new Failure("bad-option", { option: "--min-share", value: text, expected: "a share such as 5% or 0.05" });
}
