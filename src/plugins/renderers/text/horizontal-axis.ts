import { cutToWidth, displayWidth } from "../../../core/text/terminal-text.ts";
import type { Style } from "./style.ts";

/** A tick of a horizontal axis: its column in the drawing and its escaped label. */
export interface AxisTick {
  readonly column: number;
  readonly text: string;
}

/**
 * The rule and the label line of a horizontal axis below a drawing of `columns` columns. Omits labels that would overlap.
 * The first column is that of the vertical axis.
 */
export function horizontalAxis(ticks: readonly AxisTick[], columns: number, style: Style): [string, string] {
  const { corner, axis } = style.glyphs;
  const rule = Array.from({ length: columns }, () => axis.horizontal);
  let labels = "";
  for (const tick of ticks) {
    const column = Math.min(columns - 1, Math.max(0, tick.column));
    const text = cutToWidth(tick.text, Math.floor(columns / 3), style.glyphs.ellipsis);
    const width = displayWidth(text);
    const start = Math.max(0, Math.min(column + 1 - Math.floor(width / 2), columns + 1 - width));
    const used = displayWidth(labels);
    if (used > 0 && start < used + 2) continue;
    labels += " ".repeat(start - used) + text;
    rule[column] = corner.tick;
  }
  return [corner.left + rule.join(""), labels];
}
