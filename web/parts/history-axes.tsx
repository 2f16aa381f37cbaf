import type { JSX } from "preact";
import type { HistoryShape, Paper, Stretch } from "../history-shape.ts";
import { valueText } from "../numbers.ts";

/** The values along the left. */
export function Ticks({ shape, paper, unit }: { shape: HistoryShape; paper: Paper; unit: string }): JSX.Element {
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
export function Whens({ shape, paper, stretch, whenOf }: WhensProps): JSX.Element {
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
