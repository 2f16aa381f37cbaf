import type { StackFrame } from "../core/stack-profile.ts";
import type { StackTable } from "../core/stack-table.ts";

/** A stretch of a thread's time that has a name. */
interface Slice {
  readonly frame: number;
  readonly start: number;
  end: number;
}

/** The slices of one thread, in any order. Times are microseconds. */
export class ThreadSlices {
  readonly #slices: Slice[] = [];
  /** Begins and ends as they come: −1 ends what was begun last. */
  readonly #marks: { readonly frame: number; readonly at: number }[] = [];

  whole(frame: number, at: number, duration: number): void {
    this.#slices.push({ frame, start: at, end: at + duration });
  }

  begin(frame: number, at: number): void {
    this.#marks.push({ frame, at });
  }

  end(at: number): void {
    this.#marks.push({ frame: -1, at });
  }

  /** Tells for each slice its stack and the time that no slice within it has. Slices that lie partly in another are cut off at its end. */
  deliver(stacks: StackTable<StackFrame>, take: (stack: number, microseconds: number) => void): void {
    this.#closeMarks();
    // The longer of two slices that begin together is the outer one; of two that are the same the one that came first.
    const order = this.#slices
      .map((slice, at) => ({ slice, at }))
      .toSorted((a, b) => a.slice.start - b.slice.start || b.slice.end - a.slice.end || a.at - b.at);
    const open: { readonly stack: number; readonly start: number; readonly end: number; inner: number }[] = [];
    const close = (until: number): void => {
      for (let last = open.at(-1); last !== undefined && last.end <= until; last = open.at(-1)) {
        open.pop();
        take(last.stack, last.end - last.start - last.inner);
      }
    };
    for (const { slice } of order) {
      close(slice.start);
      const outer = open.at(-1);
      const end = Math.min(slice.end, outer?.end ?? Number.POSITIVE_INFINITY);
      if (outer !== undefined) outer.inner += end - slice.start;
      open.push({ stack: stacks.called(outer?.stack ?? 0, slice.frame), start: slice.start, end, inner: 0 });
    }
    close(Number.POSITIVE_INFINITY);
  }

  /** What was begun and not ended lasts until the thread's last event. */
  #closeMarks(): void {
    const marks = this.#marks.toSorted((a, b) => a.at - b.at);
    const open: Slice[] = [];
    for (const { frame, at } of marks) {
      if (frame >= 0) {
        const slice = { frame, start: at, end: Number.NaN };
        open.push(slice);
        this.#slices.push(slice);
      } else {
        const last = open.pop();
        if (last !== undefined) last.end = at;
      }
    }
    const last = this.#slices.reduce((latest, { start, end }) => Math.max(latest, Number.isNaN(end) ? start : end), marks.at(-1)?.at ?? 0);
    for (const slice of open) slice.end = last;
    this.#marks.length = 0;
  }
}
