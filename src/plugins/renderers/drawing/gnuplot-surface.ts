import { type Axis, isLog, type SurfaceBlock } from "../../../core/figure.ts";
import { enhanced, quoted } from "../../../core/gnuplot-text.ts";
import { drawableSurface } from "../../../core/surface.ts";
import { axisTitle, tickLabel } from "./chart-scales.ts";
import { rampColor } from "./color-ramp.ts";
import { axisLines } from "./gnuplot-axis.ts";
import { surfaceScales } from "./surface-scales.ts";

/** Settings, data and command for a surface: faces where places have neighbours on both axes, else points on stems. `name`: of its data. */
export function surfaceScript(surface: SurfaceBlock, name: string): string[] {
  if (surface.flat === true) return heatMapScript(surface, name);
  const { xs, ys, heights } = drawableSurface(surface);
  const scales = surfaceScales(surface, 5);
  const isGrid = xs.length > 1 && ys.length > 1;
  const rows = heights.map((row, j) => row.map((height, i) => [xs[i], ys[j], height].join(" ")));
  return [
    ...axisLines("x", surface.x, scales.x),
    ...axisLines("y", surface.y, scales.y),
    ...axisLines("z", surface.z, scales.z).map((line) =>
      line.startsWith("set zlabel") ? `${line} rotate by 90` : line,
    ),
    "set xyplane 0",
    "unset key",
    ...(isGrid ? ["set pm3d depthorder border linecolor 'black' linewidth 0.5"] : []),
    `${name} << EOD`,
    ...rows.flatMap((row, j) => (j === 0 ? row : ["", ...row])),
    "EOD",
    `splot ${name} using 1:2:3 with ${isGrid ? "pm3d" : "impulses linewidth 2"}`,
  ];
}

/** Cells of one size, so their places are told by their labels alone. */
function heatMapScript({ x, y, z, ...surface }: SurfaceBlock, name: string): string[] {
  const { xs, ys, heights } = drawableSurface({ x, y, z, ...surface });
  const label = (axis: "x" | "y" | "cb", look: Axis): string => `set ${axis}label ${quoted(enhanced(axisTitle(look)))}`;
  const labels = (axis: "x" | "y", look: Axis, places: readonly number[]): string => {
    const stride = Math.ceil(places.length / 20);
    const told = places
      .map((place, i) => `${quoted(enhanced(tickLabel(look, place)))} ${i}`)
      .filter((_, i) => i % stride === 0);
    return `set ${axis}tics (${told.join(", ")})`;
  };
  return [
    label("x", x),
    label("y", y),
    label("cb", z),
    labels("x", x, xs),
    labels("y", y, ys),
    ...(isLog(z) ? ["set logscale cb"] : []),
    "unset key",
    `set palette defined (${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => `${step} '${rampColor(step / 9)}'`).join(", ")})`,
    `${name} << EOD`,
    ...heights.flatMap((row, j) => row.map((height, i) => [i, j, height].join(" "))),
    "EOD",
    `plot ${name} using 1:2:3 with image pixels`,
  ];
}
