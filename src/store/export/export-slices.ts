/** The range of row ordinals of a run, both ends included; it may have gaps. */
export interface RunSpan {
  readonly first: number;
  readonly last: number;
}

/** The rows that one statement reads: several runs, or a part of one. */
export interface ExportSlice {
  readonly runs: readonly number[];
  /** Absent for all rows. */
  readonly ordinals?: RunSpan;
  /** Whether an earlier slice starts the run. */
  readonly continues: boolean;
}

/** Maximum number of runs in one statement. */
const maxRuns = 1000;

/**
 * Divides runs into slices of at most `maxRows()` rows, evaluated per slice, and of at most `mostRuns` runs. A run that
 * is not in `spans` counts as one row.
 */
export function* exportSlices(
  runs: readonly number[],
  spans: ReadonlyMap<number, RunSpan>,
  maxRows: () => number,
  mostRuns: number = maxRuns,
): Iterable<ExportSlice> {
  let batch: number[] = [];
  let size = 0;
  for (const run of runs) {
    const span = spans.get(run) ?? { first: 0, last: 0 };
    const length = span.last - span.first + 1;
    if (batch.length > 0 && (size + length > maxRows() || batch.length >= mostRuns)) {
      yield { runs: batch, continues: false };
      [batch, size] = [[], 0];
    }
    if (length > maxRows()) yield* splitRun(run, span, maxRows);
    else {
      batch.push(run);
      size += length;
    }
  }
  if (batch.length > 0) yield { runs: batch, continues: false };
}

function* splitRun(run: number, { first, last }: RunSpan, maxRows: () => number): Iterable<ExportSlice> {
  for (let from = first; from <= last;) {
    const to = Math.min(last, from + maxRows() - 1);
    yield { runs: [run], ordinals: { first: from, last: to }, continues: from > first };
    from = to + 1;
  }
}
