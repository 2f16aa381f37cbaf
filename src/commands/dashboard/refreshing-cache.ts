import { isFailure } from "../../core/failures/failure.ts";

/** Milliseconds: what is new is waited for that long before what was known before is told, */
const patience = 1500;
/** and where nothing was known, what is known early; */
const firstPatience = 500;
/** what takes longer is made when those who asked together have their answers: nobody is answered meanwhile. */
const pause = 250;

export interface Known<T> {
  readonly state: string;
  readonly value: T;
  /** Milliseconds that it took. */
  readonly took: number;
}

export interface Renewal<T> {
  /** Differs when the value has to be made again. */
  state(): string;
  make(): Promise<T>;
  /** What can be told before the first value is there. */
  early(): Promise<T>;
  /** What is known from before. */
  readonly known?: Known<T> | undefined;
  /** Told when a newer value is there than somebody was answered. */
  renewed(): void;
  /** Milliseconds. */
  now(): number;
}

export interface Told<T> {
  readonly value: T;
  /** A newer one is being made. */
  readonly isOld: boolean;
}

/**
 * A value that is made again when what it is made of has changed. While that takes long, or the database is written to,
 * the one before is told.
 */
export class Renewed<T> {
  readonly #of: Renewal<T>;
  #known: Known<T> | undefined;
  #making: Promise<T> | undefined;
  #early: Promise<T> | undefined;
  #failed: { readonly state: string; readonly error: unknown } | undefined;
  #wasOld = false;

  constructor(of: Renewal<T>) {
    this.#of = of;
    this.#known = of.known;
  }

  /** Fails with what making fails with, but for `database-busy` where something is known. */
  async value(): Promise<Told<T>> {
    const state = this.#of.state();
    const known = this.#known;
    if (known?.state === state) return { value: known.value, isOld: false };
    if (this.#failed?.state === state) throw this.#failed.error;
    if (known === undefined) return this.#first(this.#made(state, 0));
    const isLong = known.took > patience;
    const making = this.#made(state, isLong ? pause : 0);
    making.catch(() => {});
    if (isLong) return this.#old(known.value);
    try {
      return await Promise.race([making.then(isNew), after(patience).then(() => this.#old(known.value))]);
    } catch (error) {
      if (isFailure(error, "database-busy")) return { value: known.value, isOld: false };
      throw error;
    }
  }

  async #first(making: Promise<T>): Promise<Told<T>> {
    making.catch(() => {});
    const early = (this.#early ??= this.#afterPatience());
    // What cannot be told early is told later.
    const told = early.then(
      (value) => this.#old(value),
      () => making.then(isNew),
    );
    return Promise.race([making.then(isNew), told]);
  }

  async #afterPatience(): Promise<T> {
    const [value] = await Promise.all([this.#of.early(), after(firstPatience)]);
    return value;
  }

  #old(value: T): Told<T> {
    const isOld = this.#making !== undefined;
    this.#wasOld ||= isOld;
    return { value: isOld ? value : (this.#known?.value ?? value), isOld };
  }

  #made(state: string, rest: number): Promise<T> {
    this.#making ??= this.#make(state, rest).finally(() => ([this.#making, this.#early] = [undefined, undefined]));
    return this.#making;
  }

  async #make(state: string, rest: number): Promise<T> {
    if (rest > 0) await after(rest);
    const begun = this.#of.now();
    try {
      const value = await this.#of.make();
      this.#known = { state, value, took: this.#of.now() - begun };
      return value;
    } catch (error) {
      if (!isFailure(error, "database-busy")) this.#failed = { state, error };
      throw error;
    } finally {
      if (this.#wasOld) this.#of.renewed();
      this.#wasOld = false;
    }
  }
}

function isNew<T>(value: T): Told<T> {
  return { value, isOld: false };
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
