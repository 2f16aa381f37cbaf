import type { Place, Series, SeriesPoint } from "../../core/measurements/series.ts";
import { median } from "../../math/descriptive/quantile.ts";

/** A series with one value for each point: runs of one version have their noise in common. */
export interface Line {
  readonly places: readonly Place[];
  readonly values: Float64Array;
  /** The points themselves, which tell how costs grow; absent: they have nothing but a place and a value. */
  readonly points?: readonly SeriesPoint[];
}

export function lineOf(series: Series): Line {
  const { columns } = series;
  if (columns !== undefined) return columns;
  const { points } = series;
  const values = new Float64Array(points.length);
  for (const [at, { sample }] of points.entries())
    values[at] = sample.length === 1 ? (sample[0] as number) : median(sample);
  return { places: points, values, points };
}

/** Of a line the places of `places`, some of its own in their order. */
export function partOf(line: Line, places: readonly Place[]): Line {
  if (places.length === line.places.length) return line;
  const kept = new Set(places);
  const isKept = (_: unknown, at: number): boolean => kept.has(line.places[at] as Place);
  return {
    places,
    values: line.values.filter(isKept),
    ...(line.points === undefined ? {} : { points: line.points.filter(isKept) }),
  };
}
