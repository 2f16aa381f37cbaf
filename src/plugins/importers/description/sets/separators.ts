import { hasValue, type Look, type Source } from "../finders/finder.ts";
import type { Literal } from "../finders/keyword-search.ts";
import type { Marker, Seeker } from "../row-mark.ts";
import type { Slot } from "../slot.ts";

/** Starts a new input set or run: a row, or a new value of a parameter. */
export interface Separator {
  readonly run: boolean;
  readonly marker: Marker | undefined;
  /** The parameter: the locations of its slot, or those of a value that the user fixed. */
  readonly sources: readonly Source[];
  readonly slot: Slot | undefined;
  /** The set or run starts this many lines after the mark. */
  readonly skip: number;
}

/** The separators of an input, and the lines at which earlier marks start a set or run. */
export class Separators implements Seeker {
  readonly literals: readonly Literal[] = [];
  readonly everyLine = false;
  readonly #separators: readonly Separator[];
  #due: { readonly number: number; readonly run: boolean }[] = [];

  constructor(separators: readonly Separator[]) {
    this.#separators = separators;
  }

  /** The first line at or after `from` at which a set or run starts after its mark. */
  nextRow(from: number): number {
    return Math.min(...this.#due.map(({ number }) => number).filter((number) => number >= from));
  }

  /** Calls `separate` for each set or run that starts with the line; `run`: a run. */
  examine(look: Look, separate: (run: boolean) => void): void {
    const { number } = look.line;
    if (this.#due.length > 0) {
      for (const due of this.#due) if (due.number === number) separate(due.run);
      this.#due = this.#due.filter((due) => due.number > number);
    }
    for (const { run, marker, sources, skip } of this.#separators) {
      const marks = marker ? marker.marks(look.line) : hasValue(sources, look);
      if (marks && skip > 0) this.#due.push({ number: number + skip, run });
      else if (marks) separate(run);
    }
  }

  /** Always searched: the marks of the separators. */
  get seekers(): readonly Seeker[] {
    const own = this.#separators.filter(({ slot }) => slot === undefined);
    return [
      ...own.flatMap(({ marker }) => marker ?? []),
      ...own.flatMap(({ sources }) => sources.map(({ finder }) => finder)),
      this,
    ];
  }
}
