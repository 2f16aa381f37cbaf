import type { Axis, SurfaceBlock } from "../../../../core/figures/figure.ts";
import { terminalText } from "../../../../core/text/terminal-text.ts";
import type { Scale } from "../../../../math/plotting/scale.ts";
import { drawnAxisTitle, tickLabel } from "../chart-scales.ts";
import { cutToPixels, textWidth } from "./dejavu-sans.ts";
import { project, radians, type Position, type View3d } from "./projection.ts";
import type { SurfaceScales } from "../surface-scales.ts";
import { edgeText, label, shape, type Shapes } from "./svg-shapes.ts";
import type { Theme } from "../theme.ts";

const labelSize = 12;
const titleSize = 13;
const widestLabel = 140;
/** Minimum pixels between labels. */
const lineHeight = 16;

/**
 * The rear walls with their grid, and the axes with ticks, labels and titles, for one quadrant of the rotation.
 */
export function surfaceFrame(surface: SurfaceBlock, scales: SurfaceScales, theme: Theme, shapes: Shapes): string {
  const corner = cornersOf(shapes.view.yaw);
  const { near, far } = corner;
  const wall = ` fill="${theme.grid}" fill-opacity="0.35" stroke="${theme.grid}"`;
  const out = [
    ...wallsOf(far).map((positions) => shape("polygon", positions, wall, shapes)),
    ...gridOf(scales, near, far).map((positions) =>
      shape("polyline", positions, ` fill="none" stroke="${theme.grid}"`, shapes),
    ),
    ...floorAxis(surface.x, scales.x, (at) => [at, near.y, 0], [0, near.y - far.y, 0], theme, shapes),
    ...floorAxis(surface.y, scales.y, (at) => [near.x, at, 0], [near.x - far.x, 0, 0], theme, shapes),
    ...verticalAxis(surface.z, scales.z, corner.left, theme, shapes),
  ];
  return out.join("");
}

interface Corner {
  readonly x: 0 | 1;
  readonly y: 0 | 1;
}

function wallsOf({ x, y }: Corner): Position[][] {
  const around: readonly (readonly [number, number])[] = [0, 1, 3, 2].map((corner) => [corner & 1, corner >> 1]);
  return [around.map(([a, b]) => [a, b, 0]), around.map(([a, b]) => [x, a, b]), around.map(([a, b]) => [a, y, b])];
}

/** Grid lines at the ticks, each across two walls. */
function gridOf({ x, y, z }: SurfaceScales, near: Corner, far: Corner): Position[][] {
  const all = (scale: Scale, line: (at: number) => Position[]): Position[][] =>
    scale.ticks.map((tick) => line(scale.at(tick)));
  return [
    ...all(x, (at) => [near.y, far.y].map((side): Position => [at, side, 0]).concat([[at, far.y, 1]])),
    ...all(y, (at) => [near.x, far.x].map((side): Position => [side, at, 0]).concat([[far.x, at, 1]])),
    ...all(z, (at) => [near.x, far.x].map((side): Position => [side, far.y, at]).concat([[far.x, near.y, at]])),
  ];
}

/**
 * The nearest, farthest and leftmost corners of the floor in a quadrant of the rotation.
 */
function cornersOf(yaw: number): Record<"near" | "far" | "left", Corner> {
  const quarter = Math.floor(yaw / 90) * 90 + 45;
  const [sin, cos] = [Math.sin(radians(quarter)), Math.cos(radians(quarter))];
  const far = { x: sin > 0 ? 1 : 0, y: cos > 0 ? 1 : 0 } as const;
  return {
    far,
    near: { x: far.x === 1 ? 0 : 1, y: far.y === 1 ? 0 : 1 },
    left: { x: cos > 0 ? 0 : 1, y: sin > 0 ? 1 : 0 },
  };
}

type Along = (at: number) => Position;

/** A horizontal axis; `outwards`: the direction away from the box. */
function floorAxis(axis: Axis, scale: Scale, along: Along, outwards: Position, theme: Theme, shapes: Shapes): string[] {
  const isRight = project(along(0.5), shapes.view)[0] > shapes.view.left;
  const ends = [along(0), along(1)] as const;
  const labels = axisLabels(axis, scale);
  const stride = strideOf(labels.length, ends, shapes.view);
  const ticks = scale.ticks.flatMap((tick, i) => {
    if (i % stride !== 0) return [];
    const position = along(scale.at(tick));
    const end = position.map((share, dimension) => share + 0.02 * (outwards[dimension] ?? 0)) as unknown as Position;
    const look = ` font-size="${labelSize}" fill="${theme.text}" text-anchor="${isRight ? "start" : "end"}"`;
    return [axisLine([position, end], theme, shapes), label(labels[i] ?? "", end, [isRight ? 3 : -3, 13], look, shapes)];
  });
  const distance = titleDistance(labels, ends, shapes.view);
  return [axisLine(ends, theme, shapes), ...ticks, edgeText(titleOf(axis), ends, distance, titleLook(theme), shapes)];
}

function verticalAxis(axis: Axis, scale: Scale, { x, y }: Corner, theme: Theme, shapes: Shapes): string[] {
  const labels = axisLabels(axis, scale);
  const ticks = scale.ticks.map((tick, i) =>
    label(
      labels[i] ?? "",
      [x, y, scale.at(tick)],
      [-8, 1],
      ` font-size="${labelSize}" fill="${theme.text}" text-anchor="end"`,
      shapes,
    ),
  );
  const title = titleOf(axis);
  const offset = [-widestOf(labels) - 22, 0] as const;
  const [left, middle] = project([x, y, 0.5], shapes.view);
  const rotation = `rotate(-90 ${Math.round(left + offset[0])} ${Math.round(middle)})`;
  const rotated = ` text-anchor="middle"${titleLook(theme)} transform="${rotation}"`;
  return [
    axisLine(
      [
        [x, y, 0],
        [x, y, 1],
      ],
      theme,
      shapes,
    ),
    ...ticks,
    shapes.canTurn
      ? label(title, [x, y, 1], [-widestOf(labels), -14], titleLook(theme), shapes)
      : label(title, [x, y, 0.5], offset, rotated, shapes),
  ];
}

function axisLine(positions: readonly Position[], theme: Theme, shapes: Shapes): string {
  return shape("polyline", positions, ` fill="none" stroke="${theme.axis}"`, shapes);
}

function titleLook(theme: Theme): string {
  return ` font-size="${titleSize}" fill="${theme.text}"`;
}

function titleOf(axis: Axis): string {
  return cutToPixels(terminalText(drawnAxisTitle(axis)), 300, titleSize);
}

/** The labels of the ticks as they are drawn. */
export function axisLabels(axis: Axis, scale: Scale): string[] {
  return scale.ticks.map((tick) => cutToPixels(terminalText(tickLabel(axis, tick)), widestLabel, labelSize));
}

export function widestOf(labels: readonly string[]): number {
  return labels.reduce((maximum, text) => Math.max(maximum, textWidth(text, labelSize)), 0);
}

/** Stride of the ticks that prevents labels from overlapping. */
function strideOf(count: number, ends: readonly [Position, Position], view: View3d): number {
  const height = Math.abs(project(ends[0], view)[1] - project(ends[1], view)[1]);
  const width = Math.abs(project(ends[0], view)[0] - project(ends[1], view)[0]);
  return Math.max(1, Math.ceil((count * lineHeight) / Math.max(lineHeight, height, width / 3)));
}

/** Distance of the title from its edge, leaving room for the labels. */
function titleDistance(labels: readonly string[], ends: readonly [Position, Position], view: View3d): number {
  const [[x1, y1], [x2, y2]] = ends.map((position) => project(position, view)) as [[number, number], [number, number]];
  const angle = Math.abs(Math.atan2(y2 - y1, Math.abs(x2 - x1)));
  return widestOf(labels) * Math.sin(angle) + 14 * Math.cos(angle) + 26;
}
