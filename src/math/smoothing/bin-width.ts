import { extent, mean, quantileOfSorted } from "../descriptive/index.ts";

/**
 * Rules for the width of equal bins, by NumPy's names (numpy.histogram_bin_edges); 0 if the values do not vary enough.
 */
export const binWidthRules: Readonly<Record<string, (values: Float64Array) => number>> = {
  /** The smaller width of `fd` and `sturges`; the latter if half of the values are equal. */
  auto: (values) => {
    const [fd, sturges] = [freedmanDiaconis(values), widthOfSturges(values)];
    return fd > 0 ? Math.min(fd, sturges) : sturges;
  },
  /** Doane 1976: Sturges' rule corrected for skewness. */
  doane: (values) => {
    const n = values.length;
    const [sigma, skewness] = [deviation(values), skew(values)];
    if (n < 3 || sigma === 0) return 0;
    const error = Math.sqrt((6 * (n - 2)) / ((n + 1) * (n + 3)));
    return range(values) / (1 + Math.log2(n) + Math.log2(1 + Math.abs(skewness) / error));
  },
  fd: freedmanDiaconis,
  rice: (values) => range(values) / (2 * Math.cbrt(values.length)),
  /** Scott 1979: least mean squared error for normal values. */
  scott: (values) => Math.cbrt((24 * Math.sqrt(Math.PI)) / values.length) * deviation(values),
  sqrt: (values) => range(values) / Math.sqrt(values.length),
  sturges: widthOfSturges,
};

function widthOfSturges(values: Float64Array): number {
  return range(values) / (Math.log2(values.length) + 1);
}

function freedmanDiaconis(values: Float64Array): number {
  const sorted = Float64Array.from(values).sort();
  return (2 * (quantileOfSorted(sorted, 0.75) - quantileOfSorted(sorted, 0.25))) / Math.cbrt(values.length);
}

/** Largest minus smallest value. */
function range(values: Float64Array): number {
  const [least, greatest] = extent(values);
  return greatest - least;
}

/** Population standard deviation (divisor n). */
function deviation(values: Float64Array): number {
  const centre = mean(values);
  let squares = 0;
  for (const value of values) squares += (value - centre) ** 2;
  return Math.sqrt(squares / values.length);
}

function skew(values: Float64Array): number {
  const [centre, sigma] = [mean(values), deviation(values)];
  let cubes = 0;
  for (const value of values) cubes += ((value - centre) / sigma) ** 3;
  return cubes / values.length;
}

/**
 * The bin of each value among `count` equal ones from the minimum to the maximum; the last is closed. If all values are
 * equal, the range is extended around them.
 */
export function binsOf(values: Float64Array, count: number): Uint32Array {
  let [least, greatest] = extent(values);
  if (least === greatest) [least, greatest] = [least - 0.5, greatest + 0.5];
  const width = (greatest - least) / count;
  const edge = (bin: number): number => (bin === count ? greatest : least + bin * width);
  return Uint32Array.from(values, (value) => {
    let bin = Math.min(count - 1, Math.floor((value - least) / width));
    while (bin > 0 && value < edge(bin)) bin--;
    while (bin < count - 1 && value >= edge(bin + 1)) bin++;
    return bin;
  });
}
