import type { Direction, PointOrigin, Series } from "../../core/measurements/index.ts";
import type { ListedProfile } from "../../core/profiles/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { compilePattern } from "../../formats/text/index.ts";
import { namesIn, BlockAdder, type SampleBlock, SeriesBuilder } from "../../query/series/index.ts";
import { VersionLookup } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { sampleBlocks } from "./profile-samples.ts";
import { orderOf, History } from "../history/index.ts";

/** Part of the history. */
export interface SeriesRange {
  /** `A..B`: commits of `B` that `A` lacks; a revision: only itself. Default: all. */
  readonly range?: string;
  /** End of the history if the range does not name one; default: the head. */
  readonly tip?: string;
  /** Day or time: only commits of that date or later. */
  readonly since?: string;
  /** Include all commits, parents first; otherwise first parents only. */
  readonly allParents: boolean;
}

/** Commit axis of series. */
export interface SeriesAxis {
  /** Oldest first; empty outside of a repository. */
  readonly order: readonly VersionId[];
  readonly history: History;
  /** Selected commits; null: all. */
  readonly counting: ReadonlySet<VersionId> | null;
  readonly notes: readonly string[];
}

/** Walks the axis. Fails with `unknown-revision`, `bad-option`. */
export async function seriesAxis(
  workspace: Workspace,
  { range, tip, since, allParents }: SeriesRange,
): Promise<SeriesAxis> {
  const history = new History(workspace);
  const head = headOf(range) ?? tip;
  const { order: all, notes: ofOrder } = await orderOf(history, head);
  const newest = all.at(-1);
  const cut = newest === undefined ? null : await (await workspace.vcs()).limitation("history");
  const notes = cut === null ? ofOrder : [...ofOrder, `older measurements are missing: ${cut}`];
  const order = allParents || newest === undefined ? all : [...history.graph.firstParents(newest)].reverse();
  if (range === undefined && since === undefined) return { order, history, counting: null, notes };
  const counting = await history.select({
    ...(range === undefined ? {} : { commits: [range] }),
    ...(since === undefined ? {} : { since, ...(head === undefined ? {} : { branch: head }) }),
  });
  return { order, history, counting, notes };
}

/** End of a range; undefined: the head. */
function headOf(range: string | undefined): string | undefined {
  const end = range === undefined ? "" : (/^.*?\.\.(.*)$/.exec(range)?.[1] ?? range);
  return end === "" ? undefined : end;
}

export interface ProfileFilter {
  readonly collector?: string;
  readonly cmd?: string;
  /** Pattern searched in locations. */
  readonly location?: string;
  readonly better?: Direction;
  /** Every profile is a separate point, even at the same commit. */
  readonly apart?: boolean;
}

export interface BuiltSeries {
  readonly series: readonly Series[];
  readonly notes: readonly string[];
  /** Evidence of profiles that have calls. */
  readonly withCalls: ReadonlySet<string>;
}

/**
 * Series per configuration, location, generated workload and metric of the profiles on the axis. `program`: version of
 * perfkeep for the sample cache; absent: no caching. Fails with `pattern-error`, `index-damaged`.
 */
export function profileSeries(
  workspace: Workspace,
  { order }: SeriesAxis,
  filter: ProfileFilter,
  program?: string,
): BuiltSeries {
  const builder = new SeriesBuilder(filter.apart);
  const stored = new VersionLookup(workspace);
  const pattern = filter.location === undefined ? undefined : compilePattern(filter.location);
  const visits = order.flatMap((version) =>
    wanted(stored.profiles(version), filter).map((profile) => ({ version, profile })),
  );
  const isWanted = (location: string): boolean => pattern === undefined || pattern.test(location);
  const blocks = sampleBlocks(workspace, visits, program);
  const adder = new BlockAdder(builder, { isWanted, better: filter.better, names: namesIn(blocks) });
  const withCalls = new Set<string>();
  let from = 0;
  for (const block of blocks) {
    const to = from + block.machines.length;
    const own = visits.slice(from, to);
    const origins = {
      origins: own.map(({ version }, at) => originOf(version, block, at)),
      evidence: own.map(({ profile }) => profile.object),
    };
    for (const [at, object] of origins.evidence.entries()) if (block.calls[at] === true) withCalls.add(object);
    adder.add(block, origins);
    from = to;
  }
  return { series: builder.series(), notes: builder.notes(), withCalls };
}

function originOf(
  version: VersionId,
  { machines, disturbances, clocks, canaries }: SampleBlock,
  at: number,
): PointOrigin {
  const [disturbance, clock, canary] = [disturbances[at] ?? null, clocks[at] ?? null, canaries[at] ?? null];
  return {
    version,
    machine: machines[at] ?? null,
    ...(disturbance === null ? {} : { disturbance }),
    ...(clock === null ? {} : { clock }),
    ...(canary === null ? {} : { canary }),
  };
}

/** Matching profiles, each object once. */
function wanted(profiles: readonly ListedProfile[], { collector, cmd }: ProfileFilter): ListedProfile[] {
  const fits = (profile: ListedProfile): boolean =>
    (collector === undefined || profile.collector === collector) && (cmd === undefined || profile.cmd === cmd);
  return [...new Map(profiles.filter(fits).map((profile) => [profile.object, profile])).values()];
}
