/** What is on a heap, by kind of allocation (size and trace), event by event. */
export class LiveHeap {
  /** Most bytes that were there at once. */
  peak = 0;
  readonly #sizes: number[] = [];
  readonly #allocated: number[] = [];
  readonly #temporary: number[] = [];
  readonly #live: number[] = [];
  readonly #atPeak: number[] = [];
  /** Kinds whose number of live blocks changed since the peak; may name one twice. */
  #changed: number[] = [];
  #bytes = 0;
  /** The kind that was allocated just now; -1: something else happened since. */
  #last = -1;

  /** A further kind, of blocks of so many bytes. */
  add(size: number): void {
    this.#sizes.push(size);
    for (const list of [this.#allocated, this.#temporary, this.#live, this.#atPeak]) list.push(0);
  }

  allocate(kind: number): void {
    this.#allocated[kind]! += 1;
    this.#change(kind, 1);
    this.#last = kind;
    if (this.#bytes > this.peak) this.#takePeak();
  }

  /** A block that is released before anything else happens was temporary. What was allocated before the tool looked is passed over. */
  release(kind: number): void {
    if (this.#live[kind] === 0) return;
    if (this.#last === kind) this.#temporary[kind]! += 1;
    this.#last = -1;
    this.#change(kind, -1);
  }

  amountsOf(kind: number): ReadonlyMap<string, number> {
    const size = this.#sizes[kind]!;
    return new Map([
      ["amount", this.#allocated[kind]! * size],
      ["blocks", this.#allocated[kind]!],
      ["temporary", this.#temporary[kind]!],
      ["at-peak", this.#atPeak[kind]! * size],
      ["at-end", this.#live[kind]! * size],
    ]);
  }

  #change(kind: number, blocks: 1 | -1): void {
    this.#live[kind]! += blocks;
    this.#bytes += blocks * this.#sizes[kind]!;
    // A list that is longer than there are kinds tells no more than that all may have changed.
    if (this.#changed.length <= this.#sizes.length) this.#changed.push(kind);
  }

  #takePeak(): void {
    this.peak = this.#bytes;
    if (this.#changed.length > this.#sizes.length) this.#live.forEach((blocks, kind) => (this.#atPeak[kind] = blocks));
    else for (const kind of this.#changed) this.#atPeak[kind] = this.#live[kind]!;
    this.#changed = [];
  }
}
