import {
  configurationKey,
  configurationText,
  type Facts,
  type ListedProfile,
  profileKey,
  type Run,
} from "../../core/profiles/index.ts";
import { textAt } from "../../core/values/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import { ProfileMemory } from "../../formats/profile/index.ts";
import { hasCalls } from "../../query/difference/index.ts";
import {
  blockOfColumns,
  blockOfProfile,
  blockSize,
  canaryOf,
  clockRateOf,
  concatenateBlocks,
  disturbanceOf,
  growthMetric,
  locationGrowths,
  restoredBlock,
  type Sample,
  type SampleBlock,
  type SampledSubject,
  type SampleLayout,
  SampleLayouts,
  storedBlock,
  type StoredBlock,
  subjectsSize,
  valuesIn,
} from "../../query/series/index.ts";
import { type AnswerCache, answerKey, type BlockBuilder, BlockCache } from "../../store/cache/index.ts";
import { type OpenComparable, openComparable } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type KnownLayout, StoredLayouts, type SubjectLists } from "./stored-layouts.ts";

/** A profile to read. */
interface Visit {
  readonly profile: ListedProfile;
}

/** Samples of profiles, in order. Cached per `program` version, since profiles are immutable. */
export function sampleBlocks(
  workspace: Workspace,
  visits: readonly Visit[],
  program: string | undefined,
): SampleBlock[] {
  if (program === undefined) {
    const sampler = new ProfileSampler(workspace);
    return visits.map(({ profile }) => sampler.blockOf(profile));
  }
  const key = (items: readonly Visit[]): string =>
    answerKey([
      "samples with clock rates, canaries, calls and parameters",
      program,
      ...items.map(({ profile }) => JSON.stringify([profile.object, profile.cmd, ...configurationKey(profile)])),
    ]);
  const [samples, now] = [workspace.samples(), workspace.world.now() / 1000];
  const packing = new BlockPacking(samples, now);
  const sampler = new ProfileSampler(workspace, new StoredLayouts(samples, packing, program, now));
  const build = ({ profile }: Visit): SampleBlock => packing.shared(sampler.blockOf(profile));
  const cache = new BlockCache(samples, now, { key, build, concat: concatenateBlocks, ...packing.functions });
  return cache.blocksOf(visits);
}

/**
 * Reads the samples of profiles. Profiles of one configuration mostly differ in their numbers only: what else they have
 * is interpreted once.
 */
class ProfileSampler {
  readonly #workspace: Workspace;
  readonly #memory = new ProfileMemory();
  readonly #layouts = new SampleLayouts();
  /** The subjects of a layout by configuration. */
  readonly #subjects = new WeakMap<SampleLayout, Map<string, readonly SampledSubject[]>>();
  readonly #stored: StoredLayouts | undefined;

  constructor(workspace: Workspace, stored?: StoredLayouts) {
    [this.#workspace, this.#stored] = [workspace, stored];
  }

  /** The block of a profile. Fails like reading it. */
  blockOf(profile: ListedProfile): SampleBlock {
    const open = openComparable(this.#workspace, profile.object as Digest);
    if (this.#stored === undefined || open.isKnownIn(this.#memory)) return this.#decoded(profile, open).block;
    const key = this.#stored.keyOf(profile, open);
    if (key === undefined) return this.#decoded(profile, open).block;
    const known = this.#stored.find(key);
    if (known !== undefined) return blockByLayout(open.numbers, known);
    const { block, layout } = this.#decoded(profile, open);
    this.#stored.put(key, layout, { subjects: block.subjects, hasCalls: block.calls[0] === true });
    return block;
  }

  #decoded(
    profile: ListedProfile,
    open: OpenComparable,
  ): { readonly block: SampleBlock; readonly layout: SampleLayout } {
    const run = open.whole(this.#memory);
    const layout = this.#layouts.of(run);
    return { block: this.#blockBy(layout, run, profile), layout };
  }

  #blockBy(layout: SampleLayout, run: Run, profile: ListedProfile): SampleBlock {
    const subjects = this.#subjectsOf(layout, profile);
    const growths = growthSamples(run, profile);
    const [{ ends }, values, state] = [layout, layout.valuesOf(run), stateOf(run)];
    if (growths.length === 0) return blockOfColumns(state, { subjects, ends, values, growths: new Map() });
    const samples = subjects.map((subject, at): Sample => {
      return { subject, values: values.subarray(at === 0 ? 0 : ends[at - 1], ends[at]) };
    });
    return blockOfProfile(state, [...samples, ...growths]);
  }

  #subjectsOf(layout: SampleLayout, profile: ListedProfile): readonly SampledSubject[] {
    const known = this.#subjects.get(layout) ?? new Map<string, readonly SampledSubject[]>();
    this.#subjects.set(layout, known);
    const configuration = JSON.stringify([profile.cmd, configurationText(profile), configurationKey(profile)]);
    const subjects = known.get(configuration) ?? subjectsOf(layout, profile);
    known.set(configuration, subjects);
    return subjects;
  }
}

/** `numbers`: the run without its properties. */
function blockByLayout(numbers: Run, { subjects, cells, hasCalls: calls }: KnownLayout): SampleBlock {
  const columns = { subjects, ends: cells.ends, values: valuesIn(numbers, cells), growths: new Map() };
  return blockOfColumns({ ...stateOf(numbers), hasCalls: calls }, columns);
}

function stateOf(run: Run): Parameters<typeof blockOfColumns>[0] {
  return {
    machine: textAt(run.machine, "fingerprint") ?? null,
    disturbance: disturbanceOf(run),
    clock: clockRateOf(run),
    canary: canaryOf(run),
    hasCalls: hasCalls(run),
  };
}

function subjectsOf({ metrics }: SampleLayout, profile: ListedProfile): SampledSubject[] {
  const [words, subjectOf] = [configurationText(profile), subjectNames(profile)];
  return metrics.map(({ location, workload, metric, unit, better }) => {
    const benchmark = location === profile.cmd ? words : `${words}: ${location}`;
    return { ...subjectOf(location, metric, workload), benchmark, unit, better, isGrowth: false };
  });
}

function growthSamples(run: Run, profile: ListedProfile): Sample[] {
  const [words, subjectOf] = [configurationText(profile), subjectNames(profile)];
  return locationGrowths(run).map(({ location, workload, growth }): Sample => {
    const subject = { benchmark: `${words}: ${location}`, unit: undefined, better: "lower", isGrowth: true } as const;
    return {
      subject: { ...subjectOf(location, growthMetric, workload), ...subject },
      values: Float64Array.of(growth.exponent),
      growth,
    };
  });
}

type SubjectNames = (
  location: string,
  metric: string,
  facts: Facts,
) => Pick<SampledSubject, "key" | "location" | "metric" | "workload">;

function subjectNames(profile: ListedProfile): SubjectNames {
  const [words, configuration] = [configurationText(profile), configurationKey(profile)];
  return (location, metric, facts) => {
    const subject = { key: profileKey(configuration, location, metric), location, metric };
    return facts.size === 0 ? subject : { ...subject, workload: { facts, configuration, location, words } };
  };
}

/** Whether two lists are surely equal; units are compared by identity, and generated workloads not at all. */
function areSame(a: readonly SampledSubject[], b: readonly SampledSubject[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((one, at) => {
    const other = b[at]!;
    if (one.workload !== undefined || other.workload !== undefined) return false;
    const isNamedAlike = one.key === other.key && one.benchmark === other.benchmark && one.location === other.location;
    const isMetric = one.metric === other.metric && one.unit === other.unit && one.better === other.better;
    return isNamedAlike && isMetric && one.isGrowth === other.isGrowth;
  });
}

/** Stores the subjects of blocks once for all blocks that share them. */
export class BlockPacking implements SubjectLists {
  readonly #cache: AnswerCache;
  readonly #now: number;
  readonly #keys = new Map<readonly SampledSubject[], string | undefined>();
  readonly #lists = new Map<string, readonly SampledSubject[] | undefined>();
  /** The last list whose key was computed: most profiles of a history measure the same. */
  #last: readonly SampledSubject[] | undefined;
  /** Lists whose size was counted. */
  readonly #counted = new Set<readonly SampledSubject[]>();

  /** `now`: seconds since 1970. */
  constructor(cache: AnswerCache, now: number) {
    [this.#cache, this.#now] = [cache, now];
  }

  /** Functions of the builder of blocks. */
  readonly functions: Pick<BlockBuilder<never, SampleBlock>, "pack" | "unpack" | "size"> = {
    pack: (block) => {
      const key = this.keyOf(block.subjects);
      return key === undefined ? undefined : storedBlock(block, key);
    },
    unpack: (stored) => {
      const own = stored as StoredBlock;
      const subjects = this.listOf(own.subjects);
      return subjects === undefined ? undefined : restoredBlock(own, subjects);
    },
    size: (block) => {
      const isKnown = this.#counted.has(block.subjects);
      this.#counted.add(block.subjects);
      return blockSize(block) + (isKnown ? 0 : subjectsSize(block.subjects));
    },
  };

  /** The block with the same list of subjects as blocks with equal ones. */
  shared(block: SampleBlock): SampleBlock {
    const key = this.keyOf(block.subjects);
    const subjects = key === undefined ? undefined : this.#lists.get(key);
    return subjects === undefined ? block : { ...block, subjects };
  }

  keyOf(subjects: readonly SampledSubject[]): string | undefined {
    if (this.#keys.has(subjects)) return this.#keys.get(subjects);
    if (this.#last !== undefined && areSame(subjects, this.#last)) return this.#keys.get(this.#last);
    this.#last = subjects;
    const texts = subjects.map(({ workload, ...subject }) =>
      JSON.stringify([subject, workload === undefined ? null : { ...workload, facts: [...workload.facts] }]),
    );
    const key = answerKey(["subjects", ...texts]);
    const known = this.listOf(key) !== undefined || this.#cache.put(key, subjects) ? key : undefined;
    this.#keys.set(subjects, known);
    if (known !== undefined && !this.#lists.has(key)) this.#lists.set(key, subjects);
    return known;
  }

  listOf(key: string): readonly SampledSubject[] | undefined {
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const stored = this.#cache.get(key, this.#now) as readonly SampledSubject[] | undefined;
    if (stored === undefined) return undefined;
    this.#lists.set(key, stored);
    this.#keys.set(stored, key);
    return stored;
  }
}
