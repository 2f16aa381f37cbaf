/**
 * An event of a thread: function entry with the number of the call, return, exit by a jump, or a size. Times in
 * nanoseconds.
 */
export type LoggedEvent =
  | { readonly enter: number; readonly at: number; readonly number?: number }
  | { readonly leave: "returned" | "left"; readonly at: number }
  | { readonly size: number };

export interface LoggedProcess {
  /** Functions by their number: path and offset. */
  readonly functions: readonly { readonly path: string; readonly offset: number }[];
  /** Events by thread. `handOver`: threads reuse the window of the previous thread. */
  readonly threads: readonly (readonly LoggedEvent[])[];
  readonly stopped?: number;
  readonly ended?: number;
  /** Window size in bytes; small values test events over several windows. */
  readonly windowBytes?: number;
  /** Threads reuse the window of the previous thread, like threads that start after another ended. */
  readonly handOver?: boolean;
}

const windowSize = 1 << 16;
const lengths = { enter: 16, leave: 8, size: 16 };

/** The log of process 7 of session 6, as assets/calls.c writes it. */
export function callLog({
  functions,
  threads,
  stopped,
  ended,
  windowBytes = windowSize,
  handOver = false,
}: LoggedProcess): Uint8Array {
  const windows = new Windows();
  windows.next(0, 0);
  windows.header();
  for (const [id, { path, offset }] of functions.entries()) {
    windows.record(1, path.length, [id], path);
    windows.record(2, id, [id, offset]);
  }
  if (ended !== undefined) windows.record(4, ended, []);
  if (stopped !== undefined) windows.record(3, stopped, []);
  for (const [index, events] of threads.entries()) {
    let sequence = 0;
    if (handOver && index > 0) windows.record(5, index + 1, [sequence++]);
    else windows.next(index + 1, sequence++);
    for (const event of events) {
      if (windows.used + lengths["enter" in event ? "enter" : "leave" in event ? "leave" : "size"] > windowBytes)
        windows.next(index + 1, sequence++);
      if ("enter" in event) windows.record(1, event.at, [event.enter + (event.number ?? 0) * 2 ** 32]);
      else if ("leave" in event) windows.record(event.leave === "returned" ? 2 : 3, event.at, []);
      else windows.record(4, 0, [event.size]);
    }
  }
  return windows.bytes();
}

class Windows {
  readonly #windows: DataView[] = [];
  #at = 0;

  get used(): number {
    return this.#at;
  }

  get #view(): DataView {
    return this.#windows.at(-1)!;
  }

  next(thread: number, sequence: number): void {
    this.#windows.push(new DataView(new ArrayBuffer(windowSize)));
    this.#view.setUint32(0, thread, true);
    this.#view.setUint32(4, sequence, true);
    this.#at = 8;
  }

  header(): void {
    this.#text("pkcalls1", 8);
    for (const [index, word] of [1, 7, 6, 0].entries()) this.#view.setUint32(16 + 4 * index, word, true);
    this.#view.setBigUint64(32, 5_000_000_000n, true);
    this.#at = 40;
  }

  record(kind: number, value: number, words: readonly number[], text = ""): void {
    this.#view.setBigUint64(this.#at, (BigInt(value) << 3n) | BigInt(kind), true);
    words.forEach((word, index) => this.#view.setBigUint64(this.#at + 8 + 8 * index, BigInt(word), true));
    this.#text(text, this.#at + 8 + 8 * words.length);
    this.#at += 8 + 8 * words.length + Math.ceil(text.length / 8) * 8;
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#windows.length * windowSize);
    for (const [index, { buffer }] of this.#windows.entries()) bytes.set(new Uint8Array(buffer), index * windowSize);
    return bytes;
  }

  #text(text: string, at: number): void {
    new Uint8Array(this.#view.buffer).set(new TextEncoder().encode(text), at);
  }
}
