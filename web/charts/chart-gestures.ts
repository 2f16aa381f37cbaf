import { useRef, useState } from "preact/hooks";
import { panned, type PointRange } from "../model/chart-state.ts";
import type { HistoryShape, Paper } from "./history-shape.ts";

interface GestureTarget {
  readonly shape: HistoryShape;
  readonly paper: Paper;
  readonly range: PointRange;
  readonly last: number;
  /** The pointer is at a position, in pixels of the picture. */
  readonly onHover: (x: number, y: number) => void;
  /** A click or a tap. */
  readonly onClick: (x: number, y: number) => void;
  readonly onRange: (range: PointRange) => void;
}

export interface Gestures {
  /** The ends of the range that is being selected. */
  readonly held: readonly [from: number, to: number] | null;
  readonly listeners: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onPointerCancel: (event: PointerEvent) => void;
    readonly onWheel: (event: WheelEvent) => void;
  };
}

type Position = readonly [x: number, y: number];

/** Pointers that are down, and the picture when the last of them went down. */
interface Grip {
  readonly pointers: Map<number, Position>;
  from: readonly number[];
  shape: HistoryShape;
  range: PointRange;
  mode: "select" | "pan" | "pinch" | "scrub";
  hasMoved: boolean;
}

/** Shorter movements of the pointer are a click. */
const clickPixels = 8;

/**
 * A mouse selects points, zooms by dragging and by the wheel with Ctrl, and pans with Shift. A finger moves along the
 * points, or pans a zoomed chart; two fingers zoom.
 */
export function useGestures(target: GestureTarget): Gestures {
  const { shape, paper, range, last, onRange } = target;
  const [held, setHeld] = useState<readonly [number, number] | null>(null);
  const grip = useRef<Grip | null>(null);
  const move = (event: PointerEvent): void => {
    const [x, y] = positionOf(event);
    const current = grip.current;
    if (current === null || !current.pointers.has(event.pointerId)) return target.onHover(x, y);
    current.pointers.set(event.pointerId, [x, y]);
    current.hasMoved ||= Math.abs(x - (current.from[0] ?? x)) > clickPixels;
    if (current.mode === "scrub") target.onHover(x, y);
    else if (current.mode === "select") setHeld([current.from[0] ?? x, x]);
    else if (current.hasMoved) onRange(heldRange(current, paper, last));
  };
  const up = (event: PointerEvent): void => {
    const current = grip.current;
    if (current === null || !current.pointers.delete(event.pointerId)) return;
    if (!current.hasMoved) target.onClick(...positionOf(event));
    const next = current.mode === "select" && held !== null ? shape.rangeAt(...held) : range;
    if (current.hasMoved && next.to > next.from) onRange(next);
    const { pointers } = current;
    grip.current = pointers.size === 0 ? null : { ...current, from: xsOf(pointers), shape, range, mode: "pan" };
    setHeld(null);
  };
  return {
    held,
    listeners: {
      onPointerDown: (event) => {
        grip.current = gripOf(event, grip.current?.pointers ?? new Map<number, Position>(), target);
      },
      onPointerMove: move,
      onPointerUp: up,
      onPointerCancel: () => {
        grip.current = null;
        setHeld(null);
      },
      onWheel: (event) => zoomByWheel(event, target),
    },
  };
}

/** A pointer goes down, next to those that are down. */
function gripOf(event: PointerEvent, pointers: Grip["pointers"], { shape, range, last }: GestureTarget): Grip {
  (event.currentTarget as Element).setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, positionOf(event));
  const oneFinger = range.from > 0 || range.to < last ? "pan" : "scrub";
  const single = event.pointerType !== "mouse" ? oneFinger : event.shiftKey ? "pan" : "select";
  const isPinch = pointers.size > 1;
  return { pointers, from: xsOf(pointers), shape, range, mode: isPinch ? "pinch" : single, hasMoved: isPinch };
}

/** Without Ctrl the wheel scrolls the page. */
function zoomByWheel(event: WheelEvent, { shape, paper, last, onRange }: GestureTarget): void {
  if (!event.ctrlKey) return;
  event.preventDefault();
  const [x] = positionOf(event);
  const share = Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.004)));
  const [left, right] = [paper.left, paper.width - paper.right];
  onRange(wide(shape.rangeAt(x - (x - left) * share, x + (right - x) * share), last));
}

/** The position of a pointer in the picture. */
function positionOf(event: MouseEvent): Position {
  const area = (event.currentTarget as SVGElement).ownerSVGElement?.getBoundingClientRect();
  return [event.clientX - (area?.left ?? 0), event.clientY - (area?.top ?? 0)];
}

function xsOf(pointers: Grip["pointers"]): number[] {
  return [...pointers.values()].map(([x]) => x);
}

/** The range after the pointers moved: what was below each of them stays there. */
function heldRange({ pointers, from, shape, range, mode }: Grip, paper: Paper, last: number): PointRange {
  const to = xsOf(pointers);
  const [left, right] = [paper.left, paper.width - paper.right];
  if (mode === "pan") {
    const by = (from[0] ?? 0) - (to[0] ?? 0);
    const moved = shape.rangeAt(left + by, right + by);
    return panned(range, by > 0 ? moved.to - range.to : moved.from - range.from, last);
  }
  const [fromCenter, toCenter] = [from, to].map(([a = 0, b = 0]) => (a + b) / 2) as [number, number];
  const [fromSpan, toSpan] = [from, to].map(([a = 0, b = 0]) => Math.max(10, Math.abs(a - b))) as [number, number];
  const before = (x: number): number => fromCenter + (x - toCenter) * (fromSpan / toSpan);
  return wide(shape.rangeAt(before(left), before(right)), last);
}

/** The range with at least five points, if there are as many. */
function wide(range: PointRange, last: number): PointRange {
  const length = Math.min(last, Math.max(4, range.to - range.from));
  return panned({ from: range.from, to: range.from + length }, 0, last);
}
