import { hash } from "node:crypto";
import { type AnswerCache, answerKey } from "./answer-cache.ts";

/** Most results of one entry of the answer cache, and of all. */
interface ResultLimits {
  readonly ofEntry: number;
  readonly all: number;
}

/** At about 90 bytes each, 4.5 and 18 MB. */
const defaultLimits: ResultLimits = { ofEntry: 50_000, all: 200_000 };

/**
 * Caches results computed from series of numbers, keyed by a hash of the values, so that only changed series are
 * recomputed. The results are a few entries of the answer cache. Those that were used last are kept first; of others,
 * such as those of another branch, as many as fill an entry.
 */
export class SeriesCache<T> {
  readonly #cache: AnswerCache;
  readonly #key: string;
  readonly #now: number;
  readonly #limits: ResultLimits;
  #known: ReadonlyMap<string, T> | undefined;
  readonly #used = new Map<string, T>();
  #isNew = false;

  /** `key` covers everything else that the results depend on. `now`: seconds since 1970. */
  constructor(cache: AnswerCache, key: string, now: number, limits: ResultLimits = defaultLimits) {
    [this.#cache, this.#key, this.#now, this.#limits] = [cache, key, now, limits];
  }

  getOrCompute(values: Float64Array, compute: (values: Float64Array) => T): T {
    const name = digestOf(values);
    return this.#get(name) ?? this.#put(name, compute(values));
  }

  get(values: Float64Array): T | undefined {
    return this.#get(digestOf(values));
  }

  put(values: Float64Array, result: T): void {
    this.#put(digestOf(values), result);
  }

  #get(name: string): T | undefined {
    this.#known ??= this.#load();
    const known = this.#known.get(name);
    if (known !== undefined) this.#used.set(name, known);
    return known;
  }

  #put(name: string, result: T): T {
    this.#used.set(name, result);
    this.#isNew = true;
    return result;
  }

  /** Writes the results if there are new ones. */
  save(): void {
    if (!this.#isNew) return;
    const { ofEntry, all: limit } = this.#limits;
    const most = Math.min(limit, Math.max(ofEntry, this.#used.size));
    let [entry, number] = [new Map<string, T>(), 0];
    for (const [name, result] of this.#newestFirst(most)) {
      entry.set(name, result);
      if (entry.size < ofEntry) continue;
      this.#cache.put(this.#keyOf(number++), entry);
      entry = new Map();
    }
    if (entry.size > 0) this.#cache.put(this.#keyOf(number), entry);
  }

  /** At most `most` results: those used last, then others. */
  *#newestFirst(most: number): Generator<readonly [name: string, result: T]> {
    let count = 0;
    for (const used of this.#used) {
      if (count++ === most) return;
      yield used;
    }
    for (const other of this.#known ?? this.#load()) {
      if (this.#used.has(other[0])) continue;
      if (count++ === most) return;
      yield other;
    }
  }

  /** Stops at the first entry that is missing or not full. */
  #load(): ReadonlyMap<string, T> {
    const { ofEntry, all: limit } = this.#limits;
    const all = new Map<string, T>();
    for (let entry = 0; entry * ofEntry < limit; entry++) {
      const stored = this.#cache.get(this.#keyOf(entry), this.#now);
      if (!(stored instanceof Map)) break;
      for (const [name, result] of stored as Map<string, T>) all.set(name, result);
      if (stored.size < ofEntry) break;
    }
    return all;
  }

  #keyOf(entry: number): string {
    return entry === 0 ? this.#key : answerKey([this.#key, entry]);
  }
}

/** SHA-256, a character for each byte. */
function digestOf(values: Float64Array): string {
  return hash("sha256", values, "binary");
}

/** Block sizes, in items. */
const sizes = [64, 8, 1] as const;

/** Builds the blocks that a `BlockCache` stores. */
export interface BlockBuilder<Item, Block> {
  /** A hash of everything that the block depends on. */
  key(items: readonly Item[]): string;
  build(item: Item): Block;
  concat(blocks: readonly Block[]): Block;
  /** The form in which a block is stored; undefined: it cannot be stored. */
  pack(block: Block): unknown;
  /** undefined: a part of it is missing. */
  unpack(stored: unknown): Block | undefined;
  /** Approximate size in bytes. */
  size(block: Block): number;
}

/**
 * Caches blocks built from a list that mostly grows at its end: blocks of 64 items, then of 8, then of single items,
 * each content-addressed. Adding an item builds one block and occasionally concatenates a few. If the blocks exceed the
 * cache, those at the end are rebuilt each time.
 */
export class BlockCache<Item, Block> {
  readonly #cache: AnswerCache;
  readonly #now: number;
  readonly #builder: BlockBuilder<Item, Block>;
  /** Bytes left to store, so that blocks of one list do not evict each other. */
  #freeBytes: number;

  /** `now`: seconds since 1970. */
  constructor(cache: AnswerCache, now: number, builder: BlockBuilder<Item, Block>) {
    [this.#cache, this.#now, this.#builder, this.#freeBytes] = [cache, now, builder, cache.totalBytes];
  }

  /** Blocks of all items in their order. */
  blocksOf(items: readonly Item[]): Block[] {
    const blocks: Block[] = [];
    let from = 0;
    for (const [level, size] of sizes.entries())
      for (; from + size <= items.length; from += size)
        blocks.push(this.#getOrBuild(items.slice(from, from + size), level));
    return blocks;
  }

  /** Stores the sub-blocks of a block that is too large to be stored itself. */
  #getOrBuild(items: readonly Item[], level: number): Block {
    const cached = this.#get(items);
    if (cached !== undefined) return cached;
    const subBlocks = this.#subBlocks(items, level);
    const block = this.#build(items, subBlocks);
    if (!this.#put(items, block)) for (const sub of subBlocks) this.#put(sub.items, sub.block);
    return block;
  }

  #subBlocks(items: readonly Item[], level: number): { readonly items: readonly Item[]; readonly block: Block }[] {
    const size = sizes[level + 1];
    if (size === undefined) return [];
    return Array.from({ length: items.length / size }, (_, at) => {
      const own = items.slice(at * size, (at + 1) * size);
      return { items: own, block: this.#get(own) ?? this.#build(own, this.#subBlocks(own, level + 1)) };
    });
  }

  #build(items: readonly Item[], subBlocks: readonly { readonly block: Block }[]): Block {
    return subBlocks.length === 0
      ? this.#builder.build(items[0] as Item)
      : this.#builder.concat(subBlocks.map(({ block }) => block));
  }

  #get(items: readonly Item[]): Block | undefined {
    const stored = this.#cache.get(this.#builder.key(items), this.#now);
    const block = stored === undefined ? undefined : this.#builder.unpack(stored);
    if (block !== undefined) this.#freeBytes -= this.#builder.size(block);
    return block;
  }

  #put(items: readonly Item[], block: Block): boolean {
    const size = this.#builder.size(block);
    if (size > this.#freeBytes) return false;
    const packed = this.#builder.pack(block);
    if (packed === undefined || !this.#cache.put(this.#builder.key(items), packed)) return false;
    this.#freeBytes -= size;
    return true;
  }
}
