import type { Axis, Block, Figure, TableColumn, FlameGraph } from "../../core/figures/index.ts";
import { formatUnit } from "../../core/values/index.ts";
import type { Renderer } from "./renderer.ts";

/** A figure as JSON, `perfkeep.figure/2`: its blocks with all numbers; non-finite ones are null. Units are strings. */
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
  return { schema: "perfkeep.figure/2", title: figure.title, blocks: figure.blocks.map(blockOf) };
}

function blockOf(block: Block): object {
  if (block.kind === "surface") {
    const { x, y, z, xs, ys, zs } = block;
    return { ...block, x: axisOf(x), y: axisOf(y), z: axisOf(z), xs: [...xs], ys: [...ys], zs: [...zs] };
  }
  if (block.kind === "flame") {
    const { grows, ...flame } = block;
    return { ...flame, ...(grows === undefined ? {} : { direction: grows }), graph: graphOf(block.graph) };
  }
  if (block.kind === "table") return { ...block, head: block.head.map(headOf) };
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
  const { horizontal, ...chart } = block;
  return {
    ...chart,
    ...(horizontal === undefined ? {} : { horizontal }),
    x: axisOf(block.x),
    y: block.y.map(axisOf),
    series,
  };
}

/** The graph with its columns as arrays. */
function graphOf({ unit, whole, leftOut, ...graph }: FlameGraph): object {
  const columns = Object.entries(graph).map(([name, column]) => [
    name,
    ArrayBuffer.isView(column) ? [...(column as Float64Array)] : column,
  ]);
  return {
    ...Object.fromEntries(columns),
    ...(unit === undefined ? {} : { unit: formatUnit(unit) }),
    ...(whole === undefined ? {} : { profileTotal: whole }),
    ...(leftOut === undefined ? {} : { omitted: leftOut }),
  };
}

function headOf({ whole, spare, ...column }: TableColumn): object {
  return { ...column, ...(whole === true ? { untruncated: true } : {}), ...(spare === true ? { optional: true } : {}) };
}

function axisOf(axis: Axis): object {
  return { ...axis, ...(axis.unit === undefined ? {} : { unit: formatUnit(axis.unit) }) };
}
