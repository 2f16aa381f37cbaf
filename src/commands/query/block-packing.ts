import {
  blockSize,
  restoredBlock,
  storedBlock,
  subjectsSize,
  type SampleBlock,
  type SampledSubject,
  type StoredBlock,
} from "../../query/series/index.ts";
import { answerKey, type AnswerCache, type BlockBuilder } from "../../store/cache/index.ts";

/** Stores the subjects of blocks once for all blocks that share them. */
export class BlockPacking {
  readonly #cache: AnswerCache;
  readonly #now: number;
  readonly #keys = new Map<readonly SampledSubject[], string | undefined>();
  readonly #lists = new Map<string, readonly SampledSubject[] | undefined>();
  /** Lists whose size was counted. */
  readonly #counted = new Set<readonly SampledSubject[]>();

  /** `now`: seconds since 1970. */
  constructor(cache: AnswerCache, now: number) {
    [this.#cache, this.#now] = [cache, now];
  }

  /** Functions of the builder of blocks. */
  readonly functions: Pick<BlockBuilder<never, SampleBlock>, "pack" | "unpack" | "size"> = {
    pack: (block) => {
      const key = this.#keyOf(block.subjects);
      return key === undefined ? undefined : storedBlock(block, key);
    },
    unpack: (stored) => {
      const own = stored as StoredBlock;
      const subjects = this.#subjectsOf(own.subjects);
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
    const key = this.#keyOf(block.subjects);
    const subjects = key === undefined ? undefined : this.#lists.get(key);
    return subjects === undefined ? block : { ...block, subjects };
  }

  /** The key of stored subjects; undefined: they cannot be stored. */
  #keyOf(subjects: readonly SampledSubject[]): string | undefined {
    if (this.#keys.has(subjects)) return this.#keys.get(subjects);
    const texts = subjects.map(({ workload, ...subject }) =>
      JSON.stringify([subject, workload === undefined ? null : { ...workload, facts: [...workload.facts] }]),
    );
    const key = answerKey(["subjects", ...texts]);
    const known = this.#subjectsOf(key) !== undefined || this.#cache.put(key, subjects) ? key : undefined;
    this.#keys.set(subjects, known);
    if (known !== undefined && !this.#lists.has(key)) this.#lists.set(key, subjects);
    return known;
  }

  #subjectsOf(key: string): readonly SampledSubject[] | undefined {
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const stored = this.#cache.get(key, this.#now) as readonly SampledSubject[] | undefined;
    if (stored === undefined) return undefined;
    this.#lists.set(key, stored);
    this.#keys.set(stored, key);
    return stored;
  }
}
