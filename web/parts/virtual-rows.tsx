import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { countText } from "../model/number-text.ts";
import { usePrinting } from "./printing.ts";

const rowHeight = 32;
/** Rows beyond the edges that are there already when one scrolls. */
const spareRows = 8;
/** Rows on paper: some forty pages. */
const mostPrinted = 2000;
/** Browsers give up on elements higher than about 17 million pixels. */
const mostHeight = 16_000_000;

export interface VirtualColumn {
  readonly label: ComponentChildren;
  /** Of CSS grid: `minmax(0, 2fr)`, `80px`. */
  readonly width: string;
  readonly right?: boolean;
  /** Left out where it is narrow. */
  readonly spare?: boolean;
  /** When it is what rows are in order of. */
  readonly sort?: "ascending" | "descending" | undefined;
}

interface VirtualRowsProps {
  readonly label: string;
  readonly columns: readonly VirtualColumn[];
  readonly count: number;
  readonly cells: (row: number) => readonly ComponentChildren[];
}

/**
 * A table of any length, of which only the rows that are seen are in the document; on paper as many as there is room
 * for, and how many more there are.
 */
export function VirtualRows({ label, columns, count, cells }: VirtualRowsProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const onScreen = useSeen(box, count);
  const isPrinting = usePrinting();
  const seen = isPrinting ? { from: 0, to: Math.min(count, mostPrinted), top: 0 } : onScreen;
  const narrow = useNarrow();
  const shown = columns.map((column, i) => ({ column, i })).filter(({ column }) => !(narrow && column.spare === true));
  const template = { gridTemplateColumns: shown.map(({ column }) => column.width).join(" ") };
  const whole = Math.min(count * rowHeight, mostHeight);
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
          const contents = cells(row);
          return (
            <div
              key={row}
              role="row"
              aria-rowindex={row + 2}
              style={{ ...template, top: `${seen.top + (row - seen.from) * rowHeight}px` }}
            >
              {shown.map(({ column, i }) => (
                <div key={i} role="cell" class={column.right === true ? "number" : ""}>
                  {contents[i]}
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
      {isPrinting && seen.to < count && <p class="quiet">{countText(count - seen.to)} more rows are not on paper.</p>}
    </>
  );
}

interface Seen {
  readonly from: number;
  readonly to: number;
  /** Pixels from the top of the body at which row `from` stands. */
  readonly top: number;
}

function useSeen(box: { readonly current: HTMLDivElement | null }, count: number): Seen {
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
  const share = whole <= mostHeight ? 1 : (whole - view.height) / (mostHeight - view.height);
  const first = Math.max(0, Math.min(count - 1, Math.floor((view.top * share) / rowHeight) - spareRows));
  const to = Math.min(count, first + Math.ceil(view.height / rowHeight) + 2 * spareRows);
  const top = view.top - (view.top * share - first * rowHeight);
  return { from: Math.min(first, to), to, top: Math.max(0, top) };
}

const narrowScreens = window.matchMedia("(max-width: 760px)");

function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(narrowScreens.matches);
  useEffect(() => {
    const change = (): void => setNarrow(narrowScreens.matches);
    narrowScreens.addEventListener("change", change);
    return () => narrowScreens.removeEventListener("change", change);
  }, []);
  return narrow;
}
