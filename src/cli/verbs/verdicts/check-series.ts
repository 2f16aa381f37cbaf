import {
  type CheckedSeries,
  type CheckSeriesOptions,
  type Why,
  verdictFormats,
} from "../../../commands/verdicts/index.ts";
import { Failure, exitStatus, isFailure } from "../../../core/failures/index.ts";
import type { Verdict } from "../../../core/verdicts/index.ts";
import type { Arguments } from "../../arguments.ts";
import {
  renderFigure,
  versionAddresses,
  verdictJson,
  applyTriageTo,
  noteTriage,
  orNothingToCompare,
  printVerdicts,
  reportEmpty,
  type TriagedVerdicts,
} from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { databaseOption } from "../options.ts";
import { detectorOptions, parseShare, seriesOptionsOf, subjectOptions } from "../series-options.ts";

/** Default of --limit in text. */
const defaultLimit = 50;

export const checkSeriesVerb: Verb = {
  name: "series",
  summary: "detect changes in the history of every metric",
  details: [
    "A series is a location of a profile configuration, or a parameter set of an experiment, along the first parents",
    "of HEAD. Changes within the range determine the result; earlier commits are the baseline (docs/verdicts.md).",
    "",
    "Example: perfkeep check series main..HEAD --cmd ./bench --min-effect 2%",
    "         perfkeep check series -e io --result rate --by size,op",
    "",
    "Exit status: 0 nothing is worse (except changes accepted in perfkeep.triage), 1 something is worse, 3 nothing",
    "could be judged, or something looks worse without a verdict: too few new points, drift, noise, or the machine.",
  ].join("\n"),
  operands: [{ name: "[range]", synopsis: "commits to check, A..B or one (default: all up to HEAD)" }],
  options: [
    ...subjectOptions,
    { flags: "--since <time>", synopsis: "only changes in commits at or after this time (UTC)" },
    ...detectorOptions,
    {
      flags: "--min-effect <share>",
      synopsis: "ignore smaller changes (default: from perfkeep.thresholds.yml, else 1%)",
    },
    {
      flags: "--resolution <share>",
      synopsis: "change that has to be detectable before a series is the same, else it is inconclusive",
      default: "25%",
      advanced: true,
    },
    { flags: "--no-thresholds", synopsis: "ignore perfkeep.thresholds.yml", advanced: true },
    { flags: "--fdr <share>", synopsis: "false-discovery rate of all changes", default: "0.05", advanced: true },
    {
      flags: "--any-machine",
      synopsis: "include values of other machines than that of the newest point",
      advanced: true,
    },
    {
      flags: "--canary <benchmark>",
      synopsis: "benchmark that never changes: remove its level, which is the machine's, from all others",
      advanced: true,
    },
    {
      flags: "--bridge [benchmark]",
      synopsis: "compare machines by a benchmark that never changes (default: the loop measured with run --canary)",
      advanced: true,
    },
    { flags: "--limit <count>", synopsis: `maximum number of verdicts (default: ${defaultLimit}, json: all)` },
    {
      flags: "--why",
      synopsis: "explain changes: functions that differ and commits that touched their files",
    },
    { flags: "--no-cache", synopsis: "ignore cached results", advanced: true },
    databaseOption,
  ],
  formats: ["json", "markdown", "table", "html", ...verdictFormats],
  figures: true,
  async run(session, args) {
    refuseWhy(session, args);
    const title = ["check series", ...args.operands.filter((word) => typeof word === "string")].join(" ");
    const options = optionsOf(args);
    // Loaded lazily: other checks do not need experiments.
    const { checkSeries } = await import("../../../commands/verdicts/check-series.ts");
    const checked = await orNothingToCompare(checkSeries(session.workspace, options));
    if (checked instanceof Failure)
      return reportEmpty(
        session,
        title,
        await namingExperiments(session, options, checked),
        nothingChecked(options, checked),
      );
    const triaged = await applyTriageTo(session, checked.verdicts, statusUnlessWorse(checked));
    if (!printVerdicts(session, title, triaged, checked.notes)) await print(session, checked, triaged, args);
    for (const note of checked.notes) session.output.note(note);
    noteTriage(session, triaged);
    return triaged.status;
  },
};

/** The failure with the names of the first experiments, which a user who only imported results has to name. */
async function namingExperiments(
  { workspace }: Session,
  { of }: CheckSeriesOptions,
  failure: Failure,
): Promise<Failure> {
  if ("experiment" in of || failure.code !== "no-series") return failure;
  return new Failure(failure.code, { ...failure.data, experiments: await firstExperiments(workspace) });
}

/** Names of at most five experiments; none if they cannot be read, for example while the database is in use. */
export async function firstExperiments(workspace: Session["workspace"]): Promise<string[]> {
  try {
    const { listExperiments } = await import("../../../commands/experiments/list-experiments.ts");
    return (await listExperiments(workspace, {})).slice(0, 5).map(({ name }) => name);
  } catch (error) {
    if (isFailure(error)) return [];
    throw error;
  }
}

/** Fails with `unusable-combination`: formats of other programs have no field for explanations. */
export function refuseWhy({ format }: Session, args: Arguments): void {
  if (args.flag("why") && verdictFormats.some((each) => each === format))
    throw new Failure("unusable-combination", {
      what: `--why with --format ${format}`,
      instead: "use text, json or html",
    });
}

async function explained({ workspace }: Session, verdicts: readonly Verdict[]): Promise<ReadonlyMap<Verdict, Why>> {
  return (await import("../../../commands/verdicts/explain-verdict.ts")).explainVerdicts(workspace, verdicts);
}

function resolutionOf(args: Arguments): number {
  return parseShare("--resolution", args.text("resolution") ?? "25%");
}

function nothingChecked({ method }: CheckSeriesOptions, { message }: Failure): { schema: string; fields: object } {
  const counts = { worse: 0, better: 0, same: 0, inconclusive: 0 };
  const none = { unconfirmed: 0, counts, series: { all: 0, judged: 0 }, groups: [], verdicts: [] };
  return { schema: "perfkeep.verdicts/2", fields: { method, ...none, notes: [message] } };
}

function statusUnlessWorse({ counts, judged, unconfirmed }: CheckedSeries): number {
  const isUndecided = counts.worse + counts.better + counts.same === 0;
  return judged === 0 || isUndecided || unconfirmed > 0 ? exitStatus.inconclusive : exitStatus.fine;
}

async function print(
  session: Session,
  checked: CheckedSeries,
  triaged: TriagedVerdicts,
  args: Arguments,
): Promise<void> {
  const { output, format } = session;
  const limit = args.count("limit", 1);
  const { verdicts, series, judged, groups, ...rest } = checked;
  const explanation = args.flag("why") ? await import("../../print/verdicts/explanation.ts") : undefined;
  const whys = args.flag("why") ? await explained(session, verdicts.slice(0, limit)) : new Map<Verdict, Why>();
  if (format !== "json") {
    const { seriesVerdictsFigure } = await import("../../print/verdicts/series-verdicts.ts");
    const extent = { limit: limit ?? defaultLimit, resolution: resolutionOf(args) };
    const figure = seriesVerdictsFigure(checked, extent, await versionAddresses(session));
    return output.data(await renderFigure(session, explanation?.withWhy(figure, whys) ?? figure, format));
  }
  const decided = new Map(triaged.verdicts.map(({ verdict, triage }) => [verdict, triage]));
  const shown = verdicts.slice(0, limit).map((verdict) => {
    const [why, triage] = [whys.get(verdict), decided.get(verdict) ?? null];
    return {
      ...verdictJson(verdict),
      ...(why === undefined ? {} : { why: explanation?.whyJson(why) }),
      ...(triage === null ? {} : { triage }),
    };
  });
  const together = groups.map(({ verdicts: members, ...group }) => {
    return { ...group, subjects: members.map(({ subject }) => subject.key) };
  });
  const counts = { series: { all: series, judged }, groups: together };
  output.document("perfkeep.verdicts/2", { ...rest, ...counts, verdicts: shown });
}

function steadyBenchmarks(args: Arguments): Pick<CheckSeriesOptions, "canary" | "bridge"> {
  const [canary, named] = [args.text("canary"), args.text("bridge")];
  const bridge = args.flag("bridge") ? null : named;
  if (bridge !== undefined && args.flag("anyMachine"))
    throw new Failure("unusable-combination", { what: "--bridge with --any-machine", instead: "use one of them" });
  return { ...(canary === undefined ? {} : { canary }), ...(bridge === undefined ? {} : { bridge }) };
}

function optionsOf(args: Arguments): CheckSeriesOptions {
  return {
    ...seriesOptionsOf(args),
    thresholds: args.flag("thresholds"),
    resolution: resolutionOf(args),
    ...steadyBenchmarks(args),
    ...(args.flag("cache") ? { program: version } : {}),
  };
}
