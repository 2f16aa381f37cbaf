import { createHash } from "node:crypto";
import type { AnswerCache } from "./answer-cache.ts";

/** Answers that one entry of the cache holds; most take sixty bytes, which makes twelve megabytes. */
const mostKept = 200_000;

/**
 * What was computed from numbers, by their very content: of many series only those that got another value are computed
 * again, and the answers are those that computing would give. All answers are one entry of the cache, written by `save`
 * when there are new ones.
 */
export class KeptByContent<T> {
  readonly #cache: AnswerCache;
  readonly #key: string;
  readonly #known: ReadonlyMap<string, T>;
  readonly #used = new Map<string, T>();
  #isNew = false;

  /** `key`: of all that the answers depend on besides the numbers. `now`: seconds since 1970. */
  constructor(cache: AnswerCache, key: string, now: number) {
    this.#cache = cache;
    this.#key = key;
    const found = cache.get(key, now);
    this.#known = found instanceof Map ? (found as Map<string, T>) : new Map<string, T>();
  }

  of(values: Float64Array, compute: (values: Float64Array) => T): T {
    const name = nameOf(values);
    return this.#find(name) ?? this.#keep(name, compute(values));
  }

  find(values: Float64Array): T | undefined {
    return this.#find(nameOf(values));
  }

  keep(values: Float64Array, answer: T): void {
    this.#keep(nameOf(values), answer);
  }

  #find(name: string): T | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) this.#used.set(name, known);
    return known;
  }

  #keep(name: string, answer: T): T {
    this.#used.set(name, answer);
    this.#isNew = true;
    return answer;
  }

  /** Answers of this time before those of earlier times, as many as there is room for. */
  save(): void {
    if (!this.#isNew) return;
    const others = [...this.#known].filter(([name]) => !this.#used.has(name));
    this.#cache.put(this.#key, new Map([...this.#used, ...others].slice(0, mostKept)));
  }
}

function nameOf(values: Float64Array): string {
  return createHash("sha256").update(values).digest("base64");
}
