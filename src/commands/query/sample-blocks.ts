import type { Digest } from "../../core/versions/digest.ts";
import { textAt } from "../../core/values/json.ts";
import { configurationText, profileKey } from "../../core/profiles/profile-subject.ts";
import type { ListedProfile } from "../../core/profiles/listed-profile.ts";
import type { Facts } from "../../core/profiles/row-kinds.ts";
import type { Run } from "../../core/profiles/run.ts";
import { growthMetric, locationGrowths, locationSamples } from "../../query/series/location-samples.ts";
import {
  blockOfProfile,
  blockSize,
  concatenateBlocks,
  type Sample,
  type SampleBlock,
} from "../../query/series/sample-block.ts";
import { answerKey } from "../../store/cache/answer-cache.ts";
import { BlockCache } from "../../store/cache/incremental-cache.ts";
import { readRun } from "../../workspace/profiles/read-run.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A profile to read. */
export interface Visit {
  readonly profile: ListedProfile;
}

/** Samples of profiles, in order. Cached per `program` version, since profiles are immutable. */
export function sampleBlocks(
  workspace: Workspace,
  visits: readonly Visit[],
  program: string | undefined,
): SampleBlock[] {
  const read = (visit: Visit): SampleBlock => blockOf(workspace, visit.profile);
  if (program === undefined) return visits.map(read);
  const key = (items: readonly Visit[]): string =>
    answerKey([
      "samples by workload",
      program,
      ...items.map(({ profile }) => JSON.stringify([profile.object, profile.cmd, ...configurationOf(profile).key])),
    ]);
  const cache = new BlockCache(workspace.samples(), workspace.world.now() / 1000, {
    key,
    build: read,
    concat: concatenateBlocks,
    size: blockSize,
  });
  return cache.blocksOf(visits);
}

function blockOf(workspace: Workspace, profile: ListedProfile): SampleBlock {
  const run = readRun(workspace, { kind: "object", name: profile.object, digest: profile.object as Digest });
  return blockOfProfile(textAt(run.machine, "fingerprint") ?? null, samplesOf(run, profile));
}

function samplesOf(run: Run, profile: ListedProfile): Sample[] {
  const { words, key } = configurationOf(profile);
  const subjectOf = (location: string, metric: string, facts: Facts) => {
    const subject = { key: profileKey(key, location, metric), location, metric };
    return facts.size === 0 ? subject : { ...subject, workload: { facts, configuration: key, location, words } };
  };
  const samples = locationSamples(run).map(({ location, workload, metric, unit, values, better }): Sample => {
    const benchmark = location === profile.cmd ? words : `${words}: ${location}`;
    return { subject: { ...subjectOf(location, metric, workload), benchmark, unit, better, isGrowth: false }, values };
  });
  const growths = locationGrowths(run).map(({ location, workload, growth }): Sample => {
    const subject = { benchmark: `${words}: ${location}`, unit: undefined, better: "lower", isGrowth: true } as const;
    return {
      subject: { ...subjectOf(location, growthMetric, workload), ...subject },
      values: Float64Array.of(growth.exponent),
      growth,
    };
  });
  return [...samples, ...growths];
}

function configurationOf(profile: ListedProfile): { words: string; key: string[] } {
  const { type, collector, cmd, workload, postprocessors } = profile;
  return { words: configurationText(profile), key: [type, collector, cmd, workload, ...postprocessors] };
}
