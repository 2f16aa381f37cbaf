/** How a call was over: it returned, a jump left it, or it was still open when the program ended. */
export const endings = ["returned", "left by a jump", "open at the end"] as const;

/** Calls of one thread in the order in which they were entered. Times are nanoseconds since its process started. */
export interface ThreadCalls {
  /** 1 is the first that called something. */
  readonly thread: number;
  /** By call: what was called, a number whose meaning the source of the calls knows. */
  readonly functions: readonly number[];
  /**
   * Which call of the function it was where only some are recorded, counted from 0 over all threads of the process;
   * otherwise 0.
   */
  readonly numbers: readonly number[];
  readonly starts: readonly number[];
  /**
   * From entering to the end, with all that was called in between; for a call that did not return until that was
   * noticed.
   */
  readonly durations: readonly number[];
  /** Without the calls in between that were recorded. */
  readonly exclusives: readonly number[];
  /** Places in `endings`. */
  readonly endings: readonly number[];
  /** What the call told of the structure it works on; NaN: nothing. */
  readonly sizes: readonly number[];
}

/** Puts calls together from the events of one thread, in order of time. */
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
  /** Time of calls within, by open call. */
  readonly #inner: number[] = [];

  constructor(thread: number) {
    this.#thread = thread;
  }

  /** How many calls are open. */
  get depth(): number {
    return this.#open.length;
  }

  /** What the innermost open call is of; -1: none is open. */
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

  /** The innermost open call is over. */
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

  /** The innermost open call tells a size; the last one counts. */
  tell(size: number): void {
    const call = this.#open.at(-1);
    if (call !== undefined) this.#calls.sizes[call] = size;
  }

  /** The calls, of which those that are open end now. */
  finish(time: number): ThreadCalls {
    while (this.#open.length > 0) this.leave(time, 2);
    return { thread: this.#thread, ...this.#calls };
  }
}
