import { Failure } from "../../core/failures/failure.ts";
import type { Axis, SurfaceBlock } from "../../core/figures/figure.ts";
import { convertFactor } from "../../core/values/unit.ts";
import type { Table } from "../../core/tables/table.ts";
import { curvesOf } from "./curves.ts";
import { holding, type Panel } from "./panels.ts";
import { placesOf, type Places } from "./positions.ts";
import { pointsOf, type ResultPoints } from "./points.ts";
import { unitOf, valueAxis } from "./value-axes.ts";
import type { Plot } from "./plot.ts";

interface Drawn {
  readonly block: SurfaceBlock;
  readonly panel: Panel;
}

/**
 * A surface for each result, each curve's contents and each plot of a series. Fails with `unusable-combination` without
 * a statistic.
 */
export function surfaceBlocks(table: Table, plot: Plot, panels: readonly Panel[]): Drawn[] {
  if (plot.results.some(({ statistic }) => statistic === undefined))
    throw new Failure("unusable-combination", {
      what: "a surface has one height at each place",
      instead: "name a statistic, such as mean",
    });
  const [x, y] = [plot.x, plot.y ?? plot.x].map((place) => placesOf(table, place, { ...plot, sideBySide: false })) as [
    Places,
    Places,
  ];
  const curves = [...curvesOf(table, plot.series)];
  return plot.results.flatMap((result) => {
    const points = pointsOf(table, result);
    const z = heldHeights(points, valueAxis([points], plot.z), panels.length * curves.length);
    return panels.flatMap((panel) =>
      curves.flatMap(([label, rows]) => {
        const chosen = new Set(panel.rows);
        const own = rows.filter((row) => chosen.has(row));
        const block = surfaceOf(own, { x, y, z }, points);
        if (!block.zs.some(Number.isFinite)) return [];
        const words = [...(plot.results.length > 1 ? [result.label ?? result.name] : []), label, panel.caption];
        return [{ block, panel: { ...panel, caption: words.filter((word) => word !== "").join(", ") } }];
      }),
    );
  });
}

function heldHeights(points: ResultPoints, z: Axis, count: number): Axis {
  if (count < 2) return z;
  const factor = convertFactor(unitOf(points.variable), z.unit);
  return holding(z, [Float64Array.from({ length: points.length }, (_, row) => points.center(row) * factor)]);
}

function surfaceOf(
  rows: readonly number[],
  axes: { readonly x: Places; readonly y: Places; readonly z: Axis },
  points: ResultPoints,
): SurfaceBlock {
  const { x, y, z } = axes;
  const factor = convertFactor(unitOf(points.variable), z.unit);
  const [xs, ys] = [placesAlong(rows, x), placesAlong(rows, y)];
  const zs = new Float64Array(xs.length * ys.length).fill(Number.NaN);
  const [along, across] = [xs, ys].map((list) => new Map([...list].map((place, i) => [place, i])));
  for (const row of rows) {
    const [i, j] = [along?.get(x.at(row)), across?.get(y.at(row))];
    if (i !== undefined && j !== undefined) zs[j * xs.length + i] = points.center(row) * factor;
  }
  return { kind: "surface", x: x.axis, y: y.axis, z, xs, ys, zs };
}

function placesAlong(rows: readonly number[], places: Places): Float64Array {
  return Float64Array.from(new Set(rows.map((row) => places.at(row)).filter(Number.isFinite))).sort();
}
