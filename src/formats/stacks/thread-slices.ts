import type { SampleLabels, StackFrame, StackTable, TimelineBuilder } from "../../core/profiles/index.ts";
import { indexRange } from "./v8/time-order.ts";

/** The labels of a thread as one text. */
export function labelText(labels: SampleLabels): string {
  return [...labels.values()]
    .flat()
    .map((label) => (typeof label === "string" ? label : `${label.value} ${label.unit}`))
    .join(" ");
}

/** The slices of one thread, in any order. Times are microseconds. */
export class ThreadSlices {
  /**
   * A slice is a named time interval of the thread; its end is NaN while it is open. Stored as lists of numbers,
   * because there may be millions.
   */
  readonly #frames: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** `B` and `E` events in file order: a frame, or −1 for an end. */
  readonly #marks: number[] = [];
  readonly #times: number[] = [];

  complete(frame: number, at: number, duration: number): void {
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

  /**
   * Passes the stack and self time of each slice to `take`, and what ran when to `timeline`. Slices that overlap the
   * end of an outer one are truncated.
   */
  forEachSlice(
    stacks: StackTable<StackFrame>,
    timeline: TimelineBuilder,
    take: (stack: number, microseconds: number) => void,
  ): void {
    this.#closeMarks();
    const [starts, ends] = [this.#starts, this.#ends];
    // Of slices with the same start, the longer one is the outer one; of equal slices, the first one.
    const order = inOrder(starts.length, (a, b) => starts[a]! - starts[b]! || ends[b]! - ends[a]! || a - b);
    const open: { readonly stack: number; readonly start: number; readonly end: number; inner: number }[] = [];
    let now = starts[order[0] ?? 0] ?? 0;
    const advance = (until: number): void => {
      timeline.add(open.at(-1)?.stack ?? 0, until - now);
      now = Math.max(now, until);
    };
    const close = (until: number): void => {
      for (let last = open.at(-1); last !== undefined && last.end <= until; last = open.at(-1)) {
        advance(last.end);
        open.pop();
        take(last.stack, last.end - last.start - last.inner);
      }
    };
    for (const slice of order) {
      const start = starts[slice]!;
      close(start);
      advance(start);
      const outer = open.at(-1);
      const end = Math.min(ends[slice]!, outer?.end ?? Number.POSITIVE_INFINITY);
      if (outer !== undefined) outer.inner += end - start;
      open.push({ stack: stacks.called(outer?.stack ?? 0, this.#frames[slice]!), start, end, inner: 0 });
    }
    close(Number.POSITIVE_INFINITY);
  }

  /** Slices without an end last until the thread's last event. */
  #closeMarks(): void {
    const [marks, times] = [this.#marks, this.#times];
    const open: number[] = [];
    let latest = 0;
    for (const mark of inOrder(marks.length, (a, b) => times[a]! - times[b]! || a - b)) {
      latest = times[mark]!;
      if (marks[mark]! >= 0) {
        open.push(this.#starts.length);
        this.complete(marks[mark]!, latest, Number.NaN);
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

/** The sorted indices below `count`; skips sorting if they are in order, as most programs write them. */
function inOrder(count: number, compare: (a: number, b: number) => number): Uint32Array {
  const order = indexRange(count);
  for (let at = 1; at < count; at++) if (compare(at - 1, at) > 0) return order.sort(compare);
  return order;
}
