import type { FlameBlock, TableBlock, FlameGraph } from "../../../core/figures/index.ts";
import { formatUnit } from "../../../core/values/index.ts";
import { numberCell } from "./chart-table.ts";
import { percent, displayName } from "./flame-words.ts";

/**
 * All frames of a flame graph as a table, with the row of the caller (0: the root) and the amounts, for media without
 * graphics.
 */
export function flameTable({ graph, caption }: FlameBlock): TableBlock {
  const { parent, depth, total, self, before, after } = graph;
  const unit = formatUnit(graph.unit) || graph.quantity;
  const columns = [
    ...(before === undefined || after === undefined
      ? [["total", total] as const]
      : [["before", before] as const, ["after", after] as const]),
    ["self", self] as const,
  ];
  const number = (label: string) => ({ label, align: "right" as const });
  const head = [number("frame"), number("parent"), number("depth"), { label: "name", align: "left" as const }];
  const rows = Array.from(depth, (level, frame) => [
    String(frame),
    parent[frame]! < 0 ? "" : String(parent[frame]),
    String(level),
    graph.names[graph.name[frame]!]!,
    ...columns.map(([, column]) => numberCell(column[frame])),
  ]);
  const all = [...head, ...columns.map(([label]) => number(`${label} [${unit}]`))];
  return { kind: "table", ...(caption === undefined ? {} : { caption }), head: all, rows };
}

/** Width of a frame; in a comparison the larger of both profiles. */
export function frameWidth({ total, before, after }: FlameGraph): (frame: number) => number {
  return before === undefined || after === undefined
    ? (frame) => total[frame]!
    : (frame) => Math.max(before[frame]!, after[frame]!);
}

/**
 * The `count` widest frames of a graph, in its order; of equally wide ones the first. Includes the callers of each
 * frame.
 */
export function widestFrames(graph: FlameGraph, count: number): number[] {
  const widthOf = frameWidth(graph);
  const all = Array.from(graph.total, (_, frame) => frame).filter((frame) => widthOf(frame) > 0);
  return all
    .sort((a, b) => widthOf(b) - widthOf(a) || a - b)
    .slice(0, count)
    .sort((a, b) => a - b);
}

/** Maximum rows of `widestTable`. */
const maxRows = 60;

/** The widest frames as an indented tree with total and self in percent. */
export function widestTable({ graph, caption }: FlameBlock): TableBlock {
  const { depth, total, self, name, names, before, after } = graph;
  const frames = widestFrames(graph, maxRows);
  const compared = before !== undefined && after !== undefined;
  const number = (label: string) => ({ label, align: "right" as const });
  const shares = (frame: number): string[] =>
    compared
      ? [before[frame]! / (before[0]! || 1), after[frame]! / (after[0]! || 1)].map(percent)
      : [total[frame]! / total[0]!, self[frame]! / total[0]!].map(percent);
  const rows = frames.map((frame) => [
    ...shares(frame),
    `${"· ".repeat(Math.min(depth[frame]!, 40))}${displayName(names[name[frame]!]!)}`,
  ]);
  const head = [
    ...(compared ? ["before", "after"] : ["total", "self"]).map(number),
    { label: "frame", align: "left" as const },
  ];
  return { kind: "table", ...(caption === undefined ? {} : { caption }), head, rows };
}
