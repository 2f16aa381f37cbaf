import { isFailure } from "../../core/errors.ts";

/** Milliseconds: what is new is waited for that long before what was known before is told; */
const patience = 1500;
/** what takes longer is made when those who asked together have their answers: nobody is answered meanwhile. */
const pause = 250;

interface Known<T> {
  readonly state: string;
  readonly value: T;
  /** Milliseconds that it took. */
  readonly took: number;
}

export interface Renewal<T> {
  /** Differs when the value has to be made again. */
  state(): string;
  make(): Promise<T>;
  /** Told when a newer value is there than somebody was answered. */
  renewed(): void;
  /** Milliseconds. */
  now(): number;
}

/** A value that is made again when what it is made of has changed. While that takes long, or the database is written to, the one before is told. */
export class Renewed<T> {
  readonly #of: Renewal<T>;
  #known: Known<T> | undefined;
  #making: Promise<T> | undefined;
  #failed: { readonly state: string; readonly error: unknown } | undefined;
  #wasOld = false;

  constructor(of: Renewal<T>) {
    this.#of = of;
  }

  /** Fails with what making fails with, but for `database-busy` where something is known. */
  async value(): Promise<T> {
    const state = this.#of.state();
    const known = this.#known;
    if (known?.state === state) return known.value;
    if (known === undefined) return this.#made(state, 0);
    if (this.#failed?.state === state) throw this.#failed.error;
    const isLong = known.took > patience;
    const making = this.#made(state, isLong ? pause : 0).catch((error: unknown) => oldUnlessBusy(error, known.value));
    making.catch(() => {});
    return isLong ? this.#old(known) : Promise.race([making, after(patience).then(() => this.#old(known))]);
  }

  #old({ value }: Known<T>): T {
    this.#wasOld ||= this.#making !== undefined;
    return value;
  }

  #made(state: string, rest: number): Promise<T> {
    this.#making ??= this.#make(state, rest).finally(() => (this.#making = undefined));
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
      if (this.#known !== undefined && !isFailure(error, "database-busy")) this.#failed = { state, error };
      throw error;
    } finally {
      if (this.#wasOld) this.#of.renewed();
      this.#wasOld = false;
    }
  }
}

function oldUnlessBusy<T>(error: unknown, old: T): T {
  if (isFailure(error, "database-busy")) return old;
  throw error;
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
