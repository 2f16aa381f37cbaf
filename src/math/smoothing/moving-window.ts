/**
 * Symmetric window functions of `count` points with maximum 1 (unless noted): Harris, "On the use of windows for
 * harmonic analysis" (1978), as in scipy.signal.windows with sym=True. A single point has weight 1.
 */
export const windows: Readonly<Record<string, (count: number) => Float64Array>> = {
  boxcar: (count) => new Float64Array(count).fill(1),
  /** Without zeros at its ends; with an even number of points the maximum is below 1. */
  triang: (count) => {
    const half = count % 2 === 0 ? count : count + 1;
    return Float64Array.from(
      { length: count },
      (_, i) => (2 * Math.min(i + 1, count - i) - (count % 2 === 0 ? 1 : 0)) / half,
    );
  },
  blackman: cosines([0.42, 0.5, 0.08]),
  hamming: cosines([0.54, 0.46]),
  bartlett: (count) => over(count, (u) => 1 - Math.abs(u)),
  parzen: (count) =>
    Float64Array.from({ length: count }, (_, i) => {
      const u = Math.abs(i - (count - 1) / 2) / (count / 2);
      return u <= (count - 1) / 2 / count ? 1 - 6 * u * u * (1 - u) : 2 * (1 - u) ** 3;
    }),
  bohman: (count) =>
    over(count, (u) =>
      Math.abs(u) >= 1 ? 0 : (1 - Math.abs(u)) * Math.cos(Math.PI * u) + Math.sin(Math.PI * Math.abs(u)) / Math.PI,
    ),
  blackmanharris: cosines([0.35875, 0.48829, 0.14128, 0.01168]),
  nuttall: cosines([0.3635819, 0.4891775, 0.1365995, 0.0106411]),
  barthann: (count) => over(count, (u) => 0.62 - 0.48 * Math.abs(u / 2) + 0.38 * Math.cos(Math.PI * u)),
};

/** Samples a function on -1 to 1. */
function over(count: number, weight: (u: number) => number): Float64Array {
  if (count === 1) return Float64Array.of(1);
  return Float64Array.from({ length: count }, (_, i) => weight((2 * i) / (count - 1) - 1));
}

/** a0 + a1 cos(πu) + a2 cos(2πu) + …, centred at 0. */
function cosines(terms: readonly number[]): (count: number) => Float64Array {
  return (count) => over(count, (u) => terms.reduce((sum, term, k) => sum + term * Math.cos(k * Math.PI * u), 0));
}

/** Alignment and size of moving windows. */
export interface MovingWindow {
  /** Number of values; fewer at the ends. */
  readonly width: number;
  /** False: the value is the last of its window. True: the middle one (of an even number the upper). */
  readonly center: boolean;
  /** Minimum number of values; the result is NaN for fewer. */
  readonly least: number;
}

/** Moving mean, in linear time. */
export function movingMean(values: Float64Array, window: MovingWindow): Float64Array {
  const sums = new CompensatedSum();
  return slid(values, window, {
    enter: (value) => sums.add(value),
    leave: (value) => sums.add(-value),
    result: (count) => sums.total / count,
  });
}

/** Moving median. The window is kept sorted: a step is linear in its width. */
export function movingMedian(values: Float64Array, window: MovingWindow): Float64Array {
  const sorted = new Float64Array(Math.min(window.width, values.length) + 1);
  let count = 0;
  return slid(values, window, {
    enter: (value) => {
      const at = insertionIndex(sorted, count, value);
      sorted.copyWithin(at + 1, at, count++);
      sorted[at] = value;
    },
    leave: (value) =>
      sorted.copyWithin(insertionIndex(sorted, count, value), insertionIndex(sorted, count, value) + 1, count--),
    result: (length) => (sorted[(length - 1) >> 1]! + sorted[length >> 1]!) / 2,
  });
}

interface Slide {
  enter(value: number): void;
  leave(value: number): void;
  result(count: number): number;
}

function slid(values: Float64Array, { width, center, least }: MovingWindow, slide: Slide): Float64Array {
  const ahead = center ? Math.floor((width - 1) / 2) : 0;
  let [from, to] = [0, 0];
  return Float64Array.from(values, (_, at) => {
    while (to < Math.min(values.length, at + ahead + 1)) slide.enter(values[to++]!);
    while (from < at + ahead + 1 - width) slide.leave(values[from++]!);
    return to - from < Math.max(1, least) ? Number.NaN : slide.result(to - from);
  });
}

/** The first index with a value not below. */
function insertionIndex(sorted: Float64Array, count: number, value: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Neumaier's compensated sum: removed values leave no rounding errors. */
class CompensatedSum {
  #sum = 0;
  #lost = 0;

  add(value: number): void {
    const next = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - next + value : value - next + this.#sum;
    this.#sum = next;
  }

  get total(): number {
    return this.#sum + this.#lost;
  }
}

/** Weighted moving mean; at the ends with the remaining weights. `weights` has one weight per value of the window. */
export function weightedMovingMean(
  values: Float64Array,
  weights: Float64Array,
  { width, center, least }: MovingWindow,
): Float64Array {
  const ahead = center ? Math.floor((width - 1) / 2) : 0;
  return Float64Array.from(values, (_, at) => {
    const start = at + ahead + 1 - width;
    let [sum, weight, count] = [0, 0, 0];
    for (let i = Math.max(0, -start); i < width && start + i < values.length; i++, count++) {
      sum += weights[i]! * values[start + i]!;
      weight += weights[i]!;
    }
    return count < Math.max(1, least) || weight === 0 ? Number.NaN : sum / weight;
  });
}

/** Exponentially weighted mean: each value has 1 - `alpha` times the weight of the next. */
export function exponentialMean(values: Float64Array, alpha: number, least: number): Float64Array {
  let [sum, weight] = [0, 0];
  return Float64Array.from(values, (value, at) => {
    sum = value + (1 - alpha) * sum;
    weight = 1 + (1 - alpha) * weight;
    return at + 1 < least ? Number.NaN : sum / weight;
  });
}
