import type { SurfaceBlock, TableBlock } from "../../../core/figures/figure.ts";
import { axisTitle } from "./chart-scales.ts";
import { numberCell } from "./chart-table.ts";

/** The heights of a surface as a table with one row per point, for media without graphics. Holes are omitted. */
export function surfaceTable({ x, y, z, xs, ys, zs, caption }: SurfaceBlock): TableBlock {
  const rows: string[][] = [];
  zs.forEach((height, at) => {
    if (Number.isNaN(height)) return;
    const [along, across] = [xs[at % xs.length] ?? 0, ys[Math.floor(at / xs.length)] ?? 0];
    rows.push([
      x.categories?.[along] ?? numberCell(along),
      y.categories?.[across] ?? numberCell(across),
      numberCell(height),
    ]);
  });
  const head = [x, y, z].map((axis) => ({ label: axisTitle(axis), align: "right" as const }));
  return { kind: "table", ...(caption === undefined ? {} : { caption }), head, rows };
}
