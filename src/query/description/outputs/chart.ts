import type { Axis, ChartBlock, ChartSeries, Figure } from "../../../core/figures/figure.ts";
import { axisText, curvesOf, noPicture, numberOf, type Curve } from "./curves.ts";
import { Categories, isMeasured } from "./categories.ts";
import { plotTitle, seriesTitle, sharedLabels } from "./series-title.ts";
import { filledOf } from "./shown-vector.ts";
import { surfaceCharts } from "./surface-chart.ts";
import type { Page, Shown, Target } from "./target.ts";

/** Charts that our renderers draw: as pictures, as a page, and for a terminal. */
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

/** The block of a page stands alone; those of several have captions. */
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
    const shared = sharedLabels(inputs);
    return surfaceCharts(filledOf(inputs), shared, shown, (axis) => isLog(axis, shown));
  });
  const [page, ...more] = shown.pages;
  const title =
    page === undefined || more.length > 0
      ? shown.element.attributes.get("title")
      : plotTitle(shown.element, sharedLabels(page.inputs));
  return { title: title ?? "", blocks };
}

function dimensionsOf(shown: Shown): 2 | 3 {
  const said = shown.element.attributes.get("dimensions") ?? "2";
  if (said === "2" || said === "3") return said === "2" ? 2 : 3;
  throw noPicture(shown, `dimensions '${said.slice(0, 20)}' are neither 2 nor 3`);
}

const marks: Readonly<Record<string, ChartBlock["mark"]>> = {
  graphs: "line",
  points: "points",
  boxes: "bars",
  bars: "bars",
  steps: "steps",
};

function chartOf({ inputs }: Page, shown: Shown): { readonly title: string; readonly block: ChartBlock } {
  const curves = curvesOf(filledOf(inputs), shown);
  const [first] = curves;
  const mark = markOf(curves, shown);
  const named = mark === "bars" || curves.some(({ x }) => x === undefined || !isMeasured(x.variable.type));
  const categories = named ? new Categories(curves.map(({ input, x }) => [input, x])) : undefined;
  const shared = sharedLabels(inputs);
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

/** Points are drawn where every curve asks for them. */
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

/** Curves of the same title are told apart by their results. */
function titlesOf(curves: readonly Curve[], shared: readonly string[]): string[] {
  const titles = curves.map(({ input, y }) => seriesTitle(input, y.display, shared));
  return titles.map((title, at) =>
    titles.indexOf(title) === titles.lastIndexOf(title) ? title : `${curves[at]?.y.display} ${title}`.trim(),
  );
}

function seriesOf(
  { input, x, y, errors, axis }: Curve,
  label: string,
  categories: Categories | undefined,
): ChartSeries {
  const { length } = input.vector;
  const each = (value: (row: number) => number): Float64Array => Float64Array.from({ length }, (_, row) => value(row));
  const place = (row: number): number =>
    categories === undefined && x !== undefined ? numberOf(x, row) : (categories?.at(x, row) ?? row);
  const height = (row: number): number => numberOf(y, row);
  const [one, two] = errors;
  const series = { label, axis, x: each(place), y: each(height) };
  if (one === undefined) return series;
  const low = (row: number): number => (two === undefined ? height(row) - numberOf(one, row) : numberOf(one, row));
  const high = (row: number): number => (two === undefined ? height(row) + numberOf(one, row) : numberOf(two, row));
  return { ...series, low: each(low), high: each(high) };
}

function xAxis({ x }: Curve, categories: Categories | undefined, shown: Shown): Axis {
  const label = x === undefined ? "" : axisText(x);
  const unit = x?.variable.unit === undefined ? {} : { unit: x.variable.unit };
  if (categories !== undefined) return { label, ...unit, scale: "category", categories: categories.names };
  return { label, ...unit, scale: isLog("x", shown) ? "log" : "linear" };
}

function yAxis({ input, y }: Curve, axis: "y" | "y2", shown: Shown): Axis {
  const label = input.attributes.get("axislabel") ?? axisText(y);
  return {
    label,
    ...(y.variable.unit === undefined ? {} : { unit: y.variable.unit }),
    scale: isLog(axis, shown) ? "log" : "linear",
  };
}

/** Of gnuplot's options one is heeded: `logscale`, of all axes or of those named. */
function isLog(axis: "x" | "y" | "y2" | "z", { element }: Shown): boolean {
  return element.options.some((option) => {
    const [word, axes] = option.trim().split(/\s+/);
    return (
      word === "logscale" &&
      (axes === undefined || /^\d/.test(axes) || [...axes.matchAll(/[xyz]2?|cb/g)].some(([each]) => each === axis))
    );
  });
}
