import { configurationKey, type ListedProfile } from "../../core/profiles/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import {
  blockSize,
  concatenateBlocks,
  restoredBlock,
  type SampleBlock,
  type SampledSubject,
  storedBlock,
  type StoredBlock,
  subjectsSize,
} from "../../query/series/index.ts";
import { type AnswerCache, answerKey, type BlockBuilder, BlockCache } from "../../store/cache/index.ts";
import { type OpenComparable, openComparable } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { ProfileSampler } from "./profile-sampler.ts";
import { StoredLayouts, type SubjectLists } from "./stored-layouts.ts";

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
  const open = ({ object }: ListedProfile): OpenComparable => openComparable(workspace, object as Digest);
  if (program === undefined) {
    const sampler = new ProfileSampler(open);
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
  const sampler = new ProfileSampler(open, new StoredLayouts(samples, packing, program, now));
  const build = ({ profile }: Visit): SampleBlock => packing.shared(sampler.blockOf(profile));
  const cache = new BlockCache(samples, now, { key, build, concat: concatenateBlocks, ...packing.functions });
  return cache.blocksOf(visits);
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
