import type { Axis, ChartBlock } from "../../../core/figure.ts";
import { cutToWidth, displayWidth, padToWidth } from "../../../core/terminal-text.ts";
import type { Scale } from "../../../math/scale.ts";
import { type ChartScales, drawnAxisTitle, tickLabel } from "../drawing/chart-scales.ts";
import { legendLines } from "./legend.ts";
import { lyingAxis } from "./lying-axis.ts";
import type { Style } from "./style.ts";

/** Puts axes, ticks, titles and the legend around the lines of a drawing, which is told how many columns are left for it. */
export function framed(
  chart: ChartBlock,
  scales: ChartScales,
  style: Style,
  draw: (columns: number) => string[],
): string[] {
  const left = labelsOf(chart.y[0], scales.y[0], style.lines);
  const right = labelsOf(chart.y[1], scales.y[1], style.lines);
  const columns = style.width - left.width - 1 - (right.width === 0 ? 0 : right.width + 1);
  const { axis } = style.glyphs;
  const body = draw(columns).map((line, i) => {
    const start =
      padToWidth(left.at(i) ?? "", left.width, "right") + (left.at(i) === undefined ? axis.vertical : axis.left);
    if (right.width === 0) return (start + line).trimEnd();
    return start + line + (right.at(i) === undefined ? axis.vertical : axis.right + right.at(i));
  });
  const below = xAxisLines(chart.x, scales.x, columns, style).map((line) => (" ".repeat(left.width) + line).trimEnd());
  if (right.width > 0 && below[0] !== undefined) below[0] += style.glyphs.corner.right;
  return [...titleLine(chart, style), ...body, ...below, ...legendLines(chart, style)];
}

interface Labels {
  readonly width: number;
  at(line: number): string | undefined;
}

/** The tick labels of an upright axis by line of the drawing. */
function labelsOf(axis: Axis | undefined, scale: Scale | undefined, lines: number): Labels {
  const byLine = new Map<number, string>();
  if (axis !== undefined)
    for (const tick of scale?.ticks ?? []) byLine.set(lineOf(scale?.at(tick) ?? 0, lines), tickLabel(axis, tick));
  return { width: Math.max(0, ...[...byLine.values()].map(displayWidth)), at: (line) => byLine.get(line) };
}

function lineOf(at: number, lines: number): number {
  return Math.min(lines - 1, Math.floor(((1 - at) * (lines * 4 - 1) + 0.5) / 4));
}

/** Titles of the y axes, each above its own. */
function titleLine(chart: ChartBlock, style: Style): string[] {
  const titles = chart.y.map((axis) => style.shown(drawnAxisTitle(axis)));
  const [left = "", right = ""] = titles.map((title) =>
    cutToWidth(title, Math.floor(style.width / titles.length) - 1, style.glyphs.ellipsis),
  );
  return [right === "" ? left : padToWidth(left, style.width - displayWidth(right)) + right];
}

/** The lying axis with its title. */
function xAxisLines(axis: Axis, scale: Scale, columns: number, style: Style): string[] {
  const ticks = scale.ticks.map((tick) => ({
    column: Math.round(scale.at(tick) * (columns - 1)),
    text: style.shown(tickLabel(axis, tick)),
  }));
  const title = cutToWidth(style.shown(drawnAxisTitle(axis)), columns, style.glyphs.ellipsis);
  const margin = " ".repeat(Math.max(0, Math.floor((columns + 1 - displayWidth(title)) / 2)));
  return [...lyingAxis(ticks, columns, style), margin + title];
}
