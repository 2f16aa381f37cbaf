import { Failure } from "../../core/failures/index.ts";

/** Runs the statements of a connection one after the other, even if a caller does not await one. */
export class StatementQueue {
  /** What the caller gets for an error of the database. */
  readonly #failureOf: (error: unknown) => unknown;
  /** Settles with the last statement; never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(failureOf: (error: unknown) => unknown) {
    this.#failureOf = failureOf;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Fails with `database-refused` once the queue is closed. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => {
      if (this.#isClosed) throw new Failure("database-refused", { reason: "the database is closed" });
      return work();
    });
    this.#last = result.catch(() => {});
    try {
      return await result;
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  /** Refuses all statements that have not started. The result settles with the one that runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
  }
}
