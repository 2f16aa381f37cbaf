import { isFailure } from "../../core/failures/index.ts";

/** Wait for a new value before the old one is returned, ms. */
const maxWait = 1500;
/** Wait for the first value before the preview is returned, ms. */
const maxFirstWait = 500;
/** Delay before a long computation starts, so that concurrent requests are answered first, ms. */
const pause = 250;

export interface KnownValue<T> {
  readonly state: string;
  readonly value: T;
  /** Computation time, ms. */
  readonly took: number;
}

export interface RefreshingSource<T> {
  /** Changes when the value must be recomputed. */
  state(): string;
  compute(): Promise<T>;
  /** A partial value until the first one is ready. */
  preview(): Promise<T>;
  /** A value cached earlier. */
  readonly cached?: KnownValue<T> | undefined;
  /** Called when a newer value is ready than one that was returned. */
  refreshed(): void;
  /** Milliseconds. */
  now(): number;
}

export interface CachedValue<T> {
  readonly value: T;
  /** A newer value is being computed. */
  readonly isStale: boolean;
}

/**
 * A value that is recomputed when its source changes. Returns the old value while that takes long or the database is
 * being written.
 */
export class RefreshingCache<T> {
  readonly #of: RefreshingSource<T>;
  #cached: KnownValue<T> | undefined;
  #computing: Promise<T> | undefined;
  #preview: Promise<T> | undefined;
  #failed: { readonly state: string; readonly error: unknown } | undefined;
  #servedStale = false;

  constructor(of: RefreshingSource<T>) {
    this.#of = of;
    this.#cached = of.cached;
  }

  /** Fails like `compute`, except for `database-busy` if an old value exists. */
  async value(): Promise<CachedValue<T>> {
    const state = this.#of.state();
    const cached = this.#cached;
    if (cached?.state === state) return { value: cached.value, isStale: false };
    if (this.#failed?.state === state) throw this.#failed.error;
    if (cached === undefined) return this.#first(this.#start(state, 0));
    const isLong = cached.took > maxWait;
    const computing = this.#start(state, isLong ? pause : 0);
    computing.catch(() => {});
    if (isLong) return this.#stale(cached.value);
    try {
      return await Promise.race([computing.then(fresh), after(maxWait).then(() => this.#stale(cached.value))]);
    } catch (error) {
      if (isFailure(error, "database-busy")) return { value: cached.value, isStale: false };
      throw error;
    }
  }

  async #first(computing: Promise<T>): Promise<CachedValue<T>> {
    computing.catch(() => {});
    const preview = (this.#preview ??= this.#previewAfterWait());
    // Without a preview, wait for the value.
    const fallback = preview.then(
      (value) => this.#stale(value),
      () => computing.then(fresh),
    );
    return Promise.race([computing.then(fresh), fallback]);
  }

  async #previewAfterWait(): Promise<T> {
    const [value] = await Promise.all([this.#of.preview(), after(maxFirstWait)]);
    return value;
  }

  #stale(value: T): CachedValue<T> {
    const isStale = this.#computing !== undefined;
    this.#servedStale ||= isStale;
    return { value: isStale ? value : (this.#cached?.value ?? value), isStale };
  }

  #start(state: string, rest: number): Promise<T> {
    this.#computing ??= this.#compute(state, rest).finally(
      () => ([this.#computing, this.#preview] = [undefined, undefined]),
    );
    return this.#computing;
  }

  async #compute(state: string, rest: number): Promise<T> {
    if (rest > 0) await after(rest);
    const startedMs = this.#of.now();
    try {
      const value = await this.#of.compute();
      this.#cached = { state, value, took: this.#of.now() - startedMs };
      return value;
    } catch (error) {
      if (!isFailure(error, "database-busy")) this.#failed = { state, error };
      throw error;
    } finally {
      if (this.#servedStale) this.#of.refreshed();
      this.#servedStale = false;
    }
  }
}

function fresh<T>(value: T): CachedValue<T> {
  return { value, isStale: false };
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
