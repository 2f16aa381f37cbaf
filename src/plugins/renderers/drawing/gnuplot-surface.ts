import {
  type Axis,
  type Contours,
  drawableSurface,
  type DrawableSurface,
  isLog,
  isTime,
  type SurfaceBlock,
} from "../../../core/figures/index.ts";
import { enhanced, quoted } from "../../../core/text/index.ts";
import { formatUnit } from "../../../core/values/index.ts";
import type { Scale } from "../../../math/plotting/index.ts";
import { axisTitle, tickLabel } from "./chart-scales.ts";
import { rampColor } from "./color-ramp.ts";
import { surfaceScales, type SurfaceScales } from "./surface-scales.ts";

/**
 * Settings, data and plot command of a surface: faces if there are several points on both axes, else points on stems.
 * `name`: name of the data block.
 */
export function surfaceScript(surface: SurfaceBlock, name: string): string[] {
  if (surface.contours !== undefined) return contourScript(surface, surface.contours, name);
  if (surface.flat === true) return heatMapScript(surface, name);
  const shown = drawableSurface(surface);
  const scales = surfaceScales(surface, 5);
  const isGrid = shown.xs.length > 1 && shown.ys.length > 1;
  return [
    ...axisLines("x", surface.x, scales.x),
    ...axisLines("y", surface.y, scales.y),
    ...axisLines("z", surface.z, scales.z).map((line) =>
      line.startsWith("set zlabel") ? `${line} rotate by 90` : line,
    ),
    "set xyplane 0",
    "unset key",
    ...(isGrid ? ["set pm3d depthorder border linecolor 'black' linewidth 0.5"] : []),
    ...gridData(shown, name),
    `splot ${name} using 1:2:3 with ${isGrid ? "pm3d" : "impulses linewidth 2"}`,
  ];
}

/** The heights as a data block, an empty line between rows. */
function gridData({ xs, ys, heights }: DrawableSurface, name: string): string[] {
  const rows = heights.map((row, j) => row.map((height, i) => [xs[i], ys[j], height].join(" ")));
  return [`${name} << EOD`, ...rows.flatMap((row, j) => (j === 0 ? row : ["", ...row])), "EOD"];
}

/** The surface from above: areas of a palette with steps at the levels, or lines at the levels. */
function contourScript(surface: SurfaceBlock, contours: Contours, name: string): string[] {
  const scales = surfaceScales(surface, 12);
  const { ticks } = scales.z;
  const labels = ticks.map((tick) => `${quoted(enhanced(tickLabel(surface.z, tick)))} ${tick}`);
  return [
    ...axisLines("x", surface.x, scales.x),
    ...axisLines("y", surface.y, scales.y),
    `set cblabel ${quoted(enhanced(axisTitle(surface.z)))}`,
    ...(isLog(surface.z) ? ["set logscale cb"] : []),
    `set cbrange [${scales.z.low}:${scales.z.high}]`,
    `set cbtics (${labels.join(", ")})`,
    "unset key",
    "set view map",
    `set palette defined (${(contours === "filled" ? steps(scales) : gradient()).join(", ")})`,
    ...(contours === "filled"
      ? ["set pm3d interpolate 8,8"]
      : ["set contour base", "unset surface", `set cntrparam levels discrete ${ticks.join(",")}`]),
    ...gridData(drawableSurface(surface), name),
    `splot ${name} using 1:2:3 with ${contours === "filled" ? "pm3d" : "lines linewidth 2 linecolor palette"}`,
  ];
}

/** A palette of one colour between each two levels. */
function steps({ z }: SurfaceScales): string[] {
  const ends = [...new Set([0, ...z.ticks.map(z.at), 1])];
  return ends.slice(0, -1).flatMap((low, at) => {
    const high = ends[at + 1] ?? 1;
    const color = rampColor((low + high) / 2);
    return [`${low} '${color}'`, `${high} '${color}'`];
  });
}

function gradient(): string[] {
  return Array.from({ length: 10 }, (_, step) => `${step} '${rampColor(step / 9)}'`);
}

/** All cells have the same size; only the tick labels show positions. */
function heatMapScript({ x, y, z, ...surface }: SurfaceBlock, name: string): string[] {
  const { xs, ys, heights } = drawableSurface({ x, y, z, ...surface });
  const label = (axis: "x" | "y" | "cb", look: Axis): string => `set ${axis}label ${quoted(enhanced(axisTitle(look)))}`;
  const labels = (axis: "x" | "y", look: Axis, positions: readonly number[]): string => {
    const stride = Math.ceil(positions.length / 20);
    const tics = positions
      .map((position, i) => `${quoted(enhanced(tickLabel(look, position)))} ${i}`)
      .filter((_, i) => i % stride === 0);
    return `set ${axis}tics (${tics.join(", ")})`;
  };
  return [
    label("x", x),
    label("y", y),
    label("cb", z),
    labels("x", x, xs),
    labels("y", y, ys),
    ...(isLog(z) ? ["set logscale cb"] : []),
    "unset key",
    `set palette defined (${gradient().join(", ")})`,
    `${name} << EOD`,
    ...heights.flatMap((row, j) => row.map((height, i) => [i, j, height].join(" "))),
    "EOD",
    `plot ${name} using 1:2:3 with image pixels`,
  ];
}

/**
 * Label, log scale, range and categories of an axis; `scale` gives the range of an axis shared by several plots.
 */
export function axisLines(axis: "x" | "y" | "y2" | "z", look: Axis, scale: Scale): string[] {
  const { categories = [], holds } = look;
  const [from, to] = holds === undefined ? [look.from, look.to] : [scale.low, scale.high];
  const named = categories.map((category, i) => `${quoted(enhanced(category))} ${i}`);
  const instants = scale.ticks.map((tick) => `${quoted(enhanced(tickLabel(look, tick, scale)))} ${tick}`);
  const bytes = look.scale === "log2" && formatUnit(look.unit) === "Byte" && axis !== "z";
  return [
    `set ${axis}label ${quoted(enhanced(axisTitle(look)))}`,
    ...(isLog(look) ? [`set logscale ${axis} ${look.scale === "log2" ? 2 : 10}`] : []),
    ...(bytes ? [`set format ${axis} '%.0b %BB'`] : []),
    ...(isTime(look) ? [`set ${axis}tics (${instants.join(", ")})`] : []),
    ...(look.scale === "category"
      ? [`set ${axis}tics (${named.join(", ")})`, `set ${axis}range [-0.5:${categories.length - 0.5}]`]
      : []),
    ...(from === undefined && to === undefined ? [] : [`set ${axis}range [${from ?? "*"}:${to ?? "*"}]`]),
  ];
}
