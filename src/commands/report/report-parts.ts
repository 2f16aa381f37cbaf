import { isFailure, isReadFailure } from "../../core/failures/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { columnParts, packValue, reportParts, type ReportProfiles } from "../../core/pages/index.ts";
import { configurationText, isOfBenchmark, latestOfEach } from "../../core/profiles/index.ts";
import { VersionLookup } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { experimentPage, failureFigure } from "./experiment-page.ts";
import { comparablePairs } from "../profiles/index.ts";
import { drawableViews, newestProfiles, profileDifferenceFigure, profileLines, storedRun } from "./profile-pages.ts";
import type { PageData } from "./page-data.ts";

/** An encoded message of a report and its element id. */
export interface ReportPart {
  readonly id: string;
  readonly message: Uint8Array;
}

/** Limits on profile data in a report. */
export interface ReportLimits {
  /** Maximum profile differences around the most important changes. */
  readonly differences: number;
  /** Maximum drawn profiles of the newest measured commit. */
  readonly profiles: number;
}

/** Views with charts or short tables. */
const views = ["flamegraph", "flamechart", "scatter", "bars", "flow", "heatmap", "alloclist"];

/** Parts after the overview, generated lazily one by one. */
export async function* reportPartsOf(
  workspace: Workspace,
  data: PageData,
  limits: ReportLimits,
  database?: string,
): AsyncGenerator<ReportPart> {
  for (const part of columnParts) yield { id: reportParts[part], message: data.message(part) };
  const pairs = comparedPairs(workspace, data, limits.differences);
  const newest = latestOfEach(newestProfiles(workspace, data.versions.facts.ids)).slice(0, limits.profiles);
  const pictures: ReportProfiles["views"][number][] = [];
  for (const { object } of newest) {
    for (const [view, figure] of await drawableViews(
      workspace,
      storedRun(workspace, object),
      known(workspace, views),
    )) {
      yield { id: reportParts.view(pictures.length), message: packValue(figure) };
      pictures.push([object, view]);
    }
  }
  for (const [index, { base, target }] of pairs.entries())
    yield {
      id: reportParts.difference(index),
      message: packValue(await profileDifferenceFigure(workspace, base, target)),
    };
  yield {
    id: reportParts.profiles,
    message: packValue(reportIndex(workspace, data.versions.facts.ids, pictures, pairs)),
  };
  for (const [index, { name }] of data.overview.experiments.entries())
    yield { id: reportParts.experiment(index), message: packValue(await pageOrReason(workspace, name, database)) };
  for (let block = 0; block < data.blocks; block++)
    yield { id: reportParts.points(block), message: data.points(block) };
}

function known(workspace: Workspace, wanted: readonly string[]): string[] {
  const names = workspace.registry.names("view");
  return wanted.filter((name) => names.includes(name));
}

/** A profile at a commit. */
export interface VersionProfile {
  readonly object: string;
  readonly version: VersionId;
  readonly title: string;
}

export interface ComparedPair {
  readonly base: VersionProfile;
  readonly target: VersionProfile;
}

/** Distinct pairs of profiles before and after the most important changes. */
export function comparedPairs(workspace: Workspace, data: PageData, most: number): ComparedPair[] {
  const pairs = new Map<string, ComparedPair>();
  for (const change of profileChanges(data)) {
    if (pairs.size >= most) break;
    const { before, after, benchmark } = change;
    const found = comparablePairs(workspace, before, after, (profile) => isOfBenchmark(profile, benchmark));
    for (const pair of found.pairs) {
      const [base, target] = [pair.before.object, pair.after.object];
      if (base === target || pairs.size >= most) continue;
      const title = configurationText(pair.after);
      pairs.set(`${base} ${target}`, {
        base: { object: base, version: before, title },
        target: { object: target, version: after, title },
      });
    }
  }
  return [...pairs.values()];
}

interface ProfileChange {
  readonly before: VersionId;
  readonly after: VersionId;
  readonly benchmark: string;
}

/** Profile changes with known commits on both sides, worst first. */
function* profileChanges({ changes, series, versions }: PageData): Generator<ProfileChange> {
  const { arrays, facts } = changes;
  for (const [at, index] of arrays.series.entries()) {
    const word = facts.words[arrays.word[at] ?? -1];
    const [before, after] = [versions.facts.ids[arrays.before[at] ?? -1], versions.facts.ids[arrays.after[at] ?? -1]];
    const benchmark = series.facts.texts[series.arrays.benchmark[index] ?? -1] ?? "";
    if (
      (word === "worse" || word === "better") &&
      series.arrays.source[index] === 0 &&
      before !== undefined &&
      after !== undefined
    )
      yield { before, after, benchmark };
  }
}

function reportIndex(
  workspace: Workspace,
  ids: readonly VersionId[],
  pictures: ReportProfiles["views"],
  pairs: readonly ComparedPair[],
): ReportProfiles {
  const stored = workspace.hasInstance() ? new VersionLookup(workspace) : undefined;
  const profiles = ids.flatMap((id, at) => {
    const lines = profileLines(stored?.profiles(id) ?? []);
    return lines.length === 0 ? [] : [[at, lines] as const];
  });
  const differences = pairs.map(({ base, target }) => [base.object, target.object, target.title] as const);
  return { profiles, views: pictures, differences };
}

async function pageOrReason(workspace: Workspace, name: string, database?: string) {
  try {
    return await experimentPage(workspace, name, database);
  } catch (error) {
    if (!isFailure(error) || isReadFailure(error)) throw error;
    return { name, figures: [{ name: "Not shown", figure: failureFigure(error) }] };
  }
}
