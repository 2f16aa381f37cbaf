import { rampStops } from "../color-ramp.ts";
import type { Theme } from "../theme.ts";
import { round, svgText } from "./svg-text.ts";

export const barWidth = 14;

/** Where a colour bar is drawn: its left end, and the height of the picture. */
export interface BarRoom {
  readonly left: number;
  readonly height: number;
}

const top = 40;

function lengthOf({ height }: BarRoom): number {
  return Math.max(60, height - 120);
}

/**
 * A colour bar from low to high with labels at `positions`, fractions of its length. `id` makes its definitions unique
 * on a page.
 */
export function colorBar(
  labels: readonly string[],
  positions: readonly number[],
  theme: Theme,
  room: BarRoom,
  id: string,
): string {
  const gradient = `<linearGradient id="${id}-ramp" x1="0" y1="1" x2="0" y2="0">${rampStops()}</linearGradient>`;
  const bar = frame(room, `url(#${id}-ramp)`, theme);
  return `<defs>${gradient}</defs>${bar}${barLabels(labels, positions, theme, room)}`;
}

/** A colour bar in steps of one colour each, with their ends as fractions of its length. */
export function steppedBar(
  labels: readonly string[],
  positions: readonly number[],
  bands: readonly { readonly low: number; readonly high: number; readonly color: string }[],
  theme: Theme,
  room: BarRoom,
): string {
  const steps = bands.map(({ low, high, color }) => {
    const size = `width="${barWidth}" height="${round((high - low) * lengthOf(room))}"`;
    return `<rect x="${round(room.left)}" y="${round(barY(high, room))}" ${size} fill="${color}"/>`;
  });
  return steps.join("") + frame(room, "none", theme) + barLabels(labels, positions, theme, room);
}

/** A bar with a line of its colour at each label. */
export function lineBar(
  labels: readonly string[],
  positions: readonly number[],
  colors: readonly string[],
  theme: Theme,
  room: BarRoom,
): string {
  const lines = colors.map((color, at) => {
    const start = `M${round(room.left)} ${round(barY(positions[at] ?? 0, room))}h${barWidth}`;
    return outlinedLine(start, color, theme);
  });
  return frame(room, "none", theme) + lines.join("") + barLabels(labels, positions, theme, room);
}

/** A coloured line with an outline that stands out from any background. */
export function outlinedLine(path: string, color: string, theme: Theme): string {
  const look = 'fill="none" stroke-linejoin="round"';
  return (
    `<path d="${path}" ${look} stroke="${theme.text}" stroke-width="3"/>` +
    `<path d="${path}" ${look} stroke="${color}" stroke-width="1.8"/>`
  );
}

function frame(room: BarRoom, fill: string, theme: Theme): string {
  const size = `width="${barWidth}" height="${round(lengthOf(room))}"`;
  return `<rect x="${round(room.left)}" y="${top}" ${size} fill="${fill}" stroke="${theme.axis}"/>`;
}

function barLabels(labels: readonly string[], positions: readonly number[], theme: Theme, room: BarRoom): string {
  const ticks = labels.map((text, i) => {
    const y = barY(positions[i] ?? 0, room);
    const mark = `<path d="M${round(room.left + barWidth)} ${round(y)}h4" stroke="${theme.axis}"/>`;
    return mark + svgText(room.left + barWidth + 7, y + 4, text, { size: 12, color: theme.text });
  });
  return ticks.join("");
}

function barY(position: number, room: BarRoom): number {
  return top + lengthOf(room) * (1 - position);
}
