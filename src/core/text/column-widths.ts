import { displayWidth } from "./terminal-text.ts";

/** Minimum width of a cut column. */
const narrowest = 8;
/** Cells wider than this are ignored if there is no maximum width: one very long name would pad all other lines. */
const widestCounted = 200;

/** The width of a column with its head and cells of these widths. `hasToFit`: the table is cut to a maximum width. */
export function naturalWidth(head: string, widths: Iterable<number>, hasToFit: boolean): number {
  let widest = displayWidth(head);
  for (const width of widths) {
    if (width > widest && (hasToFit || width <= widestCounted)) widest = width;
  }
  return widest;
}

/** Removes `excess` characters from the widest columns that can be cut, as far as possible. */
export function fittedWidths(
  natural: readonly number[],
  excess: number,
  isCuttable: (column: number) => boolean,
): number[] {
  const widths = [...natural];
  for (let over = excess; over > 0;) {
    const cuttable = [...widths.keys()].filter((i) => isCuttable(i) && (widths[i] ?? 0) > narrowest);
    const [widest, next] = cuttable.sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0) || a - b);
    if (widest === undefined) break;
    const width = widths[widest] ?? 0;
    const cut = Math.min(over, Math.max(1, width - Math.max(narrowest, next === undefined ? 0 : (widths[next] ?? 0))));
    widths[widest] = width - cut;
    over -= cut;
  }
  return widths;
}
