import type { BenchmarkCase, MeasuredCase, MeasuredRun, Measurement, Quantity, Sample } from "../../core/measurement.ts";
import { moments } from "../../math/moments.ts";
import { median } from "../../math/quantile.ts";

interface OpenCase extends BenchmarkCase {
  readonly run: MeasuredRun;
  /** Parallel to the quantities. */
  readonly numbers: number[][];
}

/** Gathers all numbers of every case. Of several runs that measured it the last one counts: memory grows with cases, not with runs. */
export class LatestCases {
  readonly #quantities: readonly Quantity[];
  readonly #scope: (run: MeasuredRun) => string;
  readonly #open = new Map<string, OpenCase>();

  /** Cases of runs with different scopes are different cases. */
  constructor(quantities: readonly Quantity[], scope: (run: MeasuredRun) => string = () => "") {
    this.#quantities = quantities;
    this.#scope = scope;
  }

  add(run: MeasuredRun, { benchmark, parameters, values }: Measurement): void {
    if (!values.some(Number.isFinite)) return;
    const key = JSON.stringify([this.#scope(run), benchmark, ...parameters]);
    let open = this.#open.get(key);
    if (open?.run !== run) {
      // The newest stands last.
      this.#open.delete(key);
      open = { run, benchmark, parameters, numbers: this.#quantities.map(() => []) };
      this.#open.set(key, open);
    }
    for (const [at, value] of values.entries()) if (Number.isFinite(value)) open.numbers[at]?.push(value);
  }

  cases(): MeasuredCase[] {
    return [...this.#open.values()].map(({ numbers, ...rest }) => ({ ...rest, samples: this.#samples(numbers) }));
  }

  #samples(numbers: readonly (readonly number[])[]): Map<string, Sample> {
    return new Map(
      this.#quantities.flatMap(({ name }, at): [string, Sample][] => {
        const own = numbers[at] ?? [];
        return own.length === 0 ? [] : [[name, sampleOf(own)]];
      }),
    );
  }
}

function sampleOf(numbers: readonly number[]): Sample {
  const values = Float64Array.from(numbers);
  const { minimum, maximum, variance } = moments(values);
  return { numbers, median: median(values), least: minimum, greatest: maximum, deviation: numbers.length > 1 ? Math.sqrt(variance) : 0 };
}
