import { curvesOf, noPicture } from "./curves.ts";
import { headLines, optionLines, pictureOf } from "./gnuplot-head.ts";
import { planeScript } from "./gnuplot-plane.ts";
import { surfaceScript } from "./gnuplot-surface.ts";
import { plotTitle, sharedLabels } from "./series-title.ts";
import type { Page, Shown, Target } from "./target.ts";

/**
 * A script for gnuplot with the data in it, each curve's ended by a line `e`:
 * http://gnuplot.info/docs_5.4/Special_002dfilenames.html. Data are numbers only, texts stand in single quotes, options
 * are checked: the script can do nothing but draw.
 */
export const gnuplot: Target = {
  name: "gnuplot",
  extension: "gp",
  joins: true,
  printable: true,
  show(shown) {
    const hasRows = shown.pages.some(({ inputs }) => inputs.some(({ vector }) => vector.length > 0));
    const picture = hasRows ? pictureOf(shown) : undefined;
    const content = shown.pages.map((page) => scriptOf(page, shown)).join("");
    return { kind: "content", content, ...(picture === undefined ? {} : { picture }) };
  },
};

function scriptOf({ inputs }: Page, shown: Shown): string {
  const filled = inputs.filter(({ vector }) => vector.length > 0);
  const shared = sharedLabels(filled);
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
