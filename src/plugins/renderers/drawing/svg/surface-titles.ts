import { type Axis, drawableSurface, type SurfaceBlock } from "../../../../core/figures/index.ts";
import { markupText, terminalText } from "../../../../core/text/index.ts";
import { formatUnit } from "../../../../core/values/index.ts";
import { shortNumber } from "../../../../math/plotting/index.ts";
import { hasUnitInTicks, tickLabel } from "../chart-scales.ts";

/** Above this number of points, tooltips would make up most of a picture. */
const mostTitles = 2000;

/**
 * What a browser shows below the pointer for the point in a column and a row, `rate 3.478 GiByte/s at size 1 KiB,
 * threads 2`, as an element title; empty for holes, and in pictures of very many points.
 */
export function surfaceTitles(surface: SurfaceBlock): (i: number, j: number) => string {
  const { xs, ys, heights } = drawableSurface(surface);
  if (xs.length * ys.length > mostTitles) return () => "";
  const position = (axis: Axis, at: number): string => {
    const text = `${axis.label} ${tickLabel(axis, at)}`;
    return hasUnitInTicks(axis) ? text : withUnit(axis, text);
  };
  return (i, j) => {
    const height = heights[j]?.[i] ?? Number.NaN;
    if (!Number.isFinite(height)) return "";
    const value = withUnit(surface.z, `${surface.z.label} ${shortNumber(height)}`);
    const text = `${value} at ${position(surface.x, xs[i] as number)}, ${position(surface.y, ys[j] as number)}`;
    return `<title>${markupText(terminalText(text))}</title>`;
  };
}

function withUnit({ unit }: Axis, text: string): string {
  return `${text} ${formatUnit(unit)}`.trim();
}
