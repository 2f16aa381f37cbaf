/** A point by the share of the drawing area left of and below it, with the ends of its error bar. */
export interface PlacedPoint {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Of points that cover one another in a drawing of this size only the first: what is seen stays, a picture of a million
 * points ends.
 */
export function thinnedPoints(points: readonly PlacedPoint[], width: number, height: number): readonly PlacedPoint[] {
  if (points.length < width) return points;
  const seen = new Set<number>();
  return points.filter((point) => {
    const cell = Math.round(point.x * width) * (height + 1) + Math.round(point.y * height);
    return !seen.has(cell) && seen.add(cell);
  });
}

/** Of neighbours along a line that lie in one column of pixels only the first, the lowest, the highest and the last. */
export function thinnedLine(points: readonly PlacedPoint[], width: number): readonly PlacedPoint[] {
  if (points.length < 4 * width) return points;
  const kept: PlacedPoint[] = [];
  for (let start = 0; start < points.length;) {
    const column = columnOf(points[start], width);
    let end = start;
    let [lowest, highest] = [start, start];
    while (end + 1 < points.length && columnOf(points[end + 1], width) === column) {
      end++;
      if ((points[end]?.y ?? 0) < (points[lowest]?.y ?? 0)) lowest = end;
      if ((points[end]?.y ?? 0) > (points[highest]?.y ?? 0)) highest = end;
    }
    const wanted = [...new Set([start, lowest, highest, end])].sort((a, b) => a - b);
    for (const i of wanted) kept.push(points[i] as PlacedPoint);
    start = end + 1;
  }
  return kept;
}

function columnOf(point: PlacedPoint | undefined, width: number): number {
  return Math.round((point?.x ?? 0) * width);
}
