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

/** Divides runs so that no slice has more than `most` data sets. A run that is not in `spans` counts as one. */
export function exportSlices(runs: readonly number[], spans: ReadonlyMap<number, RunSpan>, most: number): ExportSlice[] {
  const slices: ExportSlice[] = [];
  let together: number[] = [];
  let size = 0;
  const flush = (): void => {
    if (together.length > 0) slices.push({ runs: together, continues: false });
    [together, size] = [[], 0];
  };
  for (const run of runs) {
    const span = spans.get(run) ?? { first: 0, last: 0 };
    const length = span.last - span.first + 1;
    if (size + length > most || together.length >= mostRuns) flush();
    if (length > most) slices.push(...partsOf(run, span, most));
    else {
      together.push(run);
      size += length;
    }
  }
  flush();
  return slices;
}

function partsOf(run: number, { first, last }: RunSpan, most: number): ExportSlice[] {
  return Array.from({ length: Math.ceil((last - first + 1) / most) }, (_, part) => {
    const from = first + part * most;
    return { runs: [run], ordinals: { first: from, last: Math.min(last, from + most - 1) }, continues: part > 0 };
  });
}
