import type { FlameBlock, TableBlock } from "../../core/figures/figure.ts";
import { type FlameGraph, pathOf } from "../../core/figures/flame-graph.ts";
import { formatUnit } from "../../core/values/unit.ts";
import { flameDifference, type FlameDifferenceOptions } from "./flame-difference.ts";

/** Lists beyond this tell nobody anything. */
const mostRows = 15;
/** Of long paths the inner end is told. */
const shownCalls = 2;

export interface DifferenceLook
  extends
    Pick<FlameBlock, "caption" | "intensity" | "grows" | "minWidth" | "frameHeight" | "width">,
    FlameDifferenceOptions {}

/**
 * How two flame graphs of one form differ, to be drawn: a graph of both and, where there are some, a table of the
 * widest frames that it has no room for since only the other profile has them. Fails like `flameDifference`.
 */
export function differenceBlocks(
  base: FlameGraph,
  target: FlameGraph,
  look: DifferenceLook = {},
): (FlameBlock | TableBlock)[] {
  const { normalised, widths = "target", ...rest } = look;
  const graph = flameDifference(base, target, { widths, ...(normalised === undefined ? {} : { normalised }) });
  const unseen =
    graph.before?.[0] === 0 || graph.after?.[0] === 0
      ? null
      : framesOnlyIn(graph, widths === "target" ? "base" : "target");
  return [{ kind: "flame", graph, ...rest }, ...(unseen === null ? [] : [unseen])];
}

/**
 * The frames of a comparison that are in one of both profiles alone, outermost ones, the greatest first; null where
 * there are none.
 */
function framesOnlyIn(graph: FlameGraph, profile: "base" | "target"): TableBlock | null {
  const { parent, before, after, unit, quantity } = graph;
  const [own, other] = profile === "base" ? [before, after] : [after, before];
  if (own === undefined || other === undefined) return null;
  const isOnly = (frame: number): boolean => own[frame]! > 0 && other[frame] === 0;
  const frames = [...own.keys()].filter((frame) => isOnly(frame) && (frame === 0 || !isOnly(parent[frame]!)));
  if (frames.length === 0) return null;
  const rows = frames.sort((a, b) => own[b]! - own[a]! || a - b).slice(0, mostRows);
  const more = frames.length > rows.length ? `, the greatest ${rows.length} of ${frames.length}` : "";
  return {
    kind: "table",
    caption: `Frames of the ${profile} profile alone${more}`,
    head: [
      { label: `amount [${formatUnit(unit) || quantity}]`, align: "right" },
      { label: "share", align: "right" },
      { label: "frame", align: "left" },
      { label: "called by", align: "left" },
    ],
    rows: rows.map((frame) => [
      numberText(own[frame]!),
      `${((own[frame]! / own[0]!) * 100).toFixed(1)} %`,
      ...placeOf(graph, frame),
    ]),
  };
}

function numberText(amount: number): string {
  return String(Number.isInteger(amount) ? amount : Number(amount.toPrecision(6)));
}

function placeOf(graph: FlameGraph, frame: number): [name: string, callers: string] {
  const path = pathOf(graph, frame);
  const callers = path.slice(0, -1);
  const shown = callers.slice(-shownCalls).join(" > ");
  return [path.at(-1) ?? graph.names[graph.name[0]!]!, callers.length > shownCalls ? `… > ${shown}` : shown];
}
