import type { Axis, ChartBlock, ChartSeries, Figure, SurfaceBlock } from "../../../core/figures/index.ts";
import { displayText } from "../display-text.ts";
import { compareInColumn, parametersOf, pick, valueOf, type VectorColumn } from "../vector.ts";
import { Categories, isInstant, isMeasured, positionOf } from "./categories.ts";
import { axisText, curvesOf, noPicture, numberOf, type Curve } from "./curves.ts";
import { plotTitle, seriesTitle, sharedTitleLabels } from "./series-title.ts";
import { filledOf, type ShownVector } from "./shown-vector.ts";
import { surfacesIn, type Surface } from "./surfaces.ts";
import type { Page, Shown, Target } from "./target.ts";

/** Charts by our renderers: images, HTML and terminal. */
export const svg = chartTarget("svg", "svg", true);
export const png = chartTarget("png", "png", false);
export const html = chartTarget("html", "html", true);
export const text = chartTarget("text", "txt", true);

function chartTarget(name: string, extension: string, printable: boolean): Target {
  return {
    name,
    extension,
    joins: false,
    printable,
    show(shown) {
      return { kind: "figure", figure: figureOf(shown), renderer: name };
    },
  };
}

/** A single page has no caption; several pages have one each. */
function figureOf(shown: Shown): Figure {
  if (dimensionsOf(shown) === 3) return surfaceFigure(shown);
  const charts = shown.pages.map((page) => chartOf(page, shown));
  const [only] = charts;
  if (charts.length === 1 && only !== undefined) return { title: only.title, blocks: [only.block] };
  return {
    title: shown.element.attributes.get("title") ?? "",
    blocks: charts.map(({ title, block }) => ({ ...block, caption: title })),
  };
}

function surfaceFigure(shown: Shown): Figure {
  const blocks = shown.pages.flatMap(({ inputs }) => {
    const shared = sharedTitleLabels(inputs);
    return surfaceCharts(filledOf(inputs), shared, shown, (axis) => isLog(axis, shown));
  });
  const [page, ...more] = shown.pages;
  const title =
    page === undefined || more.length > 0
      ? shown.element.attributes.get("title")
      : plotTitle(shown.element, sharedTitleLabels(page.inputs));
  return { title: title ?? "", blocks };
}

function dimensionsOf(shown: Shown): 2 | 3 {
  const dimensions = shown.element.attributes.get("dimensions") ?? "2";
  if (dimensions === "2" || dimensions === "3") return dimensions === "2" ? 2 : 3;
  throw noPicture(shown, `dimensions '${dimensions.slice(0, 20)}' are neither 2 nor 3`);
}

const marks: Readonly<Record<string, ChartBlock["mark"]>> = {
  graphs: "line",
  points: "points",
  boxes: "bars",
  bars: "bars",
  steps: "steps",
};

function chartOf({ inputs }: Page, shown: Shown): { readonly title: string; readonly block: ChartBlock } {
  const curves = curvesOf(byParameters(filledOf(inputs)), shown);
  const [first] = curves;
  const mark = markOf(curves, shown);
  const named = mark === "bars" || !haveSizes(curves.map(({ x }) => x));
  const categories = named ? new Categories(curves.map(({ input, x }) => [input, x])) : undefined;
  const shared = sharedTitleLabels(inputs);
  const titles = titlesOf(curves, shared);
  const series = curves.map((curve, at) => seriesOf(curve, titles[at] ?? "", categories));
  const second = curves.find(({ axis }) => axis === 1);
  const y: ChartBlock["y"] =
    second === undefined ? [yAxis(first, "y", shown)] : [yAxis(first, "y", shown), yAxis(second, "y2", shown)];
  return {
    title: plotTitle(shown.element, shared),
    block: { kind: "chart", mark, x: xAxis(first, categories, shown), y, series },
  };
}

/** Whether all parameters have positions on one axis: all are numbers, or instants of one type. */
function haveSizes(columns: readonly (VectorColumn | undefined)[]): boolean {
  const types = columns.map((column) => column?.variable.type);
  return (
    types.every((type) => type !== undefined && isMeasured(type)) ||
    (types[0] !== undefined && isInstant(types[0]) && types.every((type) => type === types[0]))
  );
}

/**
 * An input for each combination of the parameters after the first, with labels that name them: a picture has the first
 * one along its axis, and rows that differ in others are different curves. The order is that of the values.
 */
function byParameters(inputs: readonly ShownVector[]): readonly ShownVector[] {
  return inputs.flatMap((input) => {
    const others = parametersOf(input.vector).slice(1);
    const groups = new Map<string, number[]>();
    for (let row = 0; row < input.vector.length; row++) {
      const key = JSON.stringify(others.map((column) => textAt(column, row)));
      const rows = groups.get(key);
      if (rows === undefined) groups.set(key, [row]);
      else rows.push(row);
    }
    if (groups.size < 2) return [input];
    const varying = others.filter((column) => {
      const first = textAt(column, 0);
      return [...groups.values()].some(([row]) => textAt(column, row ?? 0) !== first);
    });
    return [...groups.values()]
      .sort(([a = 0], [b = 0]) => orderOf(varying, a, b))
      .map((rows) => curveOf(input, rows, varying));
  });
}

function orderOf(columns: readonly VectorColumn[], a: number, b: number): number {
  for (const column of columns) {
    const order = compareInColumn(column, valueOf(column, a), valueOf(column, b));
    if (order !== 0) return order;
  }
  return 0;
}

function curveOf(input: ShownVector, rows: readonly number[], varying: readonly VectorColumn[]): ShownVector {
  const own = varying.map((column) => ({
    text: `${column.display} = ${textAt(column, rows[0] ?? 0)}`,
    titleOnly: false,
  }));
  const vector = pick(input.vector, rows);
  return { ...input, vector: { ...vector, labels: [...vector.labels, ...own] } };
}

function textAt(column: VectorColumn, row: number): string {
  return displayText(valueOf(column, row), column.variable.type);
}

/** Points only if every curve requests them. */
function markOf(curves: readonly Curve[], { element, ...shown }: Shown): ChartBlock["mark"] {
  const type = element.attributes.get("type") ?? "graphs";
  const mark = Object.hasOwn(marks, type) ? marks[type] : undefined;
  if (mark === undefined)
    throw noPicture(
      { element, ...shown },
      `there is no type '${type.slice(0, 40)}' (types are ${Object.keys(marks).join(", ")})`,
    );
  const styles = curves.map(({ input }) => input.attributes.get("style") ?? element.attributes.get("style"));
  return mark === "line" && styles.every((style) => style === "points") ? "points" : mark;
}

/** Distinguishes curves of the same title by their results, then by their last label. */
function titlesOf(curves: readonly Curve[], shared: readonly string[]): string[] {
  const titles = curves.map(({ input, y }) => seriesTitle(input, y.display, shared));
  const byResult = distinguished(titles, (at) => curves[at]?.y.display ?? "");
  return distinguished(byResult, (at) => curves[at]?.input.vector.labels.at(-1)?.text ?? "");
}

function distinguished(titles: readonly string[], wordOf: (at: number) => string): string[] {
  return titles.map((title, at) => {
    const isUnique = titles.indexOf(title) === titles.lastIndexOf(title) || title.startsWith(wordOf(at));
    return isUnique ? title : `${wordOf(at)} ${title}`.trim();
  });
}

function seriesOf(
  { input, x, y, errors, axis }: Curve,
  label: string,
  categories: Categories | undefined,
): ChartSeries {
  const { length } = input.vector;
  const each = (value: (row: number) => number): Float64Array => Float64Array.from({ length }, (_, row) => value(row));
  const position = (row: number): number =>
    categories === undefined && x !== undefined ? positionOf(x, row) : (categories?.at(x, row) ?? row);
  const height = (row: number): number => numberOf(y, row);
  const [one, two] = errors;
  const series = { label, axis, x: each(position), y: each(height) };
  if (one === undefined) return series;
  const low = (row: number): number => (two === undefined ? height(row) - numberOf(one, row) : numberOf(one, row));
  const high = (row: number): number => (two === undefined ? height(row) + numberOf(one, row) : numberOf(two, row));
  return { ...series, low: each(low), high: each(high) };
}

function xAxis({ x }: Curve, categories: Categories | undefined, shown: Shown): Axis {
  const label = x === undefined ? "" : axisText(x);
  const unit = x?.variable.unit === undefined ? {} : { unit: x.variable.unit };
  if (categories !== undefined) return { label, ...unit, scale: "category", categories: categories.names };
  return { label, ...unit, scale: scaleOf(x, isLog("x", shown)) };
}

/** Instants have no logarithm. */
function scaleOf(column: VectorColumn | undefined, isLogarithmic: boolean): Axis["scale"] {
  const type = column?.variable.type;
  if (type === "date" || type === "timestamp") return type === "date" ? "date" : "time";
  return isLogarithmic ? "log" : "linear";
}

function yAxis({ input, y }: Curve, axis: "y" | "y2", shown: Shown): Axis {
  const label = input.attributes.get("axislabel") ?? axisText(y);
  return {
    label,
    ...(y.variable.unit === undefined ? {} : { unit: y.variable.unit }),
    scale: isLog(axis, shown) ? "log" : "linear",
  };
}

/**
 * Whether an axis is logarithmic. Of gnuplot's options only `logscale` is supported, for all axes or the named ones.
 */
function isLog(axis: "x" | "y" | "y2" | "z", { element }: Shown): boolean {
  return element.options.some((option) => {
    const [word, axes] = option.trim().split(/\s+/);
    return (
      word === "logscale" &&
      (axes === undefined || /^\d/.test(axes) || [...axes.matchAll(/[xyz]2?|cb/g)].some(([each]) => each === axis))
    );
  });
}

/** Whether an axis is logarithmic. */
type Logarithmic = (axis: "x" | "y" | "z") => boolean;

/**
 * Each result of each input as a surface over its first two parameters, in any row order. Fails with
 * `query-not-possible` for two heights at one point.
 */
function surfaceCharts(
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
  const zs = new Float64Array(x.positions.length * y.positions.length).fill(Number.NaN);
  const [columns, rows] = [x, y].map(({ positions }) => new Map([...positions].map((position, at) => [position, at])));
  const used = new Set<number>();
  for (let row = 0; row < length; row++) {
    const [i, j] = [columns?.get(x.at(row)), rows?.get(y.at(row))];
    if (i === undefined || j === undefined) continue;
    const position = j * x.positions.length + i;
    if (used.has(position))
      throw noPicture(
        shown,
        `input '${input.vector.origin}' has two heights at one point: group its rows by an operator`,
      );
    used.add(position);
    zs[position] = numberOf(z, row);
  }
  const heights = axisOf(z, isLog("z") ? "log" : "linear", input.attributes.get("axislabel"));
  return { kind: "surface", x: x.axis, y: y.axis, z: heights, xs: x.positions, ys: y.positions, zs };
}

interface Along {
  readonly axis: Axis;
  readonly positions: Float64Array;
  at(row: number): number;
}

function alongAxis({ input, ...columns }: Surface, which: "x" | "y", isLog: Logarithmic): Along {
  const column = columns[which];
  const categories = isMeasured(column.variable.type) ? undefined : new Categories([[input, column]]);
  const at = (row: number): number => categories?.at(column, row) ?? numberOf(column, row);
  const found = new Set(Array.from({ length: input.vector.length }, (_, row) => at(row)).filter(Number.isFinite));
  const axis = axisOf(column, isLog(which) ? "log" : "linear");
  const named: Axis = categories === undefined ? axis : { ...axis, scale: "category", categories: categories.names };
  return { axis: named, positions: Float64Array.from(found).sort(), at };
}

function axisOf(column: VectorColumn, scale: "linear" | "log", label = axisText(column)): Axis {
  const { unit } = column.variable;
  return { label, ...(unit === undefined ? {} : { unit }), scale };
}
