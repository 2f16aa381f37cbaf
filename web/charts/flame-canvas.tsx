import { usePage } from "../context/page-context.ts";
import { useWidth } from "../parts/element-width.ts";
import { changedRange, type FlameRange, frameAt } from "./flame-layout.ts";
import { type FlamePicture, paintFlames, rowOffset } from "./flame-painting.ts";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Maximum height of a picture in pixels; deeper graphs are scrolled. */
const maxHeight = 560;
const minimapHeight = 44;

/** Several pointer events come between two renderings: each change starts from the last one. */
type ChangeRange = (change: (range: FlameRange) => FlameRange) => void;

interface FlameCanvasProps {
  readonly picture: FlamePicture;
  readonly range: FlameRange;
  readonly onRange: ChangeRange;
  /** The focused frame. */
  readonly at: number;
  readonly onLook: (frame: number) => void;
  readonly onZoom: (frame: number) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly label: string;
  readonly hasMinimap: boolean;
}

/** A flame graph on a canvas: the wheel and two fingers zoom, dragging moves, a click zooms to a frame. */
export function FlameCanvas(props: FlameCanvasProps): JSX.Element {
  const { picture, range, onRange, at, onKey, label, hasMinimap } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box, 900);
  const { dark } = usePage();
  const rows = Math.max(1, picture.layout.rows.length - 1);
  const height = rows * picture.rowHeight;
  const seen = Math.min(height, maxHeight);
  const [scrolled, setScrolled] = useState(0);
  useLayoutEffect(() => {
    if (canvas.current !== null) paintFlames(canvas.current, picture, { range, width, height: seen, scrolled });
  }, [picture, range, width, seen, scrolled, dark]);
  useKeptInSight(box, picture, at, rows);
  const pointer = usePointer(canvas, { ...props, width, rows, scrolled });
  return (
    <>
      {hasMinimap && <Minimap picture={picture} range={range} width={width} rows={rows} onRange={onRange} />}
      <div
        class="frames"
        ref={box}
        tabIndex={0}
        role="application"
        aria-label={label}
        style={{ maxHeight: `${maxHeight}px` }}
        onKeyDown={onKey}
        onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      >
        <div class="all-rows" style={{ height: `${height}px` }}>
          <canvas ref={canvas} style={{ width: `${width}px`, height: `${seen}px` }} aria-hidden="true" {...pointer} />
          <Focus picture={picture} range={range} width={width} rows={rows} at={at} />
        </div>
      </div>
    </>
  );
}

/** The outline of the focused frame, apart from the canvas: moving it repaints nothing. */
function Focus({ picture, range, width, rows, at }: FocusProps): JSX.Element | null {
  const { graph, layout } = picture;
  const scale = width / (range.width || 1);
  const left = Math.max(0, ((layout.x[at] ?? 0) - range.left) * scale);
  const right = Math.min(width, ((layout.x[at] ?? 0) + (graph.total[at] ?? 0) - range.left) * scale);
  if (right < 0 || left > width) return null;
  const style = {
    left: `${left}px`,
    top: `${rowOffset(picture, graph.depth[at] ?? 0, rows)}px`,
    width: `${Math.max(2, right - left)}px`,
    height: `${picture.rowHeight}px`,
  };
  return <div class="at" style={style} />;
}

interface FocusProps {
  readonly picture: FlamePicture;
  readonly range: FlameRange;
  readonly width: number;
  readonly rows: number;
  readonly at: number;
}

/** Scrolls to the focused frame of the keyboard, and first to the root. */
function useKeptInSight(
  box: { readonly current: HTMLDivElement | null },
  picture: FlamePicture,
  at: number,
  rows: number,
): void {
  const row = picture.graph.depth[at] ?? 0;
  useEffect(() => {
    const element = box.current;
    if (element === null || element.scrollHeight <= element.clientHeight) return;
    const top = rowOffset(picture, row, rows);
    const bottom = top + picture.rowHeight - element.clientHeight;
    if (element.scrollTop > top) element.scrollTop = top;
    else if (element.scrollTop < bottom) element.scrollTop = bottom;
  }, [row, rows, picture.grows]);
}

interface Pointers {
  readonly width: number;
  readonly rows: number;
  /** Pixels above the canvas. */
  readonly scrolled: number;
}

type PointerHandlers = Readonly<
  Record<"onPointerDown" | "onPointerMove" | "onPointerUp" | "onPointerCancel", (event: PointerEvent) => void>
>;

/** Handlers for the pointer; the wheel is heard without `passive`, so that the page does not scroll along. */
function usePointer(
  canvas: { readonly current: HTMLCanvasElement | null },
  props: FlameCanvasProps & Pointers,
): PointerHandlers {
  const current = useRef(props);
  current.current = props;
  const [gesture] = useState(() => new Gesture(() => current.current));
  useEffect(() => {
    const element = canvas.current;
    const onWheel = (event: WheelEvent): void => gesture.wheel(event);
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, []);
  return {
    onPointerDown: (event) => gesture.down(event),
    onPointerMove: (event) => gesture.move(event),
    onPointerUp: (event) => gesture.up(event),
    onPointerCancel: (event) => gesture.cancel(event),
  };
}

/** The offset in the graph at a share of the width. */
function offsetAt({ left, width }: FlameRange, share: number): number {
  return left + share * width;
}

/** Dragged farther than this many pixels, a press is no click. */
const clickDistance = 4;

/** Presses, drags and pinches on a canvas. */
class Gesture {
  readonly #props: () => FlameCanvasProps & Pointers;
  readonly #held = new Map<number, { x: number; y: number }>();
  #moved = 0;

  constructor(props: () => FlameCanvasProps & Pointers) {
    this.#props = props;
  }

  wheel(event: WheelEvent): void {
    const { range, onRange, picture, width } = this.#props();
    const whole = picture.graph.total[0] ?? 0;
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const delta = (isSideways ? event.deltaX || event.deltaY : event.deltaY) * (event.deltaMode === 1 ? 16 : 1);
    const change = (from: FlameRange): FlameRange =>
      isSideways
        ? changedRange(from, whole, { center: from.left, shift: (delta * from.width) / width })
        : changedRange(from, whole, { factor: Math.exp(delta / 400), center: offsetAt(from, event.offsetX / width) });
    const next = change(range);
    // At the ends the page scrolls.
    if (next.left === range.left && next.width === range.width) return;
    event.preventDefault();
    onRange(change);
  }

  down(event: PointerEvent): void {
    if (event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.#held.set(event.pointerId, { x: event.offsetX, y: event.clientY });
    if (this.#held.size === 1) this.#moved = 0;
  }

  move(event: PointerEvent): void {
    const { onRange, onLook, picture, width } = this.#props();
    const whole = picture.graph.total[0] ?? 0;
    const held = this.#held.get(event.pointerId);
    if (held === undefined) {
      const frame = this.#frame(event);
      if (frame !== undefined) onLook(frame);
      return;
    }
    const [x, other] = [event.offsetX, [...this.#held].find(([id]) => id !== event.pointerId)?.[1]];
    this.#moved += Math.abs(x - held.x) + (event.pointerType === "mouse" ? Math.abs(event.clientY - held.y) : 0);
    const moved = (held.x - x) / width;
    if (other === undefined) {
      if (this.#moved > clickDistance)
        onRange((range) => changedRange(range, whole, { center: range.left, shift: moved * range.width }));
      const box = (event.currentTarget as HTMLElement).parentElement?.parentElement;
      if (box && event.pointerType === "mouse") box.scrollTop += held.y - event.clientY;
    } else {
      const factor = Math.max(8, Math.abs(held.x - other.x)) / Math.max(8, Math.abs(x - other.x));
      onRange((range) => changedRange(range, whole, { factor, center: offsetAt(range, other.x / width) }));
    }
    this.#held.set(event.pointerId, { x, y: event.clientY });
  }

  up(event: PointerEvent): void {
    const isClick = this.#held.delete(event.pointerId) && this.#held.size === 0 && this.#moved <= clickDistance;
    const frame = isClick ? this.#frame(event) : undefined;
    if (frame !== undefined) this.#props().onZoom(frame);
  }

  cancel(event: PointerEvent): void {
    this.#held.delete(event.pointerId);
    this.#moved = Number.POSITIVE_INFINITY;
  }

  #frame(event: PointerEvent): number | undefined {
    const { picture, range, width, rows, scrolled } = this.#props();
    const line = Math.floor((event.offsetY + scrolled) / picture.rowHeight);
    const row = picture.grows === "up" ? rows - 1 - line : line;
    return frameAt(picture.graph, picture.layout, row, offsetAt(range, event.offsetX / width));
  }
}

/** The whole graph in small, with a window over the visible part; dragging moves the window. */
function Minimap({ picture, range, width, rows, onRange }: MinimapProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { dark } = usePage();
  const whole = picture.graph.total[0] ?? 0;
  useLayoutEffect(() => {
    if (canvas.current === null) return;
    const small = { ...picture, rowHeight: Math.min(4, minimapHeight / rows) };
    const all = { left: 0, width: whole };
    paintFlames(canvas.current, small, { range: all, width, height: minimapHeight, scrolled: 0 });
  }, [picture, width, dark]);
  const moveTo = (event: PointerEvent): void => {
    if (event.buttons === 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const center = ((event.clientX - box.left) / box.width) * whole;
    onRange(({ width: wide }) => {
      const left = center - wide / 2;
      return changedRange({ left, width: wide }, whole, { center: left });
    });
  };
  const percent = (amount: number): string => `${(amount / (whole || 1)) * 100}%`;
  return (
    <div class="minimap" onPointerDown={moveTo} onPointerMove={moveTo} aria-hidden="true">
      <canvas ref={canvas} style={{ width: `${width}px`, height: `${minimapHeight}px` }} />
      <div class="window" style={{ left: percent(range.left), width: percent(range.width) }} />
    </div>
  );
}

interface MinimapProps extends Omit<FocusProps, "at"> {
  readonly onRange: ChangeRange;
}
