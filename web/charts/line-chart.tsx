import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { ChartPoint } from "../model/chart-data.ts";
import type { PointRange } from "../model/chart-state.ts";
import type { History } from "../model/series-lines.ts";
import { useWidth } from "../parts/element-width.ts";
import { NameMarks, type PartProps, type PointMark, TimeLabels, ValueLabels } from "./chart-axes.tsx";
import { useGestures } from "./chart-gestures.ts";
import { type DrawnLine, measuredNear, onKey } from "./chart-keys.ts";
import { type HistoryShape, historyShape, type Paper, type ShapeOptions } from "./history-shape.ts";

interface LineChartProps extends ShapeOptions {
  /** Parallel histories. */
  readonly lines: readonly DrawnLine[];
  readonly label: string;
  readonly range: PointRange;
  readonly selected: ChartPoint;
  /** Description of the selected point for screen readers. */
  readonly selectedText: string;
  readonly pins: readonly ChartPoint[];
  /** Points whose values are drawn as levels across the chart. */
  readonly levels: readonly number[];
  /** Named points, such as releases. */
  readonly marks: readonly PointMark[];
  readonly tickText: (value: number) => string;
  /** Time label of a point; empty if unknown. */
  readonly timeOf: (point: number) => string;
  /** `isFinal`: by the keyboard; otherwise the pointer is over the point. */
  readonly onSelect: (point: ChartPoint, isFinal: boolean) => void;
  readonly onKeep: (point: ChartPoint) => void;
  readonly onRange: (range: PointRange) => void;
}

const colorCount = 7;
/** Distinguishes more series than colours; both repeat with different periods. */
const dashes = ["", "6 3", "2 3", "8 3 2 3"];

export const colorClass = (at: number): string => `line color-${at % colorCount}`;
export const dashOf = (at: number): string => dashes[Math.floor(at / colorCount) % dashes.length] ?? "";

/**
 * Series over commits; a single one with the band of measured values and its change points. The pointer or the arrow
 * keys select a point, a click or Enter keeps it; dragging, + and - zoom; Shift with arrow keys pans; Escape shows all.
 */
export function LineChart(props: LineChartProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 900);
  const { lines, range, selected } = props;
  const histories = lines.map(({ history }) => history);
  const paper: Paper = { width, height: width < 600 ? 240 : 320, left: 64, right: 16, top: 14, bottom: 34 };
  const shape = historyShape(histories, range, paper, props);
  const { held, listeners } = useGestures({
    shape,
    paper,
    range,
    last: lastOf(props),
    onRange: props.onRange,
    onHover: (x, y) => props.onSelect(nearest(props, shape, x, y), false),
    onClick: (x, y) => props.onKeep(nearest(props, shape, x, y)),
  });
  return (
    <div
      class={props.hasBand === true ? "history" : "history overlay"}
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={`${props.label}: arrow keys move between points, Enter pins, plus and minus zoom`}
      aria-valuemin={range.from + 1}
      aria-valuemax={range.to + 1}
      aria-valuenow={selected.slot + 1}
      aria-valuetext={props.selectedText}
      onKeyDown={(event) => onKey(event, props)}
    >
      <svg viewBox={`0 0 ${width} ${paper.height}`} height={paper.height} aria-hidden="true">
        <ValueLabels shape={shape} paper={paper} tickText={props.tickText} />
        <TimeLabels {...props} shape={shape} paper={paper} />
        <NameMarks marks={props.marks} range={range} shape={shape} paper={paper} />
        <Lines {...props} shape={shape} paper={paper} />
        {props.hasBand === true && <ChangeMarks history={histories[0]!} range={range} shape={shape} paper={paper} />}
        <Marks {...props} shape={shape} paper={paper} />
        {held !== null && (
          <rect class="band" x={Math.min(...held)} y={0} width={Math.abs(held[1] - held[0])} height="100%" />
        )}
        <rect
          class="frame"
          x={paper.left}
          y={0}
          width={Math.max(1, width - paper.left - paper.right)}
          height={paper.height}
          {...listeners}
        />
      </svg>
    </div>
  );
}

const lastOf = ({ lines }: Pick<LineChartProps, "lines">): number => (lines[0]?.history.center.length ?? 1) - 1;

/** The point nearest to a position: of one series by its horizontal position only. */
function nearest({ lines, range }: LineChartProps, shape: HistoryShape, x: number, y: number): ChartPoint {
  const slot = shape.pointAt(x);
  const [first] = lines;
  if (lines.length < 2) return { line: first?.at ?? 0, slot };
  let [best, distance] = [{ line: first?.at ?? 0, slot }, Number.POSITIVE_INFINITY];
  for (const { at, history } of lines) {
    const own = measuredNear(history, slot, range);
    const away = Math.hypot(shape.xOf(own) - x, shape.yOf(history.center[own] ?? Number.NaN) - y);
    if (away < distance) [best, distance] = [{ line: at, slot: own }, away];
  }
  return best;
}

/** The lines of the series; points are marked if there is enough room between them. */
function Lines({ lines, range, levels, hasBand, shape, paper }: LineChartProps & PartProps): JSX.Element {
  const [only] = hasBand === true ? lines : [];
  const isRoomy = range.to - range.from + 1 <= paper.width / 5;
  const points = !isRoomy ? [] : Array.from({ length: range.to - range.from + 1 }, (_, i) => range.from + i);
  return (
    <>
      <path class="band" d={shape.band} />
      {levels.map((point) => {
        const y = shape.yOf(only?.history.center[point] ?? Number.NaN);
        return <line key={point} class="level" x1={paper.left} x2={paper.width - paper.right} y1={y} y2={y} />;
      })}
      {lines.map(({ at, history }, i) => (
        <g key={at} class={only === undefined ? colorClass(at) : ""}>
          <path
            class={only === undefined ? "line" : "median"}
            stroke-dasharray={only === undefined ? dashOf(at) : ""}
            d={shape.medians[i]}
          />
          {points
            .filter((point) => Number.isFinite(history.center[point]))
            .map((point) => (
              <circle
                key={point}
                class="dot"
                cx={shape.xOf(point)}
                cy={shape.yOf(history.center[point] ?? 0)}
                r="2.2"
              />
            ))}
        </g>
      ))}
    </>
  );
}

interface ChangeMarksProps extends PartProps {
  readonly history: History;
  readonly range: PointRange;
}

function ChangeMarks({ history, range, shape, paper }: ChangeMarksProps): JSX.Element {
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

/** The selected point, and the pinned ones with their numbers in the list of pins. */
function Marks({ lines, range, selected, pins, shape, paper }: LineChartProps & PartProps): JSX.Element {
  const spotOf = ({ line, slot }: ChartPoint): { readonly x: number; readonly y: number } | undefined => {
    const value = lines.find(({ at }) => at === line)?.history.center[slot] ?? Number.NaN;
    if (slot < range.from || slot > range.to || !Number.isFinite(value)) return undefined;
    return { x: shape.xOf(slot), y: shape.yOf(value) };
  };
  const spot = spotOf(selected);
  return (
    <>
      {spot !== undefined && (
        <g class="selected">
          <line class="chosen" x1={spot.x} x2={spot.x} y1={paper.top} y2={paper.height - paper.bottom} />
          <circle class="ring" cx={spot.x} cy={spot.y} r="5" />
        </g>
      )}
      {pins.map((pin, i) => {
        const at = spotOf(pin);
        return at === undefined ? null : (
          <g key={`${pin.line}@${pin.slot}`} class="pin">
            <circle cx={at.x} cy={at.y} r="8" />
            <text x={at.x} y={at.y + 4} text-anchor="middle">
              {i + 1}
            </text>
          </g>
        );
      })}
    </>
  );
}
