import type { CheckedSeries, CheckSeriesOptions } from "../../commands/check-series.ts";
import type { Why } from "../../commands/explain-verdict.ts";
import { verdictFormats } from "../../commands/verdict-outputs.ts";
import { Failure } from "../../core/errors.ts";
import { exitStatus } from "../../core/failures/kind.ts";
import { terminalText } from "../../core/terminal-text.ts";
import type { Verdict } from "../../core/verdict.ts";
import type { Arguments } from "../arguments.ts";
import { renderFigure } from "../print/figure.ts";
import { seriesVerdictsFigure } from "../print/series-verdicts.ts";
import { honoured, noteTriage, orNothing, printVerdicts, reportNothing, type HonouredVerdicts } from "../print/verdict-report.ts";
import { verdictJson } from "../print/verdict-json.ts";
import { whyJson, withWhy } from "../print/why.ts";
import type { Session } from "../session.ts";
import type { OptionSpec, Verb } from "../verb.ts";
import { version } from "../version.ts";
import { databaseOf, databaseOption, settingsOf, words } from "./options.ts";

/** Verdicts that people are shown without --limit. */
const shownToPeople = 50;

/** Whose numbers are looked at. */
export const subjectOptions: readonly OptionSpec[] = [
  { flags: "-e, --experiment <name>", synopsis: "its results instead of profiles" },
  {
    flags: "--result <names>",
    synopsis: "results of the experiment, joined by commas (default: all that are numbers)",
    repeat: true,
    means: ["variable"],
  },
  { flags: "-b, --by <names>", synopsis: "parameters that make its sets (default: all but texts, times and sample)", repeat: true },
  { flags: "-w, --where <condition>", synopsis: "only data sets that fit; several must all hold", repeat: true },
  { flags: "--collector <name>", synopsis: "only profiles of this collector" },
  { flags: "--cmd <command>", synopsis: "only profiles of this command" },
  { flags: "--location <pattern>", synopsis: "only locations that the pattern is found in" },
];

/** Along which history, and how changes are looked for. */
export const detectorOptions: readonly OptionSpec[] = [
  { flags: "--all-parents", synopsis: "along all versions, those that were merged in, too" },
  { flags: "--method <name>", synopsis: "the detector", default: "ensemble", means: ["detector"] },
  { flags: "--opt <name=value>", synopsis: "an option of the detector", repeat: true },
  {
    flags: "--better <which>",
    synopsis: "which values are the better ones (default: as the variable or the unit says)",
    choices: ["lower", "higher"],
  },
];

export const checkSeriesVerb: Verb = {
  name: "series",
  summary: "find the changes in the history of every number that was measured",
  details: [
    "Every location of every configuration of profiles, or every parameter set of an experiment, is a series along the first parents of the",
    "head. Changes within the range decide; what was before is what they are compared with (docs/verdicts.md).",
    "",
    "Example: perfkeep check series main..HEAD --cmd ./bench --min-effect 2%",
    "         perfkeep check series -e io --result rate --by size,op",
    "",
    "Exit status: 0 nothing got worse (but what perfkeep.triage accepts), 1 something did, 3 nothing could be judged, or the newest points look",
    "worse and are too few to tell.",
  ].join("\n"),
  operands: [{ name: "[range]", synopsis: "versions that count, A..B or one (default: all up to the head)" }],
  options: [
    ...subjectOptions,
    { flags: "--since <time>", synopsis: "only changes of versions that were committed then or later, in UTC" },
    ...detectorOptions,
    { flags: "--min-effect <share>", synopsis: "changes below this do not count (default: of perfkeep.thresholds.yml, else 1%)" },
    { flags: "--no-thresholds", synopsis: "leave perfkeep.thresholds.yml out" },
    { flags: "--fdr <share>", synopsis: "share of false alarms among all changes", default: "0.05" },
    { flags: "--any-machine", synopsis: "compare values of different machines, too (default: of the newest point's only)" },
    { flags: "--limit <count>", synopsis: `at most so many verdicts (default: ${shownToPeople}, json: all)` },
    { flags: "--why", synopsis: "tell in which functions profiles of the same versions differ, and who touched their files" },
    { flags: "--no-cache", synopsis: "compute everything again" },
    databaseOption,
  ],
  formats: ["json", "markdown", "html", ...verdictFormats],
  figures: true,
  async run(session, args) {
    refuseUnexplained(session, args);
    const title = ["check series", ...args.operands.filter((word) => typeof word === "string")].join(" ");
    const asked = optionsOf(args);
    // The other checks need nothing of experiments.
    const { checkSeries } = await import("../../commands/check-series.ts");
    const checked = await orNothing(checkSeries(session.workspace, asked));
    if (checked instanceof Failure) return reportNothing(session, title, checked, nothingChecked(asked, checked));
    const seen = await honoured(session, checked.verdicts, statusUnlessWorse(checked));
    if (!printVerdicts(session, title, seen, checked.notes)) await print(session, checked, seen, args);
    for (const note of checked.notes) session.output.note(terminalText(note));
    noteTriage(session, seen);
    return seen.status;
  },
};

/** Formats of other programs have no place for reasons. */
export function refuseUnexplained({ format }: Session, args: Arguments): void {
  if (args.flag("why") && verdictFormats.some((each) => each === format))
    throw new Failure("unusable-combination", { what: `--why with --format ${format}`, instead: "take text, json or html" });
}

async function explained({ workspace }: Session, verdicts: readonly Verdict[]): Promise<ReadonlyMap<Verdict, Why>> {
  return (await import("../../commands/explain-verdict.ts")).explainVerdicts(workspace, verdicts);
}

function nothingChecked({ method }: CheckSeriesOptions, { message }: Failure): { schema: string; fields: object } {
  const counts = { worse: 0, better: 0, same: 0, inconclusive: 0 };
  const none = { unsettled: 0, counts, series: { all: 0, judged: 0 }, verdicts: [] };
  return { schema: "perfkeep.verdicts/1", fields: { method, ...none, notes: [message] } };
}

function statusUnlessWorse({ judged, unsettled }: CheckedSeries): number {
  return judged === 0 || unsettled > 0 ? exitStatus.inconclusive : exitStatus.fine;
}

async function print(session: Session, checked: CheckedSeries, seen: HonouredVerdicts, args: Arguments): Promise<void> {
  const { output, format } = session;
  const limit = args.count("limit", 1);
  const { verdicts, series, judged, ...rest } = checked;
  const whys = args.flag("why") ? await explained(session, verdicts.slice(0, limit)) : new Map<Verdict, Why>();
  if (format !== "json")
    return output.data(await renderFigure(session, withWhy(seriesVerdictsFigure(checked, limit ?? shownToPeople), whys), format));
  const decided = new Map(seen.verdicts.map(({ verdict, triage }) => [verdict, triage]));
  const shown = verdicts.slice(0, limit).map((verdict) => {
    const [why, triage] = [whys.get(verdict), decided.get(verdict) ?? null];
    return { ...verdictJson(verdict), ...(why === undefined ? {} : { why: whyJson(why) }), ...(triage === null ? {} : { triage }) };
  });
  output.document("perfkeep.verdicts/1", { ...rest, series: { all: series, judged }, verdicts: shown });
}

function optionsOf(args: Arguments): CheckSeriesOptions {
  return { ...judgingOf(args), thresholds: args.flag("thresholds"), ...(args.flag("cache") ? { program: version } : {}) };
}

type Judging = "of" | "range" | "since" | "allParents" | "method" | "options" | "minEffect" | "falseDiscoveryRate" | "allMachines";

/** Which numbers are looked at along which history, and how: what `subjectOptions`, `detectorOptions`, the range and the limits say. */
export function judgingOf(args: Arguments): Pick<CheckSeriesOptions, Judging> {
  const [range, since, minEffect] = [args.maybeOperand(0), args.text("since"), args.text("minEffect")];
  return {
    of: subjectsOf(args),
    ...(range === undefined ? {} : { range }),
    ...(since === undefined ? {} : { since }),
    allParents: args.flag("allParents"),
    method: args.text("method") ?? "",
    options: settingsOf(args.texts("opt")),
    ...(minEffect === undefined ? {} : { minEffect: share("--min-effect", minEffect) }),
    falseDiscoveryRate: share("--fdr", args.text("fdr") ?? ""),
    allMachines: args.flag("anyMachine"),
  };
}

/** What `subjectOptions` and `--better` say. */
function subjectsOf(args: Arguments): CheckSeriesOptions["of"] {
  const better = (["lower", "higher"] as const).find((each) => each === args.text("better"));
  const direction = better === undefined ? {} : { better };
  const experiment = args.text("experiment");
  const stray = (names: readonly string[]): string | undefined => names.find((name) => args.texts(name).length > 0);
  const unfit = stray(experiment === undefined ? ["result", "by", "where", "db"] : ["collector", "cmd", "location"]);
  if (unfit !== undefined) {
    const instead = experiment === undefined ? "name the experiment with -e" : "leave it out: it chooses among profiles";
    throw new Failure("unusable-combination", {
      what: `--${unfit} ${experiment === undefined ? "without" : "with"} --experiment`,
      instead,
    });
  }
  if (experiment === undefined) return { ...direction, ...given(args, "collector"), ...given(args, "cmd"), ...given(args, "location") };
  const by = words(args, "by");
  const sets = args.texts("by").length === 0 ? {} : { by };
  return { ...direction, experiment, results: words(args, "result"), ...sets, where: args.texts("where"), ...databaseOf(args) };
}

function given<Name extends string>(args: Arguments, name: Name): { readonly [key in Name]?: string } {
  const text = args.text(name);
  return (text === undefined ? {} : { [name]: text }) as { readonly [key in Name]?: string };
}

/** `1%` or `0.01`, from 0 to 1. */
export function share(option: string, text: string): number {
  const found = /^(\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*(%?)$/.exec(text);
  const value = Number(found?.[1] ?? Number.NaN) / (found?.[2] === "%" ? 100 : 1);
  if (value >= 0 && value <= 1) return value;
  throw new Failure("bad-option", { option, value: text, expected: "a share such as 5% or 0.05" });
}
