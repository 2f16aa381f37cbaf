import { NumberColumnBuilder } from "../../core/tables/column-builder.ts";
import type { MeasuredCase, MeasuredRun, Measurement, Quantity, Sample } from "../../core/measurements/measurement.ts";
import { moments } from "../../math/descriptive/moments.ts";
import { median } from "../../math/descriptive/quantile.ts";

/** Rows by their cases. */
interface RowsByCase {
  /** Numbers of rows, case by case, each in the order in which they were added. */
  readonly rows: Int32Array;
  /** Those of case i are from `starts[i]` to before `starts[i + 1]`. */
  readonly starts: Int32Array;
}

/**
 * Rows of numbers, each of a case. They lie side by side: a row takes eight bytes for each of its numbers, and eight
 * more.
 */
class CaseRows {
  readonly #width: number;
  readonly #cases = new NumberColumnBuilder();
  readonly #values = new NumberColumnBuilder();
  #length = 0;

  /** `width`: numbers of a row. */
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

  /** Gives cases new numbers: case i is `numbers[i]` from now on; below 0, its rows are let go. */
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

  /** `count`: of cases. */
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

/** So many rows that no case has any longer are let go at once. */
const mostForgotten = 1 << 16;

/**
 * Gathers all numbers of every case. Of several runs that measured it the last one counts: memory grows with cases and
 * their numbers, not with runs. Held are the numbers side by side, and of each case a text that tells it from the
 * others; a case is made when somebody looks at it.
 */
export class LatestCases {
  readonly #quantities: readonly Quantity[];
  readonly #scope: (run: MeasuredRun) => string;
  /** Numbers of cases, in ascending order. */
  readonly #open = new Map<string, number>();
  readonly #rows: CaseRows;
  /**
   * By number of the case, also of those that a later run measured again: who measured it, and how many rows it has.
   */
  #runs: MeasuredRun[] = [];
  #counts: number[] = [];
  /** Rows of cases that a later run measured again. */
  #forgotten = 0;

  /** Cases of runs with different scopes are different cases. */
  constructor(quantities: readonly Quantity[], scope: (run: MeasuredRun) => string = () => "") {
    this.#quantities = quantities;
    this.#scope = scope;
    this.#rows = new CaseRows(quantities.length);
  }

  /** How many rows are held. */
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
    if (this.#forgotten > mostForgotten && this.#forgotten * 2 > this.#rows.length) this.#letGo();
  }

  /**
   * Made one by one, with the samples of the quantities that are asked for (absent: all); those that have none are left
   * out. The case measured last stands last.
   */
  *cases(wanted: readonly Quantity[] = this.#quantities): Generator<MeasuredCase> {
    const rows = this.#rows.byCase(this.#runs.length);
    const positions = wanted.map(({ name }) => [name, this.#quantities.findIndex((each) => each.name === name)] as const);
    for (const [key, number] of this.#open) {
      const samples = this.#samples(rows, number, positions);
      if (samples.size === 0) continue;
      const [, benchmark, ...parameters] = JSON.parse(key) as [string, string, ...[string, string][]];
      yield { benchmark, parameters: new Map(parameters), run: this.#runs[number] as MeasuredRun, samples };
    }
  }

  #opened(key: string, run: MeasuredRun, before: number | undefined): number {
    if (before !== undefined) {
      this.#forgotten += this.#counts[before] as number;
      // The newest stands last.
      this.#open.delete(key);
    }
    const number = this.#runs.push(run) - 1;
    this.#counts.push(0);
    this.#open.set(key, number);
    return number;
  }

  #letGo(): void {
    const numbers = new Int32Array(this.#runs.length).fill(-1);
    const [runs, counts] = [this.#runs, this.#counts];
    [this.#runs, this.#counts, this.#forgotten] = [[], [], 0];
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
