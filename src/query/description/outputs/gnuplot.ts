import { enhanced, quoted } from "../../../core/text/gnuplot-escape.ts";
import { valueOf, type VectorColumn } from "../vector.ts";
import { Categories, isMeasured } from "./categories.ts";
import { curvesOf, noPicture } from "./curves.ts";
import { headLines, optionLines, pictureOf, axisLine, elementSize } from "./gnuplot-head.ts";
import { planeScript, cellText, type PlaneScript } from "./gnuplot-plane.ts";
import { plotTitle, sharedTitleLabels, seriesTitle } from "./series-title.ts";
import type { ShownVector } from "./shown-vector.ts";
import { surfacesIn, type Surface } from "./surfaces.ts";
import type { Page, Shown, Target } from "./target.ts";

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
  const categories = new Categories(surfaces.map((surface) => [surface.input, surface[axis]]));
  const { names } = categories;
  if (surfaces.every((surface) => surface[axis].variable.type === "integer")) {
    const numbers = names.filter((name) => /^-?\d+$/.test(name));
    return { lines: numbers.length > mostTics ? [] : [`set ${axis}tics (${numbers.join(",")})`], text: cellText };
  }
  if (surfaces.every((surface) => isMeasured(surface[axis].variable.type))) return { lines: [], text: cellText };
  const tics = names.map((name, at) => `${quoted(enhanced(name))} ${at}`);
  return { lines: [`set ${axis}tics (${tics.join(",")})`], text: (column, row) => String(categories.at(column, row)) };
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
