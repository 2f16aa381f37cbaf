import { type HistoryShape, historyShape, type Paper, type Stretch } from "./history-shape.ts";
import { valueText } from "../model/number-text.ts";
import type { History } from "../model/series-lines.ts";
import { useWidth } from "../parts/element-width.ts";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";

interface HistoryChartProps {
  readonly history: History;
  readonly unit: string;
  readonly label: string;
  readonly stretch: Stretch;
  readonly chosen: number;
  /** What the chosen point is, in words. */
  readonly chosenText: string;
  /** When a point was; empty where it is not known. */
  readonly whenOf: (point: number) => string;
  readonly onChoose: (point: number) => void;
  readonly onStretch: (stretch: Stretch) => void;
}

/**
 * Medians over versions, the band of what was measured, and where it changed. Points are chosen by the pointer or the
 * arrow keys; a stretch is drawn by the pointer, or taken by + and -; Escape shows all again.
 */
export function HistoryChart(props: HistoryChartProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 900);
  const { history, stretch, chosen, unit } = props;
  const paper: Paper = { width, height: width < 600 ? 240 : 320, left: 64, right: 16, top: 14, bottom: 34 };
  const shape = historyShape(history, stretch, paper);
  const drag = useDrag(shape, props);
  return (
    <div
      class="history"
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={`${props.label}: arrow keys go from point to point, plus and minus zoom`}
      aria-valuemin={stretch.from + 1}
      aria-valuemax={stretch.to + 1}
      aria-valuenow={chosen + 1}
      aria-valuetext={props.chosenText}
      onKeyDown={(event) => onKey(event, props)}
    >
      <svg viewBox={`0 0 ${width} ${paper.height}`} height={paper.height} aria-hidden="true">
        <Ticks shape={shape} paper={paper} unit={unit} />
        <Whens shape={shape} paper={paper} stretch={stretch} whenOf={props.whenOf} />
        <path class="band" d={shape.band} />
        <path class="median" d={shape.median} />
        <Dots history={history} stretch={stretch} shape={shape} width={width} />
        <Changes history={history} stretch={stretch} shape={shape} paper={paper} />
        <Chosen at={chosen} history={history} stretch={stretch} shape={shape} paper={paper} />
        {drag.selection}
        <rect
          class="frame"
          x={paper.left}
          y={0}
          width={Math.max(1, width - paper.left - paper.right)}
          height={paper.height}
          {...drag.listeners}
        />
      </svg>
    </div>
  );
}

interface PartProps {
  readonly history: History;
  readonly stretch: Stretch;
  readonly shape: HistoryShape;
}

/** Points are marked where there is room between them. */
function Dots({ history, stretch, shape, width }: PartProps & { readonly width: number }): JSX.Element | null {
  const count = stretch.to - stretch.from + 1;
  if (count > width / 5) return null;
  const points = Array.from({ length: count }, (_, i) => stretch.from + i).filter((point) =>
    Number.isFinite(history.center[point]),
  );
  return (
    <>
      {points.map((point) => (
        <circle key={point} class="dot" cx={shape.xOf(point)} cy={shape.yOf(history.center[point] ?? 0)} r="2.2" />
      ))}
    </>
  );
}

function Changes({ history, stretch, shape, paper }: PartProps & { readonly paper: Paper }): JSX.Element {
  const seen = history.changes.filter((point) => point >= stretch.from && point <= stretch.to);
  return (
    <>
      {seen.map((point) => {
        const x = shape.xOf(point);
        return (
          <g key={point}>
            <line class="change" x1={x} x2={x} y1={paper.top} y2={paper.height - paper.bottom} />
            <path class="sign" d={`M${x - 5} ${paper.height - paper.bottom + 10}h10l-5 -9z`} />
          </g>
        );
      })}
    </>
  );
}

function Chosen({
  at,
  history,
  stretch,
  shape,
  paper,
}: PartProps & { readonly at: number; readonly paper: Paper }): JSX.Element | null {
  if (at < stretch.from || at > stretch.to) return null;
  const x = shape.xOf(at);
  const value = history.center[at] ?? Number.NaN;
  return (
    <>
      <line class="chosen" x1={x} x2={x} y1={paper.top} y2={paper.height - paper.bottom} />
      {Number.isFinite(value) && <circle class="ring" cx={x} cy={shape.yOf(value)} r="5" />}
    </>
  );
}

function onKey(event: KeyboardEvent, { history, stretch, chosen, onChoose, onStretch }: HistoryChartProps): void {
  const last = history.center.length - 1;
  const next = {
    ArrowLeft: chosen - 1,
    ArrowRight: chosen + 1,
    PageUp: chosen - 10,
    PageDown: chosen + 10,
    Home: stretch.from,
    End: stretch.to,
  }[event.key];
  if (next !== undefined) onChoose(Math.min(stretch.to, Math.max(stretch.from, next)));
  else if (event.key === "+" || event.key === "=") onStretch(zoomed(stretch, chosen, 0.5, last));
  else if (event.key === "-") onStretch(zoomed(stretch, chosen, 2, last));
  else if (event.key === "Escape") onStretch({ from: 0, to: last });
  else return;
  event.preventDefault();
}

/** A stretch of this share of the length, around a point, within all points. */
export function zoomed({ from, to }: Stretch, around: number, share: number, last: number): Stretch {
  const length = Math.min(last, Math.max(4, Math.round((to - from) * share)));
  const start = Math.min(last - length, Math.max(0, Math.round(around - length / 2)));
  return { from: start, to: start + length };
}

interface Drag {
  readonly selection: JSX.Element | null;
  readonly listeners: Readonly<
    Record<"onPointerDown" | "onPointerMove" | "onPointerUp" | "onPointerLeave", (event: PointerEvent) => void>
  >;
}

/** The pointer chooses the nearest point; held down and moved it takes a stretch. */
function useDrag(shape: HistoryShape, { onChoose, onStretch }: HistoryChartProps): Drag {
  const [held, setHeld] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const xOf = (event: MouseEvent): number =>
    event.clientX - ((event.target as SVGElement).ownerSVGElement?.getBoundingClientRect().left ?? 0);
  const end = (): void => {
    if (held !== null && Math.abs(held.to - held.from) > 8) {
      const [from, to] = [shape.pointAt(Math.min(held.from, held.to)), shape.pointAt(Math.max(held.from, held.to))];
      if (to > from) onStretch({ from, to });
    }
    setHeld(null);
  };
  return {
    selection:
      held === null ? null : (
        <rect class="band" x={Math.min(held.from, held.to)} y={0} width={Math.abs(held.to - held.from)} height="100%" />
      ),
    listeners: {
      onPointerDown: (event: PointerEvent) => setHeld({ from: xOf(event), to: xOf(event) }),
      onPointerMove: (event: PointerEvent) => {
        onChoose(shape.pointAt(xOf(event)));
        if (held !== null) setHeld({ from: held.from, to: xOf(event) });
      },
      onPointerUp: end,
      onPointerLeave: end,
    },
  };
}

/** The values along the left. */
function Ticks({ shape, paper, unit }: { shape: HistoryShape; paper: Paper; unit: string }): JSX.Element {
  return (
    <>
      {shape.y.ticks.map((tick) => (
        <g key={tick}>
          <line class="grid" x1={paper.left} x2={paper.width - paper.right} y1={shape.yOf(tick)} y2={shape.yOf(tick)} />
          <text x={paper.left - 8} y={shape.yOf(tick) + 4} text-anchor="end">
            {valueText(tick, unit.length > 6 ? "" : unit)}
          </text>
        </g>
      ))}
    </>
  );
}

interface WhensProps {
  readonly shape: HistoryShape;
  readonly paper: Paper;
  readonly stretch: Stretch;
  readonly whenOf: (point: number) => string;
}

/** When the points were, at a few of them; the first and the last are among these. */
function Whens({ shape, paper, stretch, whenOf }: WhensProps): JSX.Element {
  const steps = Math.max(1, Math.min(stretch.to - stretch.from, Math.floor((paper.width - paper.left) / 180)));
  const points = Array.from({ length: steps + 1 }, (_, i) =>
    Math.round(stretch.from + ((stretch.to - stretch.from) * i) / steps),
  );
  return (
    <>
      {points.map((point, i) => (
        <text
          key={point}
          x={shape.xOf(point)}
          y={paper.height - 4}
          text-anchor={i === 0 ? "start" : i === steps ? "end" : "middle"}
        >
          {whenOf(point)}
        </text>
      ))}
    </>
  );
}
