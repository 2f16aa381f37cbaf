import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { countText } from "../model/number-text.ts";
import { usePrinting } from "./printing.ts";
import { useNarrow } from "./text.tsx";

const rowHeight = 32;
/** Rows rendered beyond the visible edges. */
const overscanRows = 8;
/** Maximum number of printed rows, about 40 pages. */
const maxPrintedRows = 2000;
/** Browsers limit the height of elements to about 17 million pixels. */
const maxHeight = 16_000_000;

export interface VirtualColumn {
  readonly label: ComponentChildren;
  /** CSS grid track size: `minmax(0, 2fr)`, `80px`. */
  readonly width: string;
  readonly right?: boolean;
  /** Hidden on narrow screens. */
  readonly optional?: boolean;
  /** Sort direction, if the rows are sorted by this column. */
  readonly sort?: "ascending" | "descending" | undefined;
}

interface VirtualRowsProps {
  readonly label: string;
  readonly columns: readonly VirtualColumn[];
  readonly count: number;
  readonly cells: (row: number) => readonly ComponentChildren[];
  /** The text of a row that is the heading of those below it; undefined: a row of cells. */
  readonly heading?: (row: number) => ComponentChildren;
}

/**
 * A virtualized table: only visible rows are in the document. In print, up to `maxPrintedRows` rows and the number of
 * the others.
 */
export function VirtualRows({ label, columns, count, cells, heading }: VirtualRowsProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const onScreen = useVisibleRows(box, count);
  const isPrinting = usePrinting();
  const seen = isPrinting ? { from: 0, to: Math.min(count, maxPrintedRows), top: 0 } : onScreen;
  const narrow = useNarrow();
  const shown = columns
    .map((column, i) => ({ column, i }))
    .filter(({ column }) => !(narrow && column.optional === true));
  const template = { gridTemplateColumns: shown.map(({ column }) => column.width).join(" ") };
  const whole = Math.min(count * rowHeight, maxHeight);
  const table = (
    <div class="rows" ref={box} tabIndex={0} role="table" aria-label={label} aria-rowcount={count + 1}>
      <div class="head" role="rowgroup">
        <div role="row" aria-rowindex={1} style={template}>
          {shown.map(({ column, i }) => (
            <div key={i} role="columnheader" class={column.right === true ? "number" : ""} aria-sort={column.sort}>
              {column.label}
            </div>
          ))}
        </div>
      </div>
      <div class="body" role="rowgroup" style={{ height: `${whole}px` }}>
        {Array.from({ length: seen.to - seen.from }, (_, k) => seen.from + k).map((row) => {
          const head = heading?.(row);
          const rowCells = head === undefined ? cells(row) : [];
          return (
            <div
              key={row}
              role="row"
              class={head === undefined ? undefined : "heading"}
              aria-rowindex={row + 2}
              style={{ ...template, top: `${seen.top + (row - seen.from) * rowHeight}px` }}
            >
              {head !== undefined && (
                <div role="cell" aria-colspan={shown.length}>
                  {head}
                </div>
              )}
              {(head === undefined ? shown : []).map(({ column, i }) => (
                <div key={i} role="cell" class={column.right === true ? "number" : ""}>
                  {rowCells[i]}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
  return (
    <>
      {table}
      {isPrinting && seen.to < count && <p class="quiet">{countText(count - seen.to)} more rows are not printed.</p>}
    </>
  );
}

interface VisibleRows {
  readonly from: number;
  readonly to: number;
  /** Offset of row `from` from the top of the body, in pixels. */
  readonly top: number;
}

function useVisibleRows(box: { readonly current: HTMLDivElement | null }, count: number): VisibleRows {
  const [view, setView] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    element.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      sizes.disconnect();
    };
  }, []);
  const whole = count * rowHeight;
  const share = whole <= maxHeight ? 1 : (whole - view.height) / (maxHeight - view.height);
  const first = Math.max(0, Math.min(count - 1, Math.floor((view.top * share) / rowHeight) - overscanRows));
  const to = Math.min(count, first + Math.ceil(view.height / rowHeight) + 2 * overscanRows);
  const top = view.top - (view.top * share - first * rowHeight);
  return { from: Math.min(first, to), to, top: Math.max(0, top) };
}
