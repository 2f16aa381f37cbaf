import type { Digest, VersionId } from "../../core/versions/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import { flattenMembers, flatText, formatTimestamp } from "../../core/values/index.ts";
import {
  type ChangeColumns,
  type ChangeRange,
  type ColumnPart,
  type SeriesColumns,
  type VersionColumns,
  packFrame,
  packPoints,
  type Overview,
} from "../../core/pages/index.ts";
import type { Verdict, VerdictOutcome } from "../../core/verdicts/index.ts";
import {
  changeColumns,
  changeList,
  pagedSeries,
  type PagedSeries,
  blockLayout,
  machineColumns,
  pointBlock,
  type BlockLayout,
  seriesColumns,
  versionColumns,
  type PagedVersion,
} from "../../query/pages/index.ts";
import { commitUrlOf } from "../../query/history/index.ts";
import { readRun, VersionLookup } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { triageVerdicts, judgeSeries, type CheckSeriesOptions, type JudgedSeries } from "../verdicts/index.ts";
import { listExperiments } from "../experiments/index.ts";
import { seriesAxis, type SeriesAxis } from "../query/index.ts";
import { newestProfiles } from "./profile-pages.ts";

/** Options of pages. */
export interface PageOptions extends Omit<CheckSeriesOptions, "of" | "program"> {
  /** Pattern searched in locations of profiles. */
  readonly location?: string;
  readonly database?: string;
  /** Version of perfkeep, shown on the page. */
  readonly program: string;
  /** Cache results of this version of perfkeep. */
  readonly keeps: boolean;
}

/** Data of pages with encoded messages; point blocks are encoded lazily. */
export interface PageData {
  readonly overview: Overview;
  readonly versions: VersionColumns;
  readonly series: SeriesColumns;
  readonly changes: ChangeColumns;
  message(part: ColumnPart): Uint8Array;
  readonly blocks: number;
  /** Encoded block of points (`packPoints`). */
  points(block: number): Uint8Array;
}

/** Maximum changes in the overview. */
const maxChanges = 100;

/**
 * Data of all profiles and experiments over the history, with verdicts. Fails like `checkSeries`, except without
 * measurements.
 */
export async function pageData(workspace: Workspace, options: PageOptions): Promise<PageData> {
  const axis = await seriesAxis(workspace, options);
  const experiments = await listExperiments(workspace, options);
  const checked = await checkedSources(
    workspace,
    axis,
    experiments.map(({ name }) => name),
    options,
  );
  const order = new Map(axis.order.map((id, at) => [id, at]));
  const paged = checked.all.flatMap(({ checked, series }) =>
    pagedSeries(series, checked.verdicts, order, options.allMachines),
  );
  const positions = new Map(paged.map((each, at) => [each.series.subject.key, at]));
  const judged = await triageVerdicts(workspace, inOneOrder(checked.all), axis.order);
  const layout = blockLayout(paged);
  const versions = await pagedVersions(workspace, axis);
  const overview: Overview = {
    ...(await knownOverview(workspace, experiments, options)),
    totals: { ...totalsOf(versions, paged), ...runTotals(experiments) },
    outcomes: wordCounts(paged),
    unjudged: unjudgedCount(paged),
    ...changeList({ judged, series: paged, positions, commitOf: commitsOf(axis) }, maxChanges),
    environment: environmentOf(workspace, axis),
    notes: [...new Set([...axis.notes, ...checked.notes])],
  };
  const columns = {
    versions: versionColumns(versions),
    series: seriesColumns(paged, layout),
    changes: changeColumns(judged, positions, order),
    machines: machineColumns(paged, order),
  };
  return {
    overview,
    ...columns,
    message: (part) => packFrame(columns[part]),
    blocks: layout.starts.length - 1,
    points: (block) => packPoints(pointBlock(seriesOf(paged, layout, block), block, order)),
  };
}

function commitsOf({ history }: SeriesAxis): (id: VersionId) => Pick<ChangeRange, "subject" | "date"> {
  return (id) => {
    const commit = history.graph.get(id);
    const date = commit === undefined ? null : formatTimestamp(commit.date * 1e6);
    return { subject: commit?.description.split("\n", 1)[0] ?? "", date };
  };
}

/** Commits and experiments without verdicts, which is fast for any number of values. Fails like `pageData`. */
export async function earlyPageData(workspace: Workspace, options: PageOptions): Promise<PageData> {
  const axis = await seriesAxis(workspace, options);
  const experiments = await listExperiments(workspace, options);
  const versions = await pagedVersions(workspace, axis);
  const columns = {
    versions: versionColumns(versions),
    series: seriesColumns([], blockLayout([])),
    changes: changeColumns([], new Map(), new Map()),
    machines: machineColumns([], new Map()),
  };
  return {
    overview: {
      ...(await knownOverview(workspace, experiments, options)),
      totals: { ...totalsOf(versions, []), ...runTotals(experiments) },
      outcomes: wordCounts([]),
      unjudged: 0,
      changes: [],
      groups: [],
      environment: [],
      notes: axis.notes,
    },
    ...columns,
    message: (part) => packFrame(columns[part]),
    blocks: 0,
    points: (block) => packPoints(pointBlock([], block, new Map())),
  };
}

type ListedExperiments = Awaited<ReturnType<typeof listExperiments>>;

async function knownOverview(workspace: Workspace, experiments: ListedExperiments, options: PageOptions) {
  return {
    schema: "perfkeep.overview/2",
    project: await projectName(workspace),
    ...(await commitUrl(workspace)),
    range: options.range ?? "",
    program: options.program,
    generatedAt: formatTimestamp(Math.floor(workspace.world.now() / 1000) * 1_000_000),
    experiments: experiments.map(({ name, synopsis = "", runs, rows }) => ({ name, synopsis, runs, rows })),
  } as const;
}

function runTotals(experiments: ListedExperiments): Pick<Overview["totals"], "experiments" | "runs"> {
  return { experiments: experiments.length, runs: experiments.reduce((sum, { runs }) => sum + runs, 0) };
}

function totalsOf(
  versions: readonly PagedVersion[],
  paged: readonly PagedSeries[],
): Omit<Overview["totals"], "experiments" | "runs"> {
  return {
    commits: versions.length,
    measured: measuredVersions(versions, paged),
    profiles: versions.reduce((sum, { profiles }) => sum + profiles, 0),
    series: paged.length,
    points: paged.reduce((sum, { line }) => sum + line.values.length, 0),
  };
}

/** Number of commits with profiles or points. */
function measuredVersions(versions: readonly PagedVersion[], paged: readonly PagedSeries[]): number {
  const measured = new Set(versions.flatMap(({ version, profiles }) => (profiles > 0 ? [version.id] : [])));
  // Most series share their positions.
  for (const positions of new Set(paged.map(({ line }) => line.origins)))
    for (const { version } of positions) if (version !== null) measured.add(version);
  return measured.size;
}

function seriesOf(paged: readonly PagedSeries[], { starts }: BlockLayout, block: number): readonly PagedSeries[] {
  return paged.slice(starts[block], starts[block + 1]);
}

interface CheckedSources {
  readonly all: readonly JudgedSeries[];
  readonly notes: readonly string[];
}

/** Checks profiles and each experiment; sources without series are skipped. */
async function checkedSources(
  workspace: Workspace,
  axis: SeriesAxis,
  experiments: readonly string[],
  options: PageOptions,
): Promise<CheckedSources> {
  const { database, location, keeps, program, ...judging } = options;
  const ofProfiles = location === undefined ? {} : { location };
  const sources: readonly (readonly [string, CheckSeriesOptions["of"]])[] = [
    ...(workspace.hasInstance() ? [["profiles", ofProfiles] as const] : []),
    ...experiments.map(
      (experiment) => [experiment, { experiment, ...(database === undefined ? {} : { database }) }] as const,
    ),
  ];
  const all: JudgedSeries[] = [];
  /** The sources of each note; "" for profiles. */
  const notes = new Map<string, string[]>();
  for (const [name, of] of sources) {
    try {
      const checked = await judgeSeries(workspace, { ...judging, ...(keeps ? { program } : {}), of }, axis);
      all.push(checked);
      for (const note of checked.checked.notes)
        if (!axis.notes.includes(note)) notes.set(note, [...(notes.get(note) ?? []), name === "profiles" ? "" : name]);
    } catch (error) {
      if (!isFailure(error, "no-series") && !isFailure(error, "nothing-selected")) throw error;
    }
  }
  return { all, notes: [...notes].map(([note, names]) => noteText(note, names)) };
}

/** `io, net and 3 more: …`: a note of several experiments is one line. */
function noteText(note: string, names: readonly string[]): string {
  if (names.includes("")) return note;
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return `${names.slice(0, 3).join(", ")}${more}: ${note}`;
}

const weights: readonly VerdictOutcome[] = ["worse", "better", "inconclusive", "same"];

/** Merges the verdicts of the sources, which are each in this order. */
function inOneOrder(all: readonly JudgedSeries[]): Verdict[] {
  const [only, ...others] = all;
  if (others.length === 0) return [...(only?.checked.verdicts ?? [])];
  return weights.flatMap((word) =>
    all.flatMap(({ checked }) => checked.verdicts.filter((verdict) => verdict.outcome === word)),
  );
}

function wordCounts(paged: readonly PagedSeries[]): Record<VerdictOutcome, number> {
  const counts = { worse: 0, better: 0, same: 0, inconclusive: 0 };
  for (const { outcome } of paged.flatMap(({ verdicts }) => verdicts)) counts[outcome] += 1;
  return counts;
}

/** Number of inconclusive series without enough points to be judged. */
function unjudgedCount(paged: readonly PagedSeries[]): number {
  const verdicts = paged.flatMap((each) => each.verdicts);
  return verdicts.filter(({ outcome, before }) => outcome === "inconclusive" && before === null).length;
}

async function pagedVersions(workspace: Workspace, { order, history }: SeriesAxis): Promise<PagedVersion[]> {
  const tags = order.length === 0 ? new Map<VersionId, string>() : await history.tags();
  const names = order.length === 0 ? new Map<VersionId, readonly string[]>() : await history.names();
  const stored = workspace.hasInstance() ? new VersionLookup(workspace) : undefined;
  return order.flatMap((id) => {
    const version = history.graph.get(id);
    if (version === undefined) return [];
    return [{ version, profiles: stored?.profiles(id).length ?? 0, tag: tags.get(id), names: names.get(id) ?? [] }];
  });
}

/** Machine and settings of the newest profile. */
function environmentOf(workspace: Workspace, { order }: SeriesAxis): [string, string][] {
  const newest = newestProfiles(workspace, order).toSorted((a, b) => b.time - a.time)[0];
  if (newest === undefined) return [];
  const run = readRun(workspace, { kind: "object", name: newest.name, digest: newest.object as Digest });
  return flattenMembers(run.machine ?? new Map())
    .filter(([, value]) => value !== null && value !== "" && typeof value !== "object")
    .map(([name, value]) => [name, flatText(value)]);
}

/** Folder name of the repository, or of the current directory. */
async function projectName(workspace: Workspace): Promise<string> {
  const folder = await vcsRoot(workspace);
  return folder.slice(folder.lastIndexOf("/") + 1);
}

async function commitUrl(workspace: Workspace): Promise<Pick<Overview, "commitUrl">> {
  try {
    const url = commitUrlOf((await (await workspace.vcs()).remote?.()) ?? "");
    return url === null ? {} : { commitUrl: url };
  } catch (error) {
    if (isFailure(error)) return {};
    throw error;
  }
}

async function vcsRoot(workspace: Workspace): Promise<string> {
  try {
    return (await workspace.vcs()).root;
  } catch (error) {
    if (isFailure(error)) return workspace.world.directory;
    throw error;
  }
}
