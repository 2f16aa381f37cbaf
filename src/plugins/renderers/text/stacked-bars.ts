import { type ChartBlock, drawablePoints } from "../../../core/figure.ts";
import { isStacked, stackedChart } from "../../../core/stacked-chart.ts";
import type { Scale } from "../../../math/scale.ts";
import { symbolOf } from "./legend.ts";
import type { Style } from "./style.ts";

/** What stands in a line of a category of stacked bars. */
export interface StackedBar {
  readonly bar: string;
  /** The ends of the stack: what is above zero, and what is below. */
  readonly ends: readonly number[];
}

/** The stack of each category as a line of `columns` cells, the pieces of its series one behind the other; nothing where there is none. */
export function stackedBars(
  chart: ChartBlock,
  scale: Scale,
  columns: number,
  style: Style,
): ReadonlyMap<number, StackedBar> {
  const upon = stackedChart(chart).series;
  const cell = (value: number): number => Math.min(columns, Math.max(0, Math.round(scale.at(value) * columns)));
  const stacks = new Map<number, { owners: number[]; up: number; down: number }>();
  for (const [i, series] of [...upon.entries()].toReversed()) {
    if (!isStacked(chart, series)) continue;
    for (const { x, y } of drawablePoints(chart, series)) {
      const stack = stacks.get(x) ?? { owners: Array.from<number>({ length: columns }).fill(-1), up: 0, down: 0 };
      stacks.set(x, stack);
      stack.owners.fill(i, Math.min(cell(0), cell(y)), Math.max(cell(0), cell(y)));
      [stack.up, stack.down] = [Math.max(stack.up, y), Math.min(stack.down, y)];
    }
  }
  return new Map(
    [...stacks].map(([x, { owners, up, down }]) => {
      const ends = [...(up > 0 || down === 0 ? [up] : []), ...(down < 0 ? [down] : [])];
      return [x, { bar: pieces(owners, chart, style), ends }];
    }),
  );
}

/** Neighbouring cells of one series are painted together. */
function pieces(owners: readonly number[], chart: ChartBlock, style: Style): string {
  let bar = "";
  for (let start = 0; start < owners.length;) {
    let end = start + 1;
    while (end < owners.length && owners[end] === owners[start]) end += 1;
    const owner = owners[start] ?? -1;
    bar += owner < 0 ? " ".repeat(end - start) : style.paint(symbolOf(chart, owner, style).repeat(end - start), owner);
    start = end;
  }
  return bar;
}
