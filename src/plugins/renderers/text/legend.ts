import { type ChartBlock, type ChartSeries, markOf } from "../../../core/figures/index.ts";
import { cutToWidth, displayWidth } from "../../../core/text/index.ts";
import { cycled } from "./glyphs.ts";
import type { Style } from "./style.ts";

const gap = "   ";
const maxLines = 8;

/** The legend in as few lines as fit; empty for a single series. */
export function legendLines(chart: ChartBlock, style: Style): string[] {
  if (chart.series.length < 2 || chart.legend === false) return [];
  const lines: { text: string; width: number; entries: number }[] = [];
  chart.series.forEach((series, i) => {
    const label = cutToWidth(entryLabel(chart, series, style), style.width - 2, style.glyphs.ellipsis);
    const width = displayWidth(label) + 2;
    const text = `${style.paint(symbolOf(chart, i, style), i)} ${label}`;
    const last = lines.at(-1);
    if (last === undefined || last.width + gap.length + width > style.width) lines.push({ text, width, entries: 1 });
    else
      lines.splice(-1, 1, {
        text: last.text + gap + text,
        width: last.width + gap.length + width,
        entries: last.entries + 1,
      });
  });
  const hidden = lines.slice(maxLines).reduce((sum, line) => sum + line.entries, 0);
  const shown = lines.slice(0, maxLines).map((line) => line.text);
  return hidden === 0 ? shown : [...shown, `${style.glyphs.ellipsis} and ${hidden} more`];
}

export function symbolOf(chart: ChartBlock, series: number, style: Style): string {
  const allBars = chart.series.every((each) => markOf(chart, each) === "bars");
  return cycled(allBars ? style.glyphs.fills : style.glyphs.markers, series);
}

function entryLabel(chart: ChartBlock, series: ChartSeries, style: Style): string {
  const side = chart.y.length === 2 ? (series.axis === 0 ? " (left)" : " (right)") : "";
  return style.sanitize(series.label) + side;
}
