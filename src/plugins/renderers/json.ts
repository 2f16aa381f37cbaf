import type { Axis, Block, Figure } from "../../core/figures/figure.ts";
import type { FlameGraph } from "../../core/figures/flame-graph.ts";
import { formatUnit } from "../../core/values/unit.ts";
import type { Renderer } from "./renderer.ts";

/** A figure as JSON, `perfkeep.figure/1`: its blocks with all numbers; non-finite ones are null. Units are strings. */
export const json = Object.freeze<Renderer>({
  kind: "renderer",
  name: "json",
  synopsis: "JSON",
  options: [],
  mediaType: "application/json",
  extension: "json",
  render: async (figure: Figure) => `${JSON.stringify(documentOf(figure), null, 2)}\n`,
});

function documentOf(figure: Figure): object {
  return { schema: "perfkeep.figure/1", title: figure.title, blocks: figure.blocks.map(blockOf) };
}

function blockOf(block: Block): object {
  if (block.kind === "surface") {
    const { x, y, z, xs, ys, zs } = block;
    return { ...block, x: axisOf(x), y: axisOf(y), z: axisOf(z), xs: [...xs], ys: [...ys], zs: [...zs] };
  }
  if (block.kind === "flame") return { ...block, graph: graphOf(block.graph) };
  if (block.kind !== "chart") return block;
  const series = block.series.map(({ label, axis, mark, x, y, low, high }) => ({
    label,
    axis,
    ...(mark === undefined ? {} : { mark }),
    x: [...x],
    y: [...y],
    ...(low === undefined ? {} : { low: [...low] }),
    ...(high === undefined ? {} : { high: [...high] }),
  }));
  return { ...block, x: axisOf(block.x), y: block.y.map(axisOf), series };
}

/** The graph with its columns as arrays. */
function graphOf({ unit, ...graph }: FlameGraph): object {
  const columns = Object.entries(graph).map(([name, column]) => [
    name,
    ArrayBuffer.isView(column) ? [...(column as Float64Array)] : column,
  ]);
  return { ...Object.fromEntries(columns), ...(unit === undefined ? {} : { unit: formatUnit(unit) }) };
}

function axisOf(axis: Axis): object {
  return { ...axis, ...(axis.unit === undefined ? {} : { unit: formatUnit(axis.unit) }) };
}
