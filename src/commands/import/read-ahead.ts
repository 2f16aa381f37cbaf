import type { ImportStep } from "./fit.ts";

/** Prefetches items of a source within a memory limit, so that the consumer can start later. */
export class ReadAhead<T> implements AsyncIterable<T> {
  readonly #items: AsyncGenerator<T>;
  readonly #weigh: (item: T) => number;
  #held: (T | undefined)[] = [];
  #filled: Promise<void> = Promise.resolve();
  #isRead = false;

  /** `weigh`: size of an item, in any unit. */
  constructor(items: AsyncGenerator<T>, weigh: (item: T) => number) {
    this.#items = items;
    this.#weigh = weigh;
  }

  /** Resolves once `most` is held, the source ends, or reading starts. Fails like the source. */
  fill(most: number): Promise<void> {
    this.#filled = this.#fill(most);
    return this.#filled;
  }

  async #fill(most: number): Promise<void> {
    for (let weight = 0; weight < most && !this.#isRead;) {
      const step = await this.#items.next();
      if (step.done === true) return;
      this.#held.push(step.value);
      weight += this.#weigh(step.value);
    }
  }

  /** For a single reader, which may start during prefetching; releases items as they are read. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    this.#isRead = true;
    yield* this.#release();
    await this.#filled;
    yield* this.#release();
    yield* this.#items;
  }

  *#release(): Generator<T> {
    const held = this.#held;
    for (let at = 0; at < held.length; at++) {
      const item = held[at] as T;
      held[at] = undefined;
      yield item;
    }
    this.#held = [];
  }

  /** Must be called: closes the source. */
  async close(): Promise<void> {
    await this.#items.return(undefined);
  }
}

/** Approximate size of a step, bytes. */
export function sizeOf(step: ImportStep): number {
  const cells = step.kind === "rows" || step.kind === "update" ? step.table.length * step.table.columns.length : 0;
  return 8 * cells + 256;
}
