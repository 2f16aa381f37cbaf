import { NumberColumnBuilder } from "../../core/tables/index.ts";
import type { MeasuredCase, MeasuredRun, Measurement, Quantity, Sample } from "../../core/measurements/index.ts";
import { moments, median } from "../../math/descriptive/index.ts";

/** Rows by case. */
interface RowsByCase {
  /** Indices of rows by case, each in the order of addition. */
  readonly rows: Int32Array;
  /** Rows of case i are `starts[i]` to before `starts[i + 1]`. */
  readonly starts: Int32Array;
}

/** Rows of numbers by case. A row takes eight bytes per number, and eight more. */
class CaseRows {
  readonly #width: number;
  readonly #cases = new NumberColumnBuilder();
  readonly #values = new NumberColumnBuilder();
  #length = 0;

  /** `width`: numbers per row. */
  constructor(width: number) {
    this.#width = width;
  }

  get length(): number {
    return this.#length;
  }

  add(ofCase: number, values: readonly number[]): void {
    const row = this.#length++;
    this.#cases.put(row, ofCase);
    for (let at = 0; at < this.#width; at++) this.#values.put(row * this.#width + at, values[at] as number);
  }

  at(row: number, position: number): number {
    return this.#values.values[row * this.#width + position] as number;
  }

  /** Renumbers cases: case i becomes `numbers[i]`; negative drops its rows. */
  renumber(numbers: Int32Array): void {
    const [cases, values, width] = [this.#cases.values, this.#values.values, this.#width];
    let kept = 0;
    for (let row = 0; row < this.#length; row++) {
      const number = numbers[cases[row] as number] as number;
      if (number < 0) continue;
      cases[kept] = number;
      values.copyWithin(kept * width, row * width, (row + 1) * width);
      kept += 1;
    }
    this.#length = kept;
  }

  /** `count`: number of cases. */
  byCase(count: number): RowsByCase {
    const cases = this.#cases.values;
    const starts = new Int32Array(count + 1);
    for (let row = 0; row < this.#length; row++) starts[(cases[row] as number) + 1]! += 1;
    for (let at = 0; at < count; at++) starts[at + 1]! += starts[at] as number;
    const [next, rows] = [starts.slice(), new Int32Array(this.#length)];
    for (let row = 0; row < this.#length; row++) rows[next[cases[row] as number]!++] = row;
    return { rows, starts };
  }
}

/** Number of superseded rows that triggers compaction. */
const mostSuperseded = 1 << 16;

/**
 * Collects the numbers of every case from its latest run: memory grows with cases and their numbers, not with runs.
 * Stores the numbers and a key per case; creates a case on access.
 */
export class LatestCases {
  readonly #quantities: readonly Quantity[];
  readonly #scope: (run: MeasuredRun) => string;
  /** Case numbers by key, ascending. */
  readonly #open = new Map<string, number>();
  readonly #rows: CaseRows;
  /** By case number, including superseded cases: the run, and the number of rows. */
  #runs: MeasuredRun[] = [];
  #counts: number[] = [];
  /** Rows of superseded cases. */
  #superseded = 0;

  /** Cases of different scopes are different cases. */
  constructor(quantities: readonly Quantity[], scope: (run: MeasuredRun) => string = () => "") {
    this.#quantities = quantities;
    this.#scope = scope;
    this.#rows = new CaseRows(quantities.length);
  }

  /** Number of stored rows. */
  get rows(): number {
    return this.#rows.length;
  }

  add(run: MeasuredRun, { benchmark, parameters, values }: Measurement): void {
    if (!values.some(Number.isFinite)) return;
    const key = JSON.stringify([this.#scope(run), benchmark, ...parameters]);
    const known = this.#open.get(key);
    const number = known !== undefined && this.#runs[known] === run ? known : this.#opened(key, run, known);
    this.#counts[number]! += 1;
    this.#rows.add(number, values);
    if (this.#superseded > mostSuperseded && this.#superseded * 2 > this.#rows.length) this.#compact();
  }

  /**
   * Generates cases with the samples of the selected quantities (absent: all); omits cases without any. The latest case
   * comes last.
   */
  *cases(wanted: readonly Quantity[] = this.#quantities): Generator<MeasuredCase> {
    const rows = this.#rows.byCase(this.#runs.length);
    const positions = wanted.map(
      ({ name }) => [name, this.#quantities.findIndex((each) => each.name === name)] as const,
    );
    for (const [key, number] of this.#open) {
      const samples = this.#samples(rows, number, positions);
      if (samples.size === 0) continue;
      const [, benchmark, ...parameters] = JSON.parse(key) as [string, string, ...[string, string][]];
      yield { benchmark, parameters: new Map(parameters), run: this.#runs[number] as MeasuredRun, samples };
    }
  }

  #opened(key: string, run: MeasuredRun, before: number | undefined): number {
    if (before !== undefined) {
      this.#superseded += this.#counts[before] as number;
      // The newest comes last.
      this.#open.delete(key);
    }
    const number = this.#runs.push(run) - 1;
    this.#counts.push(0);
    this.#open.set(key, number);
    return number;
  }

  #compact(): void {
    const numbers = new Int32Array(this.#runs.length).fill(-1);
    const [runs, counts] = [this.#runs, this.#counts];
    [this.#runs, this.#counts, this.#superseded] = [[], [], 0];
    for (const [key, number] of this.#open) {
      const renumbered = this.#runs.push(runs[number] as MeasuredRun) - 1;
      numbers[number] = renumbered;
      this.#counts.push(counts[number] as number);
      this.#open.set(key, renumbered);
    }
    this.#rows.renumber(numbers);
  }

  #samples(
    { rows, starts }: RowsByCase,
    number: number,
    positions: readonly (readonly [string, number])[],
  ): Map<string, Sample> {
    const samples = new Map<string, Sample>();
    const own = rows.subarray(starts[number], starts[number + 1]);
    for (const [name, position] of positions) {
      const numbers = Array.from(own, (row) => this.#rows.at(row, position)).filter(Number.isFinite);
      if (numbers.length > 0) samples.set(name, sampleOf(numbers));
    }
    return samples;
  }
}

function sampleOf(numbers: readonly number[]): Sample {
  const values = Float64Array.from(numbers);
  const { minimum, maximum, variance } = moments(values);
  return {
    numbers,
    median: median(values),
    least: minimum,
    greatest: maximum,
    deviation: numbers.length > 1 ? Math.sqrt(variance) : 0,
  };
}
