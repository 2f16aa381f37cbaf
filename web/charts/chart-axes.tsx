import type { JSX } from "preact";
import type { PointRange } from "../model/chart-state.ts";
import { shown } from "../parts/text.tsx";
import type { HistoryShape, Paper } from "./history-shape.ts";

/** A point with a name. */
export interface PointMark {
  readonly point: number;
  readonly name: string;
}

/** A part of a chart. */
export interface PartProps {
  readonly shape: HistoryShape;
  readonly paper: Paper;
}

interface NameMarksProps extends PartProps {
  readonly marks: readonly PointMark[];
  readonly range: PointRange;
}

/** Vertical lines with the names of points; a name without room is left out. */
export function NameMarks({ marks, range, shape, paper }: NameMarksProps): JSX.Element {
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

interface ValueLabelsProps extends PartProps {
  readonly tickText: (value: number) => string;
}

/** Labels of the value axis. */
export function ValueLabels({ shape, paper, tickText }: ValueLabelsProps): JSX.Element {
  return (
    <>
      {shape.y.ticks.map((tick) => (
        <g key={tick}>
          <line class="grid" x1={paper.left} x2={paper.width - paper.right} y1={shape.yOf(tick)} y2={shape.yOf(tick)} />
          <text x={paper.left - 8} y={shape.yOf(tick) + 4} text-anchor="end">
            {tickText(tick)}
          </text>
        </g>
      ))}
    </>
  );
}

interface TimeLabelsProps extends PartProps {
  readonly range: PointRange;
  /** Time label of a point; empty if unknown. */
  readonly timeOf: (point: number) => string;
}

/** Labels of the time axis, including the first and the last point; those without room are left out. */
export function TimeLabels({ shape, paper, range, timeOf }: TimeLabelsProps): JSX.Element {
  const steps = Math.max(1, Math.min(range.to - range.from, Math.floor((paper.width - paper.left) / 180)));
  const [left, right] = [paper.left, paper.width - paper.right];
  const points = Array.from({ length: steps + 1 }, (_, i) => shape.pointAt(left + ((right - left) * i) / steps));
  const apart = 90;
  const roomy = [...new Set(points)].filter((point, i, all) => {
    const x = shape.xOf(point);
    return i === 0 || i === all.length - 1 || (x - shape.xOf(all[0]!) > apart && shape.xOf(all.at(-1)!) - x > apart);
  });
  return (
    <>
      {roomy.map((point, i) => (
        <text
          key={point}
          x={shape.xOf(point)}
          y={paper.height - 4}
          text-anchor={i === 0 ? "start" : i === roomy.length - 1 ? "end" : "middle"}
        >
          {timeOf(point)}
        </text>
      ))}
    </>
  );
}
