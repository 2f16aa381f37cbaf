import {
  type CheckedSeries,
  type CheckSeriesOptions,
  type Why,
  verdictFormats,
} from "../../../commands/verdicts/index.ts";
import { counted, terminalText } from "../../../core/text/index.ts";
import { abbreviate, type VersionId } from "../../../core/versions/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import type { Figure, TableBlock } from "../../../core/figures/index.ts";
import type { Growth } from "../../../core/measurements/index.ts";
import type { Since, SinceRange, Verdict } from "../../../core/verdicts/index.ts";
import type { Arguments } from "../../arguments.ts";
import {
  renderFigure,
  versionAddresses,
  changeText,
  valueText,
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
import { detectorOptions, seriesOptionsOf, subjectOptions } from "../series-options.ts";

const head = [
  { label: "verdict", align: "left", whole: true },
  { label: "benchmark", align: "left" },
  { label: "metric", align: "left" },
  { label: "change", align: "right" },
  { label: "95 % interval", align: "right", spare: true },
  { label: "before", align: "right" },
  { label: "after", align: "right" },
  { label: "n", align: "right", spare: true },
  { label: "q", align: "right", spare: true },
  { label: "since", align: "left", whole: true },
  { label: "suspects", align: "right", spare: true },
] as const satisfies TableBlock["head"];

/** A row per change or possible change, at most `limit`. `addressOf` returns the page of a commit, or "". */
function seriesVerdictsFigure(checked: CheckedSeries, limit: number, addressOf: (id: VersionId) => string): Figure {
  const shown = checked.verdicts.filter(({ outcome: word, before }) => word !== "same" && before !== null);
  const rows = shown.slice(0, limit).map(cellsOf);
  const links = shown.slice(0, limit).map(({ since }) => (since === null ? "" : addressOf(since.after)));
  const blocks: Figure["blocks"] = [
    ...(rows.length > 0
      ? [
          {
            kind: "table",
            head: head.map((column) => (column.label === "since" ? { ...column, links } : column)),
            rows,
          } as const,
        ]
      : []),
    {
      kind: "text",
      text: [...reasonsOf(shown.slice(0, limit)), summaryOf(checked, shown.length - rows.length)].join("\n"),
    },
  ];
  return { title: "", blocks };
}

function cellsOf({
  outcome: word,
  subject,
  before,
  after,
  delta,
  deltaLow,
  deltaHigh,
  q,
  since,
  growth,
  doubt,
}: Verdict): string[] {
  const value = (center: number | undefined): string => valueText(center, subject.unit);
  return [
    doubt === "drift" ? doubt : word,
    subject.benchmark,
    subject.metric,
    changeText(delta),
    deltaLow === null || deltaHigh === null ? "" : `${changeText(deltaLow)} … ${changeText(deltaHigh)}`,
    growth === undefined ? value(before?.center) : grownText(growth.before),
    growth === undefined ? value(after?.center) : grownText(growth.after),
    `${before?.n ?? 0}+${after?.n ?? 0}`,
    q === null ? "" : q < 0.001 ? "<0.001" : q.toFixed(3),
    since === null ? "" : abbreviate(since.after),
    since === null ? "" : String(since.suspects.length),
  ];
}

/** `O(n log n), n^1.14, r² 0.998`. */
function grownText({ name, exponent, rSquared }: Growth): string {
  return `O(${name}), n^${exponent.toFixed(2)}, r² ${rSquared.toFixed(3)}`;
}

function reasonsOf(verdicts: readonly Verdict[]): string[] {
  return verdicts.flatMap(({ subject, reason, threshold, machine, estimator, since, doubt }) => {
    const own = [
      ...(doubt === undefined && since?.range !== undefined ? [rangeText(since, since.range)] : []),
      ...(machine === undefined ? [] : [`measured on ${machine}`]),
      ...(threshold === undefined ? [] : [thresholdText(threshold)]),
      ...(estimator === undefined || estimator === "median" ? [] : [estimatorTexts[estimator]]),
    ];
    return [...(reason === null ? [] : [reason]), ...own].map(
      (each) => `${subject.benchmark} ${subject.metric}: ${each}`,
    );
  });
}

function rangeText({ suspects }: Since, { before, after }: SinceRange): string {
  const search = before === null ? "" : `; search with bisect ${abbreviate(before)} ${abbreviate(after)}`;
  return `one of ${counted(suspects.length, "commit")} is the cause, with at least 95 %${search}`;
}

const estimatorTexts: Readonly<Record<Exclude<NonNullable<Verdict["estimator"]>, "median">, string>> = {
  minimum: "a point is the minimum of its runs, which is the steadiest for this series",
  maximum: "a point is the maximum of its runs, which is the steadiest for this series",
  "trimmed-mean": "a point is the mean of the middle half of its runs, which is the steadiest for this series",
};

function thresholdText({ level, minEffect }: NonNullable<Verdict["threshold"]>): string {
  const of = level === null ? "" : `level ${level}, `;
  return `judged by its threshold: ${of}minimum effect ${Number((minEffect * 100).toPrecision(3))} %`;
}

/** Counts, and why series were not judged, the most frequent reason first. */
function summaryOf({ verdicts, series, judged, counts }: CheckedSeries, hidden: number): string {
  const reasons = new Map<string, number>();
  for (const { before, reason } of verdicts)
    if (before === null && reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const why = [...reasons]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `not judged: ${counted(count, "series", "series")}: ${reason}`);
  return [
    ...(hidden > 0 ? [`${hidden} more: --limit ${hidden + verdicts.length}`] : []),
    [
      `${counts.worse} worse, ${counts.better} better, ${counts.same} the same, ${counts.inconclusive} inconclusive;`,
      `${judged} of ${counted(series, "series", "series")} judged`,
    ].join(" "),
    ...why,
  ].join("\n");
}

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
    "could be judged, or something looks worse without a verdict: too few new points, drift, or the machine.",
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
    if (checked instanceof Failure) return reportEmpty(session, title, checked, nothingChecked(options, checked));
    const triaged = await applyTriageTo(session, checked.verdicts, statusUnlessWorse(checked));
    if (!printVerdicts(session, title, triaged, checked.notes)) await print(session, checked, triaged, args);
    for (const note of checked.notes) session.output.note(terminalText(note));
    noteTriage(session, triaged);
    return triaged.status;
  },
};

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

function nothingChecked({ method }: CheckSeriesOptions, { message }: Failure): { schema: string; fields: object } {
  const counts = { worse: 0, better: 0, same: 0, inconclusive: 0 };
  const none = { unconfirmed: 0, counts, series: { all: 0, judged: 0 }, verdicts: [] };
  return { schema: "perfkeep.verdicts/2", fields: { method, ...none, notes: [message] } };
}

function statusUnlessWorse({ judged, unconfirmed }: CheckedSeries): number {
  return judged === 0 || unconfirmed > 0 ? exitStatus.inconclusive : exitStatus.fine;
}

async function print(
  session: Session,
  checked: CheckedSeries,
  triaged: TriagedVerdicts,
  args: Arguments,
): Promise<void> {
  const { output, format } = session;
  const limit = args.count("limit", 1);
  const { verdicts, series, judged, ...rest } = checked;
  const explanation = args.flag("why") ? await import("../../print/verdicts/explanation.ts") : undefined;
  const whys = args.flag("why") ? await explained(session, verdicts.slice(0, limit)) : new Map<Verdict, Why>();
  if (format !== "json") {
    const figure = seriesVerdictsFigure(checked, limit ?? defaultLimit, await versionAddresses(session));
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
  output.document("perfkeep.verdicts/2", { ...rest, series: { all: series, judged }, verdicts: shown });
}

function canaryOf(args: Arguments): Pick<CheckSeriesOptions, "canary"> {
  const canary = args.text("canary");
  return canary === undefined ? {} : { canary };
}

function optionsOf(args: Arguments): CheckSeriesOptions {
  return {
    ...seriesOptionsOf(args),
    thresholds: args.flag("thresholds"),
    ...canaryOf(args),
    ...(args.flag("cache") ? { program: version } : {}),
  };
}
