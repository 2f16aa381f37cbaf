import { type PlotAxis, type PlotStyle, surfaceStyles, type SurfaceStyle } from "../../../core/experiments/index.ts";
import type { ChartBlock, Figure, SurfaceBlock } from "../../../core/figures/index.ts";
import { orderBy, rowsBy } from "../../../core/values/index.ts";
import { buildCharts, buildSurfaces, isNumeric } from "../../chart/index.ts";
import { displayText } from "../display-text.ts";
import { compareInColumn, parametersOf, pick, valueOf, type VectorColumn } from "../vector.ts";
import { axisText, curvesOf, noPicture, pointsOf, valueName, type Curve } from "./curves.ts";
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
    return surfaceCharts(filledOf(inputs), shared, shown);
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

const styles: Readonly<Record<string, PlotStyle>> = {
  graphs: "linespoints",
  points: "points",
  boxes: "bars",
  bars: "bars",
  steps: "steps",
};

/** What all charts of described queries share: numbers, units and texts as the query gives them. */
const given = { asGiven: true, text: valueName } as const;

function chartOf({ inputs }: Page, shown: Shown): { readonly title: string; readonly block: ChartBlock } {
  const curves = curvesOf(byParameters(filledOf(inputs)), shown);
  const [first] = curves;
  const style = styleOf(curves, shown);
  const shared = sharedTitleLabels(inputs);
  const titles = titlesOf(curves, shared);
  const second = curves.find(({ axis }) => axis === 1);
  const isNamed = style === "bars" || !curves.every(({ x }) => isNumeric(x));
  const [block] = buildCharts({
    ...given,
    x: xAxis(first.x, !isNamed && isLog("x", shown)),
    along: curves.map(({ input, x }) => ({ column: x, length: input.vector.length })),
    left: yAxis(first, "y", shown),
    ...(second === undefined ? {} : { right: yAxis(second, "y2", shown) }),
    results: curves.map((curve) => pointsOf(curve, style)),
    panels: [curves.map(({ input, x }, result) => ({ label: titles[result] ?? "", result, x, rows: rowsOf(input) }))],
  }) as [ChartBlock];
  return { title: plotTitle(shown.element, shared), block };
}

function rowsOf({ vector }: ShownVector): number[] {
  return Array.from({ length: vector.length }, (_, row) => row);
}

/**
 * An input for each combination of the parameters after the first, with labels that name them: a picture has the first
 * one along its axis, and rows that differ in others are different curves. The order is that of the values.
 */
function byParameters(inputs: readonly ShownVector[]): readonly ShownVector[] {
  return inputs.flatMap((input) => {
    const others = parametersOf(input.vector).slice(1);
    const keyOf = (row: number): string => JSON.stringify(others.map((column) => textAt(column, row)));
    const groups = rowsBy(input.vector.length, keyOf);
    if (groups.size < 2) return [input];
    const varying = others.filter((column) => {
      const first = textAt(column, 0);
      return [...groups.values()].some(([row]) => textAt(column, row ?? 0) !== first);
    });
    const byValues = orderBy<VectorColumn, readonly number[]>(varying, (column, [a = 0], [b = 0]) =>
      compareInColumn(column, valueOf(column, a), valueOf(column, b)),
    );
    return [...groups.values()].sort(byValues).map((rows) => curveOf(input, rows, varying));
  });
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
function styleOf(curves: readonly Curve[], { element, ...shown }: Shown): PlotStyle {
  const type = element.attributes.get("type") ?? "graphs";
  const style = Object.hasOwn(styles, type) ? styles[type] : undefined;
  if (style === undefined)
    throw noPicture(
      { element, ...shown },
      `there is no type '${type.slice(0, 40)}' (types are ${Object.keys(styles).join(", ")})`,
    );
  const asked = curves.map(({ input }) => input.attributes.get("style") ?? element.attributes.get("style"));
  return style === "linespoints" && asked.every((each) => each === "points") ? "points" : style;
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

function xAxis(column: VectorColumn | undefined, isLogarithmic: boolean): PlotAxis {
  const label = column === undefined ? "" : axisText(column);
  return { name: column?.display ?? "", label, scale: isLogarithmic ? "log" : "linear" };
}

function yAxis({ input, y }: Pick<Curve, "input" | "y">, axis: "y" | "y2" | "z", shown: Shown): PlotAxis {
  return { ...xAxis(y, isLog(axis, shown)), label: input.attributes.get("axislabel") ?? axisText(y) };
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

/**
 * Each result of each input as a surface over its first two parameters, in any row order. Fails with
 * `query-not-possible` for two heights at one point.
 */
function surfaceCharts(inputs: readonly ShownVector[], shared: readonly string[], shown: Shown): SurfaceBlock[] {
  const surfaces = inputs.flatMap((input) => surfacesIn(input, shown));
  return surfaces.map((surface) => {
    const caption = seriesTitle(surface.input, surface.z.display, shared);
    return { ...(surfaces.length > 1 || caption !== "" ? { caption } : {}), ...blockOf(surface, shown) };
  });
}

/** The style of the attribute `type`. Surfaces ignore the types of plots of two dimensions. */
function surfaceStyleOf({ element }: Shown): SurfaceStyle {
  return surfaceStyles.find((style) => style === element.attributes.get("type")) ?? "surface";
}

function blockOf({ input, x, y, z }: Surface, shown: Shown): SurfaceBlock {
  const problem = `input '${input.vector.origin}' has two heights at one point: group its rows by an operator`;
  const [block] = buildSurfaces({
    ...given,
    x: xAxis(x, isNumeric(x) && isLog("x", shown)),
    y: xAxis(y, isNumeric(y) && isLog("y", shown)),
    z: yAxis({ input, y: z }, "z", shown),
    columns: [x, y],
    result: pointsOf({ input, y: z, errors: [], axis: 0 }, surfaceStyleOf(shown)),
    panels: [rowsOf(input)],
    twoHeights: () => noPicture(shown, problem),
  }) as [SurfaceBlock];
  return block;
}
