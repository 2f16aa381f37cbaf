import { enhanced, quoted } from "../../../core/text/index.ts";
import { alongCategories, isNumeric, type AxisPositions } from "../../chart/index.ts";
import { displayText, floatText } from "../display-text.ts";
import { valueOf, type VectorColumn } from "../vector.ts";
import { curvesOf, noPicture, valueName, type Curve } from "./curves.ts";
import { headLines, optionLines, pictureOf, axisLine, elementSize } from "./gnuplot-head.ts";
import { plotTitle, sharedTitleLabels, seriesTitle } from "./series-title.ts";
import type { ShownVector } from "./shown-vector.ts";
import { surfacesIn, type Surface } from "./surfaces.ts";
import type { Page, Shown, Target } from "./target.ts";

/** Settings, command and data of a 2D plot. */
interface PlaneScript {
  readonly settings: readonly string[];
  readonly command: string;
  readonly data: readonly string[];
}

/** Most names below an axis. */
const mostNames = 14;

/** perfbase's types with gnuplot's styles; `graphs` and `points` allow other styles. */
const styles: Readonly<Record<string, string>> = {
  graphs: "linespoints",
  points: "points",
  boxes: "boxes",
  steps: "histeps",
  bars: "boxes",
};
const ownStyles = ["lines", "points", "linespoints", "dots", "impulses", "steps", "fsteps", "histeps", "boxes"];

function planeScript(curves: readonly Curve[], shared: readonly string[], shown: Shown): PlaneScript {
  const type = shown.element.attributes.get("type") ?? "graphs";
  if (!Object.hasOwn(styles, type))
    throw noPicture(shown, `there is no type '${type.slice(0, 40)}' (types are ${Object.keys(styles).join(", ")})`);
  const inBars = type === "bars";
  const named = inBars || !curves.every(({ x }) => isNumeric(x));
  const categories = named ? namesOf(curves) : undefined;
  return {
    settings: [...axisLines(curves), ...categoryLines(curves, categories, inBars, shown)],
    command: `plot ${curves.map((curve) => plotWord(curve, shared, shown)).join(",")}`,
    data: curves.map((curve, at) =>
      curveData(curve, (row) => positionText(curve, row, categories, inBars ? barShift(at, curves.length) : 0)),
    ),
  };
}

/** The values of columns as names along an axis, as the query orders them. */
function namesOf(columns: readonly Pick<Curve, "input" | "x">[]): AxisPositions {
  const along = columns.map(({ input, x }) => ({ column: x, length: input.vector.length }));
  return alongCategories(along, { name: "" }, { asGiven: true, text: valueName });
}

function axisLines(curves: readonly Curve[]): string[] {
  const [first] = curves;
  const label = (axis: 0 | 1): string[] => {
    const curve = curves.find((each) => each.axis === axis);
    return axisLine(axis === 0 ? "y" : "y2", curve?.y, curve?.input.attributes.get("axislabel"));
  };
  const second = label(1);
  return [
    ...axisLine("x", first?.x),
    ...label(0),
    ...second,
    ...(second.length > 0 ? ["set y2tics", "set ytics nomirror"] : []),
  ];
}

function categoryLines(
  curves: readonly Curve[],
  categories: AxisPositions | undefined,
  inBars: boolean,
  shown: Shown,
): string[] {
  if (categories === undefined) return [];
  const { categories: names = [] } = categories.axis;
  const bars = [`set boxwidth ${barWidth(curves.length).toFixed(6)}`, "set style fill solid 1.0", "set xzeroaxis"];
  const tics = thinned(names, shown).map(([name, at]) => `${quoted(enhanced(name))} ${at}`);
  const range = `set xrange [-0.5:${(names.length - 0.5).toFixed(6)}]`;
  return [...(inBars ? bars : []), range, `set xtics (${tics.join(",")})`];
}

/** Names of categories, each n-th if there are too many, except for bars. */
function thinned(names: readonly string[], { element }: Shown): (readonly [string, number])[] {
  const wanted = Number(element.attributes.get("ntics") ?? Number.NaN);
  const most =
    Number.isFinite(wanted) && wanted >= 1
      ? wanted
      : element.attributes.get("type") === "bars"
        ? names.length
        : mostNames;
  const step = Math.max(1, Math.ceil(names.length / most));
  return names.flatMap((name, at) => (at % step === 0 ? [[name, at] as const] : []));
}

function barWidth(count: number): number {
  return 0.8 / count;
}

/** The offset of a curve's bars from the category. */
function barShift(at: number, count: number): number {
  return (at - (count - 1) / 2) * barWidth(count);
}

function plotWord({ input, axis, errors }: Curve, shared: readonly string[], shown: Shown): string {
  const [first] = input.vector.columns.filter(({ variable }) => variable.role === "result");
  const title = quoted(enhanced(seriesTitle(input, first?.display ?? "", shared)));
  const columns = [1, 2, ...errors.map((_, at) => at + 3)].join(":");
  const style = styleWord(input.attributes.get("style"), errors.length, shown);
  return `'-' using ${columns} title ${title} axes x1y${axis + 1} with ${style}`;
}

function styleWord(own: string | undefined, errors: number, shown: Shown): string {
  const { attributes } = shown.element;
  const type = attributes.get("type") ?? "graphs";
  const size = elementSize(shown);
  if (type === "bars" || type === "boxes") return errors > 0 ? "boxerrorbars" : "boxes";
  const asked = own ?? attributes.get("style");
  if (asked !== undefined && !ownStyles.includes(asked))
    throw noPicture(shown, `there is no style '${asked.slice(0, 40)}' (styles are ${ownStyles.join(", ")})`);
  const style = asked ?? styles[type] ?? "linespoints";
  const drawn = errors === 0 ? style : style.startsWith("line") ? "yerrorlines" : "yerrorbars";
  const points = drawn.includes("points") || drawn.startsWith("yerror") ? ` ps ${size}` : "";
  return `${drawn} lw ${size}${points}`;
}

/** Data lines with the final `e`; omits rows without the result. */
function curveData({ input, y, errors }: Curve, position: (row: number) => string): string {
  const lines: string[] = [];
  for (let row = 0; row < input.vector.length; row++) {
    if (valueOf(y, row) === null) continue;
    lines.push(`${[position(row), ...[y, ...errors].map((column) => cellText(column, row))].join(" ")} `);
  }
  return [...lines, "e", ""].join("\n");
}

function positionText({ x }: Curve, row: number, categories: AxisPositions | undefined, shift: number): string {
  if (categories === undefined) return x === undefined ? String(row) : cellText(x, row);
  return (categories.of(x)(row) + shift).toFixed(6);
}

/** Numbers as in perfbase, times in seconds. */
function cellText(column: VectorColumn, row: number): string {
  const { type } = column.variable;
  const value = valueOf(column, row);
  if (value === null) return "None";
  return type === "duration" || type === "boolean" ? floatText(Number(value)) : displayText(value, type);
}

/** Most numbers below an axis of a surface. */
const mostTics = 8;

const surfaceStyles = ["lines", "points", "linespoints", "dots", "impulses", "pm3d"];

/**
 * A result over two parameters: lines of equal values of the first parameter, separated by an empty line. Fails with
 * `query-not-possible` if no two consecutive rows share the first parameter: the rows are in the wrong order for a
 * surface.
 */
function surfaceScript(inputs: readonly ShownVector[], shared: readonly string[], shown: Shown): PlaneScript {
  const style = shown.element.attributes.get("style") ?? "linespoints";
  if (!surfaceStyles.includes(style))
    throw noPicture(shown, `surfaces have no style '${style.slice(0, 40)}' (styles are ${surfaceStyles.join(", ")})`);
  const surfaces = inputs.flatMap((input) => surfacesOf(input, shown));
  const [first] = surfaces;
  const axisScales = (["x", "y"] as const).map((axis) => axisTics(surfaces, axis));
  const look = `${style} lw ${elementSize(shown)}${style.includes("points") ? ` ps ${elementSize(shown)}` : ""}`;
  const title = ({ input, z }: Surface): string => quoted(enhanced(seriesTitle(input, z.display, shared)));
  return {
    settings: [
      ...axisLine("x", first?.x),
      ...axisLine("y", first?.y),
      ...axisLine("z", first?.z, first?.input.attributes.get("axislabel")).map((line) => `${line} rotate by 90`),
      "set xyplane 0",
      ...axisScales.flatMap(({ lines }) => lines),
    ],
    command: `splot ${surfaces.map((surface) => `'-' using 1:2:3 title ${title(surface)} with ${look}`).join(",")}`,
    data: surfaces.map((surface) => dataOf(surface, axisScales[0]?.text ?? cellText, axisScales[1]?.text ?? cellText)),
  };
}

function surfacesOf(input: ShownVector, shown: Shown): Surface[] {
  const surfaces = surfacesIn(input, shown);
  const [first] = surfaces;
  if (first !== undefined && !hasLines(first.x, input.vector.length))
    throw noPicture(shown, `no two rows of input '${input.vector.origin}' share '${first.x.display}': sort by it`);
  return surfaces;
}

function hasLines(x: VectorColumn, length: number): boolean {
  for (let row = 1; row < length; row++) if (valueOf(x, row) === valueOf(x, row - 1)) return true;
  return length < 2;
}

type CellText = (column: VectorColumn, row: number) => string;

/** Tics of an axis: texts get positions in their order, few integers are marked, and gnuplot marks other numbers. */
function axisTics(
  surfaces: readonly Surface[],
  axis: "x" | "y",
): { readonly lines: readonly string[]; readonly text: CellText } {
  const positions = namesOf(surfaces.map((surface) => ({ input: surface.input, x: surface[axis] })));
  const { categories: names = [] } = positions.axis;
  if (surfaces.every((surface) => surface[axis].variable.type === "integer")) {
    const numbers = names.filter((name) => /^-?\d+$/.test(name));
    return { lines: numbers.length > mostTics ? [] : [`set ${axis}tics (${numbers.join(",")})`], text: cellText };
  }
  if (surfaces.every((surface) => isNumeric(surface[axis]))) return { lines: [], text: cellText };
  const tics = names.map((name, at) => `${quoted(enhanced(name))} ${at}`);
  return { lines: [`set ${axis}tics (${tics.join(",")})`], text: (column, row) => String(positions.of(column)(row)) };
}

/** Omits rows without the result. */
function dataOf({ input, x, y, z }: Surface, xText: CellText, yText: CellText): string {
  const lines: string[] = [];
  let before: number | undefined;
  for (let row = 0; row < input.vector.length; row++) {
    if (valueOf(z, row) === null) continue;
    if (before !== undefined && valueOf(x, row) !== valueOf(x, before)) lines.push("");
    lines.push(`${xText(x, row)} ${yText(y, row)} ${cellText(z, row)} `);
    before = row;
  }
  return [...lines, "e", ""].join("\n");
}

/**
 * A gnuplot script with inline data, each block ended by a line `e`:
 * http://gnuplot.info/docs_5.4/Special_002dfilenames.html. Data are numbers only, texts are in single quotes, options
 * are checked: the script can only plot.
 */
export const gnuplot: Target = {
  name: "gnuplot",
  extension: "gp",
  joins: true,
  printable: true,
  show(shown) {
    const hasRows = shown.pages.some(({ inputs }) => inputs.some(({ vector }) => vector.length > 0));
    const picture = hasRows ? pictureOf(shown) : undefined;
    const value = shown.pages.map((page) => scriptOf(page, shown)).join("");
    return { kind: "data", data: value, ...(picture === undefined ? {} : { picture }) };
  },
};

function scriptOf({ inputs }: Page, shown: Shown): string {
  const filled = inputs.filter(({ vector }) => vector.length > 0);
  const shared = sharedTitleLabels(filled);
  const head = [...headLines(shown, plotTitle(shown.element, shared))];
  if (filled.length === 0) return [...head, "# no input has a row", ""].join("\n");
  const { settings, command, data } = isSurface(shown)
    ? surfaceScript(filled, shared, shown)
    : planeScript(curvesOf(filled, shown), shared, shown);
  const missing = data.some((block) => block.includes("None")) ? ["set datafile missing 'None'"] : [];
  return `${[...head, ...settings, ...missing, ...optionLines(shown), command, ""].join("\n")}${data.join("")}`;
}

function isSurface(shown: Shown): boolean {
  const dimensions = shown.element.attributes.get("dimensions") ?? "2";
  if (dimensions !== "2" && dimensions !== "3")
    throw noPicture(shown, `there are plots of 2 and of 3 dimensions, not of '${dimensions.slice(0, 20)}'`);
  return dimensions === "3";
}
