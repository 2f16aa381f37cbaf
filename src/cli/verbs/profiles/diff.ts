import { diff, type DiffOptions } from "../../../commands/profiles/diff.ts";
import type { ComparedFlames } from "../../../commands/profiles/diff-flames.ts";
import type { ComparedVersions } from "../../../core/profiles/profile-difference.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { differenceGroupings } from "../../../core/profiles/profile-difference.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import { renderFigure } from "../../print/figure.ts";
import { comparedJson, differenceFigure, differenceTable } from "../../../core/figures/difference-figure.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { minorOption } from "../options.ts";

/** What a difference is shown as. */
const views = ["table", "flamegraph", "report"] as const;

type View = (typeof views)[number];

/** What people are shown without --limit and --min-share. */
const shownToPeople = { table: { limit: 20, minShare: 0.01 }, report: { limit: 100, minShare: 0.001 } };

const flameOptions: readonly OptionSpec[] = [
  {
    flags: "--of <quantity>",
    synopsis: "of flamegraph: which of several quantities (an event, a subtype; default: all)",
  },
  { flags: "--inverted", synopsis: "of flame graphs: innermost calls next to the root" },
  { flags: "--merged", synopsis: "of flame graphs: recursion folded" },
  {
    flags: "--focus <name>",
    synopsis: "of flame graphs: only what is below this frame, or with --inverted what called it",
  },
  {
    flags: "--widths <profile>",
    synopsis: "of flame graphs: whose amounts boxes are as wide as (default: target)",
    choices: ["base", "target"],
  },
  {
    flags: "--intensity <kind>",
    synopsis:
      "of flame graphs: colours tell the change beside the frame itself, or beside the greatest change of all (default: relative)",
    choices: ["relative", "absolute"],
  },
  { flags: "--both", synopsis: "of flamegraph: the graphs of base and target, too" },
  {
    flags: "--width <pixels>",
    synopsis: "of flame graphs: pixels of a graph (160 to 100000; default: as there is room)",
  },
  { flags: "--height <pixels>", synopsis: "of flame graphs: pixels of a row (8 to 200; default: 20)" },
];

export const diffVerb: Verb = {
  name: "diff",
  summary: "show in which functions two profiles or versions differ",
  details: [
    "Two profiles (or files of other profilers, as for show), or two versions, whose profiles are matched by their configurations. Functions",
    "are ranked by their share of all that changed; new and gone ones, renames, and cost that only moved between functions are told apart",
    "(docs/diff.md).",
    "",
    "Exit status: 0 compared, whether or not they differ, 3 there is nothing to compare.",
  ].join("\n"),
  examples: [
    "perfkeep diff HEAD~1 HEAD",
    "perfkeep diff HEAD~1^0@i 0@p --by stack --format csv",
    "perfkeep diff old.folded new.folded flamegraph -o changed.svg",
    "perfkeep diff HEAD~1 HEAD report -o changed.html",
  ],
  operands: [
    { name: "<base>", synopsis: "the older profile (tag, name, REV^tag, object or file) or version" },
    { name: "<target>", synopsis: "the newer one, a profile or version like the first" },
    {
      name: "[profiles...]",
      synopsis: "table (default), flamegraph or report; of two versions then: only these profiles of the target",
      known: views,
    },
  ],
  options: [
    { flags: "--by <what>", synopsis: "what costs are compared by (default: function)", choices: differenceGroupings },
    {
      flags: "--normalise",
      synopsis: "compare shares of the whole instead of amounts",
      also: ["--normalize", "--normalised", "--normalized"],
    },
    {
      flags: "--min-share <share>",
      synopsis: "leave out what is a smaller share of all that changed (default: 1%; report: 0.1%; json, csv: 0)",
    },
    {
      flags: "--limit <count>",
      synopsis: "at most so many rows of a quantity (default: 20; report: 100; json, csv: all)",
    },
    {
      flags: "-f, --filter-by <words>",
      synopsis: "only rows where a column has this content: -f uid:function main; given several times: one of them",
      words: 2,
    },
    minorOption,
    ...flameOptions,
  ],
  formats: ["svg", "png", "html", "csv", "json", "markdown", "table", "latex", "gnuplot"],
  figures: true,
  async run(session, args) {
    const view = viewOf(args);
    refuseOthers(args, view);
    if (view === "flamegraph") await printFlames(session, args);
    else if (view === "report") await printReport(session, args);
    else await printTable(session, await diff(session.workspace, optionsOf(session, args, "table")));
    return exitStatus.fine;
  },
};

/** A profile of that name can be named by its path. */
function viewOf(args: Arguments): View {
  return views.find((view) => view === args.rest(2)[0]) ?? "table";
}

/** Options that would do nothing. */
const meaningless: Readonly<Record<View, readonly string[]>> = {
  table: ["of", "inverted", "merged", "focus", "widths", "intensity", "both", "width", "height"],
  flamegraph: ["by", "min-share", "limit"],
  report: ["of", "both"],
};

function refuseOthers(args: Arguments, view: View): void {
  const given = meaningless[view].find((name) => {
    const key = name.replace("-s", "S");
    return args.flag(key) || args.text(key) !== undefined;
  });
  if (given === undefined) return;
  const instead = view === "table" ? "name the view behind the profiles: flamegraph or report" : "leave it out";
  throw new Failure("unusable-combination", { what: `--${given}: the view ${view} has no such option`, instead });
}

async function printTable(session: Session, found: ComparedVersions): Promise<void> {
  const { output, format } = session;
  if (format === "json") output.document("perfkeep.diff/1", { ...found, compared: found.compared.map(comparedJson) });
  else
    output.data(
      await renderFigure(session, format === "csv" ? differenceTable(found) : differenceFigure(found), format),
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
  const isWhole = session.format === "json" || session.format === "csv";
  const share = args.text("minShare");
  const usual = shownToPeople[view];
  return {
    ...wordsOf(session, args),
    by: differenceGroupings.find((by) => by === args.text("by")) ?? "function",
    isNormalised: args.flag("normalise"),
    minShare: share === undefined ? (isWhole ? 0 : usual.minShare) : shareOf(share),
    limit: args.count("limit", 1) ?? (isWhole ? Number.POSITIVE_INFINITY : usual.limit),
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

/** `1%` or `0.01`, from 0 to 1. */
function shareOf(text: string): number {
  const found = /^(\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*(%?)$/.exec(text);
  const value = Number(found?.[1] ?? Number.NaN) / (found?.[2] === "%" ? 100 : 1);
  if (value >= 0 && value <= 1) return value;
  throw new Failure("bad-option", { option: "--min-share", value: text, expected: "a share such as 5% or 0.05" });
}
