import { type AnswerCache, answerKey } from "./answer-cache.ts";

/** Most results of one entry of the answer cache, and of all. */
export interface ResultLimits {
  readonly ofEntry: number;
  readonly all: number;
}

/** At about 90 bytes each, 4.5 and 18 MB. */
const defaultLimits: ResultLimits = { ofEntry: 50_000, all: 200_000 };

/**
 * Caches many small results by name in a few entries of the answer cache. Results that were used last are kept first; of
 * others, such as those of another branch, as many as fill an entry.
 */
export class ResultCache<T> {
  readonly #cache: AnswerCache;
  readonly #key: string;
  readonly #now: number;
  readonly #limits: ResultLimits;
  #known: ReadonlyMap<string, T> | undefined;
  readonly #used = new Map<string, T>();
  #isNew = false;

  /** `key` covers everything but the names that the results depend on. `now`: seconds since 1970. */
  constructor(cache: AnswerCache, key: string, now: number, limits: ResultLimits = defaultLimits) {
    [this.#cache, this.#key, this.#now, this.#limits] = [cache, key, now, limits];
  }

  get(name: string): T | undefined {
    this.#known ??= this.#load();
    const known = this.#known.get(name);
    if (known !== undefined) this.#used.set(name, known);
    return known;
  }

  put(name: string, result: T): T {
    this.#used.set(name, result);
    this.#isNew = true;
    return result;
  }

  getOrCompute(name: string, compute: () => T): T {
    return this.get(name) ?? this.put(name, compute());
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
