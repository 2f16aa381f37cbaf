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
    const others = [...(this.#known ?? this.#load())].filter(([name]) => !this.#used.has(name));
    const all = [...this.#used, ...others].slice(0, most);
    for (let from = 0; from < all.length; from += ofEntry)
      this.#cache.put(this.#keyOf(from / ofEntry), new Map(all.slice(from, from + ofEntry)));
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

/** 128 bits of SHA-256. */
function digestOf(values: Float64Array): string {
  return hash("sha256", values, "buffer").toString("latin1", 0, 16);
}
