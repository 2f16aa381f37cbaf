/** Heights over positions; heights[j][i] is over xs[i] and ys[j], NaN for a hole. */
export interface HeightGrid {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly heights: readonly (readonly number[])[];
}

export type ContourPoint = readonly [x: number, y: number];

/** A corner of a triangle, with the same `id` in all triangles that share it. */
interface Corner {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

type Triangle = readonly [Corner, Corner, Corner];

/**
 * The area with heights of at least `level`, as polygons that do not overlap. Heights between points are interpolated
 * linearly: in the four triangles around the mean of a cell, or in one if a corner is a hole. Omits cells that are at
 * least `covered` high everywhere, for callers that draw the area above `covered` on top.
 */
export function areaAbove(grid: HeightGrid, level: number, covered = Number.POSITIVE_INFINITY): ContourPoint[][] {
  const polygons: ContourPoint[][] = [];
  for (let j = 0; j + 1 < grid.ys.length; j++) {
    let start: number | undefined;
    for (let i = 0; i < grid.xs.length; i++) {
      const corners = cornersOf(grid, i, j);
      const least = corners.length === 4 ? Math.min(...corners.map(({ height }) => height)) : Number.NaN;
      if (least >= level && least < covered) {
        start ??= i;
        continue;
      }
      if (start !== undefined) polygons.push(rectangle(grid, start, i, j));
      start = undefined;
      if (!(least >= level))
        polygons.push(...trianglesOf(corners, grid, i, j).map((triangle) => partAbove(triangle, level)));
    }
  }
  return polygons.filter((polygon) => polygon.length > 2);
}

/** The lines of one height, interpolated as in `areaAbove`. A closed line ends with its first point. */
export function contourLines(grid: HeightGrid, level: number): ContourPoint[][] {
  const points = new Map<number, ContourPoint>();
  const segments = new Map<number, { readonly ends: readonly [number, number]; used: boolean }[]>();
  for (const triangle of allTriangles(grid)) {
    const crossings = crossingsOf(triangle, level);
    const [first, second] = crossings;
    if (first === undefined || second === undefined) continue;
    const segment = { ends: [first.edge, second.edge] as const, used: false };
    for (const { edge, point } of crossings) {
      points.set(edge, point);
      segments.set(edge, [...(segments.get(edge) ?? []), segment]);
    }
  }
  const lineFrom = (start: number): ContourPoint[] => {
    const line: number[] = [start];
    for (let at = start; ;) {
      const next = segments.get(at)?.find(({ used }) => !used);
      if (next === undefined) return line.map((edge) => points.get(edge) as ContourPoint);
      next.used = true;
      at = next.ends[0] === at ? next.ends[1] : next.ends[0];
      line.push(at);
    }
  };
  const edges = [...segments.keys()];
  const open = edges.filter((edge) => segments.get(edge)?.length === 1);
  return [...open, ...edges].map(lineFrom).filter((line) => line.length > 1);
}

/** The points without a neighbouring cell of at least three points, which areas and lines do not reach. */
export function isolatedPoints(grid: HeightGrid): (readonly [i: number, j: number])[] {
  const reached = new Set<number>();
  for (const triangle of allTriangles(grid)) for (const { id } of triangle) reached.add(id);
  return grid.heights.flatMap((row, j) =>
    row.flatMap((height, i) =>
      Number.isFinite(height) && !reached.has(j * grid.xs.length + i) ? [[i, j] as const] : [],
    ),
  );
}

function* allTriangles(grid: HeightGrid): Generator<Triangle> {
  for (let j = 0; j + 1 < grid.ys.length; j++)
    for (let i = 0; i + 1 < grid.xs.length; i++) yield* trianglesOf(cornersOf(grid, i, j), grid, i, j);
}

/** The corners of a cell that are no holes, in order around it. */
function cornersOf({ xs, ys, heights }: HeightGrid, i: number, j: number): Corner[] {
  const around = [
    [i, j],
    [i + 1, j],
    [i + 1, j + 1],
    [i, j + 1],
  ] as const;
  return around.flatMap(([column, row]) => {
    const [x, y, height] = [xs[column], ys[row], heights[row]?.[column]];
    if (x === undefined || y === undefined || height === undefined || !Number.isFinite(height)) return [];
    return [{ id: row * xs.length + column, x, y, height }];
  });
}

function trianglesOf(corners: readonly Corner[], { xs, ys }: HeightGrid, i: number, j: number): Triangle[] {
  const [a, b, c, d] = corners;
  if (a === undefined || b === undefined || c === undefined) return [];
  if (d === undefined) return [[a, b, c]];
  const middle = {
    id: (ys.length + j) * xs.length + i,
    x: (a.x + c.x) / 2,
    y: (a.y + c.y) / 2,
    height: (a.height + b.height + c.height + d.height) / 4,
  };
  return [
    [a, b, middle],
    [b, c, middle],
    [c, d, middle],
    [d, a, middle],
  ];
}

function rectangle({ xs, ys }: HeightGrid, from: number, to: number, row: number): ContourPoint[] {
  const [left, right, low, high] = [xs[from] ?? 0, xs[to] ?? 0, ys[row] ?? 0, ys[row + 1] ?? 0];
  return [
    [left, low],
    [right, low],
    [right, high],
    [left, high],
  ];
}

/** The part of a triangle that is at least `level` high (Sutherland-Hodgman clipping). */
function partAbove(triangle: Triangle, level: number): ContourPoint[] {
  return triangle.flatMap((corner, at) => {
    const next = triangle[(at + 1) % 3] as Corner;
    const own: ContourPoint[] = corner.height >= level ? [[corner.x, corner.y]] : [];
    return crosses(corner, next, level) ? [...own, crossing(corner, next, level)] : own;
  });
}

function crossingsOf(triangle: Triangle, level: number): { readonly edge: number; readonly point: ContourPoint }[] {
  return triangle.flatMap((corner, at) => {
    const next = triangle[(at + 1) % 3] as Corner;
    if (!crosses(corner, next, level)) return [];
    const edge = Math.min(corner.id, next.id) * maxCorners + Math.max(corner.id, next.id);
    return [{ edge, point: crossing(corner, next, level) }];
  });
}

/** Above the number of corners of a drawable grid, so that two of them make a unique number. */
const maxCorners = 2 ** 26;

function crosses(a: Corner, b: Corner, level: number): boolean {
  return a.height >= level !== b.height >= level;
}

/** The point of an edge at a height, the same for both directions of the edge. */
function crossing(from: Corner, to: Corner, level: number): ContourPoint {
  const [a, b] = from.id < to.id ? [from, to] : [to, from];
  const share = (level - a.height) / (b.height - a.height);
  return [a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share];
}
