/** Reads the items of another so far ahead as memory allows, so that what consumes them need not be there meanwhile. */
export class ReadAhead<T> implements AsyncIterable<T> {
  readonly #items: AsyncGenerator<T>;
  readonly #weigh: (item: T) => number;
  #held: (T | undefined)[] = [];
  #filled: Promise<void> = Promise.resolve();
  #isRead = false;

  /** `weigh`: what an item takes, in any unit. */
  constructor(items: AsyncGenerator<T>, weigh: (item: T) => number) {
    this.#items = items;
    this.#weigh = weigh;
  }

  /** Returns once `most` is held, or all there is, or somebody reads. Fails with whatever the items fail with. */
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

  /** For one reader, who may come before all is held: what is held is let go as it is read. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    this.#isRead = true;
    yield* this.#handOut();
    await this.#filled;
    yield* this.#handOut();
    yield* this.#items;
  }

  *#handOut(): Generator<T> {
    const held = this.#held;
    for (let at = 0; at < held.length; at++) {
      const item = held[at] as T;
      held[at] = undefined;
      yield item;
    }
    this.#held = [];
  }

  /** To be called in any case: what the items hold open is closed. */
  async close(): Promise<void> {
    await this.#items.return(undefined);
  }
}
