import { displayWidth } from "./terminal-text.ts";

/** Text columns are not cut below this. */
const narrowest = 8;
/**
 * Where nothing has to fit, cells wider than this do not count: one endless name would fill all other lines with
 * blanks.
 */
const endless = 200;

/** Columns that a column takes with its head and its cells; `hasToFit`: there is a width that they will be cut to. */
export function naturalWidth(head: string, cells: readonly string[], hasToFit: boolean): number {
  let widest = displayWidth(head);
  for (const cell of cells) {
    const width = displayWidth(cell);
    if (width > widest && (hasToFit || width <= endless)) widest = width;
  }
  return widest;
}

/** The widths with `excess` columns taken away from the widest that can be cut, as far as they can. */
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
