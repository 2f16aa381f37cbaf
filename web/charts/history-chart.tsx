import { type HistoryShape, historyShape, type Paper, type PointRange } from "./history-shape.ts";
import { valueText } from "../model/number-text.ts";
import type { History } from "../model/series-lines.ts";
import { useWidth } from "../parts/element-width.ts";
import { shown } from "../parts/text.tsx";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";

/** A point with a name. */
export interface PointMark {
  readonly point: number;
  readonly name: string;
}

interface HistoryChartProps {
  readonly history: History;
  readonly unit: string;
  readonly label: string;
  readonly range: PointRange;
  readonly selected: number;
  /** Description of the selected point for screen readers. */
  readonly selectedText: string;
  /** Points whose values are drawn as levels across the chart. */
  readonly levels?: readonly number[];
  /** Named points, such as releases. */
  readonly marks?: readonly PointMark[];
  /** Time label of a point; empty if unknown. */
  readonly timeOf: (point: number) => string;
  readonly onSelect: (point: number) => void;
  readonly onRange: (range: PointRange) => void;
}

/**
 * Medians over commits with the band of measured values and the change points. The pointer or the arrow keys select a
 * point; dragging or + and - zoom; Escape resets the zoom.
 */
export function HistoryChart(props: HistoryChartProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 900);
  const { history, range, selected, unit } = props;
  const paper: Paper = { width, height: width < 600 ? 240 : 320, left: 64, right: 16, top: 14, bottom: 34 };
  const shape = historyShape(history, range, paper);
  const drag = useDrag(shape, props);
  return (
    <div
      class="history"
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={`${props.label}: arrow keys move between points, plus and minus zoom`}
      aria-valuemin={range.from + 1}
      aria-valuemax={range.to + 1}
      aria-valuenow={selected + 1}
      aria-valuetext={props.selectedText}
      onKeyDown={(event) => onKey(event, props)}
    >
      <svg viewBox={`0 0 ${width} ${paper.height}`} height={paper.height} aria-hidden="true">
        <ValueLabels shape={shape} paper={paper} unit={unit} />
        <TimeLabels shape={shape} paper={paper} range={range} timeOf={props.timeOf} />
        <NameMarks marks={props.marks ?? []} range={range} shape={shape} paper={paper} />
        <path class="band" d={shape.band} />
        <Levels points={props.levels ?? []} history={history} shape={shape} paper={paper} />
        <path class="median" d={shape.median} />
        <PointMarks history={history} range={range} shape={shape} width={width} />
        <ChangeMarks history={history} range={range} shape={shape} paper={paper} />
        <SelectedMark at={selected} history={history} range={range} shape={shape} paper={paper} />
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
  readonly range: PointRange;
  readonly shape: HistoryShape;
}

/** Points are marked if there is enough room between them. */
function PointMarks({ history, range, shape, width }: PartProps & { readonly width: number }): JSX.Element | null {
  const count = range.to - range.from + 1;
  if (count > width / 5) return null;
  const points = Array.from({ length: count }, (_, i) => range.from + i).filter((point) =>
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

function ChangeMarks({ history, range, shape, paper }: PartProps & { readonly paper: Paper }): JSX.Element {
  const seen = history.changes.filter((point) => point >= range.from && point <= range.to);
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

interface LevelsProps extends Omit<PartProps, "range"> {
  readonly points: readonly number[];
  readonly paper: Paper;
}

/** Horizontal lines at the values of points. */
function Levels({ points, history, shape, paper }: LevelsProps): JSX.Element {
  return (
    <>
      {points.map((point) => {
        const y = shape.yOf(history.center[point] ?? Number.NaN);
        return <line key={point} class="level" x1={paper.left} x2={paper.width - paper.right} y1={y} y2={y} />;
      })}
    </>
  );
}

interface NameMarksProps extends Pick<PartProps, "range" | "shape"> {
  readonly marks: readonly PointMark[];
  readonly paper: Paper;
}

/** Vertical lines with the names of points; a name without room is left out. */
function NameMarks({ marks, range, shape, paper }: NameMarksProps): JSX.Element {
  let free = 0;
  return (
    <>
      {marks
        .filter(({ point }) => point >= range.from && point <= range.to)
        .map(({ point, name }) => {
          const x = shape.xOf(point);
          const text = shown(name).slice(0, 16);
          const hasRoom = x >= free && x + 7 * text.length <= paper.width;
          if (hasRoom) free = x + 7 * text.length + 6;
          return (
            <g key={`${point} ${name}`} class="release">
              <line x1={x} x2={x} y1={paper.top} y2={paper.height - paper.bottom} />
              {hasRoom && (
                <text x={x + 3} y={paper.top + 8}>
                  {text}
                </text>
              )}
            </g>
          );
        })}
    </>
  );
}

function SelectedMark({
  at,
  history,
  range,
  shape,
  paper,
}: PartProps & { readonly at: number; readonly paper: Paper }): JSX.Element | null {
  if (at < range.from || at > range.to) return null;
  const x = shape.xOf(at);
  const value = history.center[at] ?? Number.NaN;
  return (
    <>
      <line class="chosen" x1={x} x2={x} y1={paper.top} y2={paper.height - paper.bottom} />
      {Number.isFinite(value) && <circle class="ring" cx={x} cy={shape.yOf(value)} r="5" />}
    </>
  );
}

function onKey(event: KeyboardEvent, { history, range, selected, onSelect, onRange }: HistoryChartProps): void {
  const last = history.center.length - 1;
  const next = {
    ArrowLeft: selected - 1,
    ArrowRight: selected + 1,
    PageUp: selected - 10,
    PageDown: selected + 10,
    Home: range.from,
    End: range.to,
  }[event.key];
  if (next !== undefined) onSelect(Math.min(range.to, Math.max(range.from, next)));
  else if (event.key === "+" || event.key === "=") onRange(zoomed(range, selected, 0.5, last));
  else if (event.key === "-") onRange(zoomed(range, selected, 2, last));
  else if (event.key === "Escape") onRange({ from: 0, to: last });
  else return;
  event.preventDefault();
}

/** A range around a point, `share` times as long as the given one, clamped to all points. */
export function zoomed({ from, to }: PointRange, around: number, share: number, last: number): PointRange {
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

/** Moving the pointer selects the nearest point; dragging selects a range. */
function useDrag(shape: HistoryShape, { onSelect, onRange }: HistoryChartProps): Drag {
  const [held, setHeld] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const xOf = (event: MouseEvent): number =>
    event.clientX - ((event.target as SVGElement).ownerSVGElement?.getBoundingClientRect().left ?? 0);
  const end = (): void => {
    if (held !== null && Math.abs(held.to - held.from) > 8) {
      const [from, to] = [shape.pointAt(Math.min(held.from, held.to)), shape.pointAt(Math.max(held.from, held.to))];
      if (to > from) onRange({ from, to });
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
        onSelect(shape.pointAt(xOf(event)));
        if (held !== null) setHeld({ from: held.from, to: xOf(event) });
      },
      onPointerUp: end,
      onPointerLeave: end,
    },
  };
}

/** Labels of the value axis. */
function ValueLabels({ shape, paper, unit }: { shape: HistoryShape; paper: Paper; unit: string }): JSX.Element {
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

interface TimeLabelsProps {
  readonly shape: HistoryShape;
  readonly paper: Paper;
  readonly range: PointRange;
  readonly timeOf: (point: number) => string;
}

/** Labels of the time axis, including the first and the last point. */
function TimeLabels({ shape, paper, range, timeOf }: TimeLabelsProps): JSX.Element {
  const steps = Math.max(1, Math.min(range.to - range.from, Math.floor((paper.width - paper.left) / 180)));
  const points = Array.from({ length: steps + 1 }, (_, i) =>
    Math.round(range.from + ((range.to - range.from) * i) / steps),
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
          {timeOf(point)}
        </text>
      ))}
    </>
  );
}
