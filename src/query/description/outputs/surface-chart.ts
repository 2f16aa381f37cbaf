import type { Axis, SurfaceBlock } from "../../../core/figures/figure.ts";
import type { VectorColumn } from "../vector.ts";
import { axisText, noPicture, numberOf } from "./curves.ts";
import { Categories, isMeasured } from "./categories.ts";
import { seriesTitle } from "./series-title.ts";
import type { ShownVector } from "./shown-vector.ts";
import { surfacesIn, type Surface } from "./surfaces.ts";
import type { Shown } from "./target.ts";

/** Which axes are logarithmic. */
export type Logarithmic = (axis: "x" | "y" | "z") => boolean;

/**
 * Each result of each input as a surface over its first two parameters, which may come in any order. Fails with
 * `query-not-possible` for two heights at one place.
 */
export function surfaceCharts(
  inputs: readonly ShownVector[],
  shared: readonly string[],
  shown: Shown,
  isLog: Logarithmic,
): SurfaceBlock[] {
  const surfaces = inputs.flatMap((input) => surfacesIn(input, shown));
  return surfaces.map((surface) => {
    const caption = seriesTitle(surface.input, surface.z.display, shared);
    return { ...(surfaces.length > 1 || caption !== "" ? { caption } : {}), ...blockOf(surface, shown, isLog) };
  });
}

function blockOf(surface: Surface, shown: Shown, isLog: Logarithmic): SurfaceBlock {
  const { input, z } = surface;
  const { length } = input.vector;
  const [x, y] = (["x", "y"] as const).map((axis) => alongAxis(surface, axis, isLog)) as [Along, Along];
  const zs = new Float64Array(x.places.length * y.places.length).fill(Number.NaN);
  const [columns, rows] = [x, y].map(({ places }) => new Map([...places].map((place, at) => [place, at])));
  const taken = new Set<number>();
  for (let row = 0; row < length; row++) {
    const [i, j] = [columns?.get(x.at(row)), rows?.get(y.at(row))];
    if (i === undefined || j === undefined) continue;
    const place = j * x.places.length + i;
    if (taken.has(place))
      throw noPicture(
        shown,
        `input '${input.vector.origin}' has two heights at one place: group its rows by an operator`,
      );
    taken.add(place);
    zs[place] = numberOf(z, row);
  }
  const heights = axisOf(z, isLog("z") ? "log" : "linear", input.attributes.get("axislabel"));
  return { kind: "surface", x: x.axis, y: y.axis, z: heights, xs: x.places, ys: y.places, zs };
}

interface Along {
  readonly axis: Axis;
  readonly places: Float64Array;
  at(row: number): number;
}

function alongAxis({ input, ...columns }: Surface, which: "x" | "y", isLog: Logarithmic): Along {
  const column = columns[which];
  const categories = isMeasured(column.variable.type) ? undefined : new Categories([[input, column]]);
  const at = (row: number): number => categories?.at(column, row) ?? numberOf(column, row);
  const found = new Set(Array.from({ length: input.vector.length }, (_, row) => at(row)).filter(Number.isFinite));
  const axis = axisOf(column, isLog(which) ? "log" : "linear");
  const named: Axis = categories === undefined ? axis : { ...axis, scale: "category", categories: categories.names };
  return { axis: named, places: Float64Array.from(found).sort(), at };
}

function axisOf(column: VectorColumn, scale: "linear" | "log", label = axisText(column)): Axis {
  const { unit } = column.variable;
  return { label, ...(unit === undefined ? {} : { unit }), scale };
}
