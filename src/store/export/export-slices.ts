/** The places that the data sets of one run have in it, both ends included; some may be free. */
export interface RunSpan {
  readonly first: number;
  readonly last: number;
}

/** What one statement asks for: several runs, or a part of one. */
export interface ExportSlice {
  readonly runs: readonly number[];
  /** Absent: all of the runs. */
  readonly ordinals?: RunSpan;
  /** Not the first part of its run. */
  readonly continues: boolean;
}

/** Runs that one statement names at most. */
const mostRuns = 1000;

/**
 * Divides runs so that no slice has more than `most()` data sets when it is asked for. A run that is not in `spans`
 * counts as one.
 */
export function* exportSlices(
  runs: readonly number[],
  spans: ReadonlyMap<number, RunSpan>,
  most: () => number,
): Iterable<ExportSlice> {
  let together: number[] = [];
  let size = 0;
  for (const run of runs) {
    const span = spans.get(run) ?? { first: 0, last: 0 };
    const length = span.last - span.first + 1;
    if (together.length > 0 && (size + length > most() || together.length >= mostRuns)) {
      yield { runs: together, continues: false };
      [together, size] = [[], 0];
    }
    if (length > most()) yield* partsOf(run, span, most);
    else {
      together.push(run);
      size += length;
    }
  }
  if (together.length > 0) yield { runs: together, continues: false };
}

function* partsOf(run: number, { first, last }: RunSpan, most: () => number): Iterable<ExportSlice> {
  for (let from = first; from <= last;) {
    const to = Math.min(last, from + most() - 1);
    yield { runs: [run], ordinals: { first: from, last: to }, continues: from > first };
    from = to + 1;
  }
}
