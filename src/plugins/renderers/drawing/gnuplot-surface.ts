import type { SurfaceBlock } from "../../../core/figure.ts";
import { drawableSurface } from "../../../core/surface.ts";
import { axisLines } from "./gnuplot-axis.ts";
import { surfaceScales } from "./surface-scales.ts";

/** Settings, data and command for a surface: faces where places have neighbours on both axes, else points on stems. `name`: of its data. */
export function surfaceScript(surface: SurfaceBlock, name: string): string[] {
  const { xs, ys, heights } = drawableSurface(surface);
  const scales = surfaceScales(surface, 5);
  const isGrid = xs.length > 1 && ys.length > 1;
  const rows = heights.map((row, j) => row.map((height, i) => [xs[i], ys[j], height].join(" ")));
  return [
    ...axisLines("x", surface.x, scales.x),
    ...axisLines("y", surface.y, scales.y),
    ...axisLines("z", surface.z, scales.z).map((line) => (line.startsWith("set zlabel") ? `${line} rotate by 90` : line)),
    "set xyplane 0",
    "unset key",
    ...(isGrid ? ["set pm3d depthorder border linecolor 'black' linewidth 0.5"] : []),
    `${name} << EOD`,
    ...rows.flatMap((row, j) => (j === 0 ? row : ["", ...row])),
    "EOD",
    `splot ${name} using 1:2:3 with ${isGrid ? "pm3d" : "impulses linewidth 2"}`,
  ];
}
