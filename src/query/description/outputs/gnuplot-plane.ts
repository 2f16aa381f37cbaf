import { displayText, floatText } from "../display-text.ts";
import { valueOf, type VectorColumn } from "../vector.ts";
import { noPicture, type Curve } from "./curves.ts";
import { axisLine, elementSize } from "./gnuplot-head.ts";
import { enhanced, quoted } from "../../../core/text/gnuplot-escape.ts";
import { Categories, isMeasured } from "./categories.ts";
import { seriesTitle } from "./series-title.ts";
import type { Shown } from "./target.ts";

/** Settings, command and data of a 2D plot. */
export interface PlaneScript {
  readonly settings: readonly string[];
  readonly command: string;
  readonly data: readonly string[];
}

/** Most names below an axis. */
const mostTics = 14;

/** perfbase's types with gnuplot's styles; `graphs` and `points` allow other styles. */
const styles: Readonly<Record<string, string>> = {
  graphs: "linespoints",
  points: "points",
  boxes: "boxes",
  steps: "histeps",
  bars: "boxes",
};
const ownStyles = ["lines", "points", "linespoints", "dots", "impulses", "steps", "fsteps", "histeps", "boxes"];

export function planeScript(curves: readonly Curve[], shared: readonly string[], shown: Shown): PlaneScript {
  const type = shown.element.attributes.get("type") ?? "graphs";
  if (!Object.hasOwn(styles, type))
    throw noPicture(shown, `there is no type '${type.slice(0, 40)}' (types are ${Object.keys(styles).join(", ")})`);
  const inBars = type === "bars";
  const named = inBars || curves.some(({ x }) => x === undefined || !isMeasured(x.variable.type));
  const categories = named ? new Categories(curves.map(({ input, x }) => [input, x])) : undefined;
  return {
    settings: [...axisLines(curves), ...categoryLines(curves, categories, inBars, shown)],
    command: `plot ${curves.map((curve) => plotWord(curve, shared, shown)).join(",")}`,
    data: curves.map((curve, at) =>
      dataOf(curve, (row) => positionText(curve, row, categories, inBars ? barShift(at, curves.length) : 0)),
    ),
  };
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
  categories: Categories | undefined,
  inBars: boolean,
  shown: Shown,
): string[] {
  if (categories === undefined) return [];
  const { names } = categories;
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
        : mostTics;
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
function dataOf({ input, y, errors }: Curve, position: (row: number) => string): string {
  const lines: string[] = [];
  for (let row = 0; row < input.vector.length; row++) {
    if (valueOf(y, row) === null) continue;
    lines.push(`${[position(row), ...[y, ...errors].map((column) => cellText(column, row))].join(" ")} `);
  }
  return [...lines, "e", ""].join("\n");
}

function positionText({ x }: Curve, row: number, categories: Categories | undefined, shift: number): string {
  if (categories === undefined) return x === undefined ? String(row) : cellText(x, row);
  return (categories.at(x, row) + shift).toFixed(6);
}

/** Numbers as in perfbase, times in seconds. */
export function cellText(column: VectorColumn, row: number): string {
  const { type } = column.variable;
  const value = valueOf(column, row);
  if (value === null) return "None";
  return type === "duration" || type === "boolean" ? floatText(Number(value)) : displayText(value, type);
}
