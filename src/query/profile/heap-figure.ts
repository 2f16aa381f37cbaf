import type { Axis, Block, SurfaceBlock } from "../../core/figures/index.ts";
import { counted } from "../../core/text/index.ts";
import { parseUnit } from "../../core/values/index.ts";
import type { HeapGrid } from "./heap-grid.ts";

const bytes = parseUnit("Byte");
const alongSnapshots: Axis = { label: "snapshot", scale: "linear" };

/** The cells of a grid, empty where nothing is allocated. */
export function gridBlock(grid: HeapGrid, cells: Float64Array, z: Axis, caption: string): SurfaceBlock {
  const categories = Array.from(grid.addresses, (address) => `0x${address.toString(16)}`);
  return {
    kind: "surface",
    flat: true,
    caption,
    x: alongSnapshots,
    y: { label: "address", scale: "category", categories },
    z,
    xs: grid.snapshots,
    ys: Float64Array.from(categories.keys()),
    zs: cells.map((cell) => (cell > 0 ? cell : Number.NaN)),
  };
}

/** An area chart of the bytes in use. */
export function totalBlock({ snapshots, total }: HeapGrid): Block {
  const series = [{ label: "in use", axis: 0 as const, x: snapshots, y: total }];
  return {
    kind: "chart",
    caption: "total in use",
    mark: "area",
    x: alongSnapshots,
    y: [{ label: "in use", scale: "linear", unit: bytes }],
    series,
  };
}

/** Describes the resolution of the grid. */
export function gridNote({ addresses, step, snapshots }: HeapGrid): string {
  const gaps = addresses.filter((address, at) => at > 0 && address !== addresses[at - 1]! + step).length;
  const width = (snapshots[1] ?? 0) - (snapshots[0] ?? 0);
  const notes = [
    `a row is ${step} Byte of addresses${gaps === 0 ? "" : `, ${counted(gaps, "gap")} of unused addresses omitted`}`,
    ...(width > 1 ? [`a column is ${width} snapshots`] : []),
  ];
  return notes.join("; ");
}

export function processCaption(process: string, words: string): string {
  return process === "" ? words : `${words}, process ${process}`;
}

export const inBytes: Axis = { label: "in use", scale: "linear", unit: bytes };
