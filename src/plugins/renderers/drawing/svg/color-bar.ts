import { rampStops } from "../color-ramp.ts";
import { round, svgText } from "./svg-text.ts";
import type { Theme } from "../theme.ts";

export const barWidth = 14;

/**
 * A colour bar from low to high with labels at `positions`, fractions of its length. `id` makes its definitions unique on
 * a page.
 */
export function colorBar(
  labels: readonly string[],
  positions: readonly number[],
  theme: Theme,
  at: { left: number; height: number },
  id: string,
): string {
  const [top, length] = [40, Math.max(60, at.height - 120)];
  const gradient = `<linearGradient id="${id}-ramp" x1="0" y1="1" x2="0" y2="0">${rampStops()}</linearGradient>`;
  const frame = `x="${round(at.left)}" y="${top}" width="${barWidth}" height="${round(length)}"`;
  const bar = `<rect ${frame} fill="url(#${id}-ramp)" stroke="${theme.axis}"/>`;
  const ticks = labels.map((text, i) => {
    const y = top + length * (1 - (positions[i] ?? 0));
    const mark = `<path d="M${round(at.left + barWidth)} ${round(y)}h4" stroke="${theme.axis}"/>`;
    return mark + svgText(at.left + barWidth + 7, y + 4, text, { size: 12, color: theme.text });
  });
  return `<defs>${gradient}</defs>${bar}${ticks.join("")}`;
}
