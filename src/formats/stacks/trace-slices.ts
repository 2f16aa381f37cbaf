import type { StackFrame } from "../../core/stack-profile.ts";
import type { StackTable } from "../../core/stack-table.ts";
import { countedUp } from "../traces/time-order.ts";

/** The slices of one thread, in any order. Times are microseconds. */
export class ThreadSlices {
  /** A slice is a stretch of the thread's time that has a name; one that has not ended yet has no end. Lists of numbers alone, since there are millions. */
  readonly #frames: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Begins and ends as they come: −1 ends what was begun last. */
  readonly #marks: number[] = [];
  readonly #times: number[] = [];

  whole(frame: number, at: number, duration: number): void {
    this.#frames.push(frame);
    this.#starts.push(at);
    this.#ends.push(at + duration);
  }

  begin(frame: number, at: number): void {
    this.#marks.push(frame);
    this.#times.push(at);
  }

  end(at: number): void {
    this.begin(-1, at);
  }

  /** Tells for each slice its stack and the time that no slice within it has. Slices that lie partly in another are cut off at its end. */
  deliver(stacks: StackTable<StackFrame>, take: (stack: number, microseconds: number) => void): void {
    this.#closeMarks();
    const [starts, ends] = [this.#starts, this.#ends];
    // The longer of two slices that begin together is the outer one; of two that are the same the one that came first.
    const order = inOrder(starts.length, (a, b) => starts[a]! - starts[b]! || ends[b]! - ends[a]! || a - b);
    const open: { readonly stack: number; readonly start: number; readonly end: number; inner: number }[] = [];
    const close = (until: number): void => {
      for (let last = open.at(-1); last !== undefined && last.end <= until; last = open.at(-1)) {
        open.pop();
        take(last.stack, last.end - last.start - last.inner);
      }
    };
    for (const slice of order) {
      const start = starts[slice]!;
      close(start);
      const outer = open.at(-1);
      const end = Math.min(ends[slice]!, outer?.end ?? Number.POSITIVE_INFINITY);
      if (outer !== undefined) outer.inner += end - start;
      open.push({ stack: stacks.called(outer?.stack ?? 0, this.#frames[slice]!), start, end, inner: 0 });
    }
    close(Number.POSITIVE_INFINITY);
  }

  /** What was begun and not ended lasts until the thread's last event. */
  #closeMarks(): void {
    const [marks, times] = [this.#marks, this.#times];
    const open: number[] = [];
    let latest = 0;
    for (const mark of inOrder(marks.length, (a, b) => times[a]! - times[b]! || a - b)) {
      latest = times[mark]!;
      if (marks[mark]! >= 0) {
        open.push(this.#starts.length);
        this.whole(marks[mark]!, latest, Number.NaN);
      } else {
        const last = open.pop();
        if (last !== undefined) this.#ends[last] = latest;
      }
    }
    for (const [at, end] of this.#ends.entries())
      latest = Math.max(latest, Number.isNaN(end) ? this.#starts[at]! : end);
    for (const slice of open) this.#ends[slice] = latest;
    marks.length = times.length = 0;
  }
}

/** The numbers below `count` in order; most programs write that way already. */
function inOrder(count: number, compare: (a: number, b: number) => number): Uint32Array {
  const order = countedUp(count);
  for (let at = 1; at < count; at++) if (compare(at - 1, at) > 0) return order.sort(compare);
  return order;
}
