/** How a call ended: it returned, a jump left it, or it was still open when the program ended. */
export const endings = ["returned", "left by a jump", "open at the end"] as const;

/** Calls of one thread in order of entry. Times are nanoseconds since the start of its process. */
export interface ThreadCalls {
  /** 1 is the first thread that made a call. */
  readonly thread: number;
  /** By call: the number of the function, as defined by the log. */
  readonly functions: readonly number[];
  /**
   * Index of the call among all calls of the function in the process if only some are recorded; otherwise 0.
   */
  readonly numbers: readonly number[];
  readonly starts: readonly number[];
  /**
   * From entry to end, including nested calls. A call that did not return ends when that is detected.
   */
  readonly durations: readonly number[];
  /** Durations without recorded nested calls. */
  readonly exclusives: readonly number[];
  /** Indices into `endings`. */
  readonly endings: readonly number[];
  /** Sizes of the structure that the call works on, as it reported them; NaN if it did not. */
  readonly sizes: readonly number[];
}

/** Builds calls from the events of one thread in chronological order. */
export class CallStack {
  readonly #calls: { [K in Exclude<keyof ThreadCalls, "thread">]: number[] } = {
    functions: [],
    numbers: [],
    starts: [],
    durations: [],
    exclusives: [],
    endings: [],
    sizes: [],
  };
  readonly #thread: number;
  readonly #open: number[] = [];
  /** Time in nested calls, by open call. */
  readonly #inner: number[] = [];

  constructor(thread: number) {
    this.#thread = thread;
  }

  /** The number of open calls. */
  get depth(): number {
    return this.#open.length;
  }

  /** The function of the innermost open call; −1 if none is open. */
  get innermost(): number {
    return this.#calls.functions[this.#open.at(-1) ?? -1] ?? -1;
  }

  isOpen(called: number): boolean {
    return this.#open.findLast((call) => this.#calls.functions[call] === called) !== undefined;
  }

  enter(called: number, time: number, { number = 0, size = Number.NaN } = {}): void {
    const calls = this.#calls;
    this.#open.push(calls.starts.length);
    this.#inner.push(0);
    calls.functions.push(called);
    calls.numbers.push(number);
    calls.starts.push(time);
    calls.durations.push(0);
    calls.exclusives.push(0);
    calls.endings.push(0);
    calls.sizes.push(size);
  }

  /** Ends the innermost open call. */
  leave(time: number, ending: 0 | 1 | 2): void {
    const call = this.#open.pop();
    const inner = this.#inner.pop() ?? 0;
    if (call === undefined) return;
    const calls = this.#calls;
    const duration = Math.max(0, time - calls.starts[call]!);
    calls.durations[call] = duration;
    calls.exclusives[call] = Math.max(0, duration - inner);
    calls.endings[call] = ending;
    if (this.#inner.length > 0) this.#inner[this.#inner.length - 1]! += duration;
  }

  /** Sets the size of the innermost open call; the last one wins. */
  setSize(size: number): void {
    const call = this.#open.at(-1);
    if (call !== undefined) this.#calls.sizes[call] = size;
  }

  /** Ends all open calls and returns the calls. */
  finish(time: number): ThreadCalls {
    while (this.#open.length > 0) this.leave(time, 2);
    return { thread: this.#thread, ...this.#calls };
  }
}
