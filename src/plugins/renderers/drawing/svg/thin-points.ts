/** A point with its error bar in fractions of the drawing area. */
export interface ScaledPoint {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Keeps the first of the points that share a pixel; bounds the size of pictures with millions of points.
 */
export function thinnedPoints(points: readonly ScaledPoint[], width: number, height: number): readonly ScaledPoint[] {
  if (points.length < width) return points;
  const seen = new Set<number>();
  return points.filter((point) => {
    const cell = Math.round(point.x * width) * (height + 1) + Math.round(point.y * height);
    return !seen.has(cell) && seen.add(cell);
  });
}

/** Keeps the first, lowest, highest and last of adjacent line points in one pixel column. */
export function thinnedLine(points: readonly ScaledPoint[], width: number): readonly ScaledPoint[] {
  if (points.length < 4 * width) return points;
  const kept: ScaledPoint[] = [];
  for (let start = 0; start < points.length;) {
    const column = columnOf(points[start], width);
    let end = start;
    let [lowest, highest] = [start, start];
    while (end + 1 < points.length && columnOf(points[end + 1], width) === column) {
      end++;
      if ((points[end]?.y ?? 0) < (points[lowest]?.y ?? 0)) lowest = end;
      if ((points[end]?.y ?? 0) > (points[highest]?.y ?? 0)) highest = end;
    }
    const selected = [...new Set([start, lowest, highest, end])].sort((a, b) => a - b);
    for (const i of selected) kept.push(points[i] as ScaledPoint);
    start = end + 1;
  }
  return kept;
}

function columnOf(point: ScaledPoint | undefined, width: number): number {
  return Math.round((point?.x ?? 0) * width);
}
