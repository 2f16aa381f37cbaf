import { Failure } from "../../../core/failures/failure.ts";
import type { OutputElement } from "../../../core/experiments/query-description.ts";
import { formatUnit } from "../../../core/values/unit.ts";
import type { VectorColumn } from "../vector.ts";
import { axisText } from "./curves.ts";
import { checkedWords, isCommandLine, optionCommand } from "./gnuplot-option.ts";
import { enhanced, enhancedTitle, quoted } from "../../../core/text/gnuplot-escape.ts";
import type { Shown } from "./target.ts";

const sizes: Readonly<Record<string, number>> = { tiny: 8, small: 10, normal: 12, medium: 12, large: 16, huge: 20 };

interface Format {
  /** Absent: there is no picture, but a window. */
  readonly extension?: string;
  terminal(color: string, size: number): string;
}

const formats: Readonly<Record<string, Format>> = {
  screen: { terminal: (_, size) => `x11 enhanced persist font 'Helvetica,${size}'` },
  ps: { extension: "ps", terminal: (color, size) => `postscript enhanced ${color} 'Helvetica' ${size}` },
  eps: { extension: "eps", terminal: (color, size) => `postscript eps enhanced ${color} 'Helvetica' ${size}` },
  pdf: { extension: "pdf", terminal: (color, size) => `pdfcairo enhanced ${color} font 'Helvetica,${size}'` },
  png: { extension: "png", terminal: (_, size) => `pngcairo enhanced size 960,560 font 'Helvetica,${size}'` },
  svg: { extension: "svg", terminal: (_, size) => `svg enhanced size 960,560 font 'Helvetica,${size}'` },
};

/** The picture that gnuplot makes of the script; undefined for a window, and where no file is named. */
export function pictureOf({ element, base, name }: Shown): string | undefined {
  const { extension } = formatOf(element, name);
  return extension === undefined || base === undefined ? undefined : `${base}.${extension}`;
}

function formatOf({ attributes }: OutputElement, name: string): Format {
  const word = attributes.get("format") ?? "screen";
  const found = Object.hasOwn(formats, word) ? formats[word] : undefined;
  if (found) return found;
  const problem = `there is no format '${word.slice(0, 40)}'`;
  throw new Failure("query-not-possible", {
    element: name,
    problem,
    advice: `formats are ${Object.keys(formats).join(", ")}`,
  });
}

/** Terminal and file of the picture, title. A picture's name begins with `./`, so that it can be no pipe. */
export function headLines(shown: Shown, title: string): string[] {
  const { element, name } = shown;
  const color = element.attributes.get("color") === "no" ? "monochrome" : "color";
  const picture = pictureOf(shown);
  return [
    `set terminal ${formatOf(element, name).terminal(color, fontSize(element, name))}`,
    "set encoding utf8",
    ...(picture === undefined ? [] : [`set output ${quoted(`./${picture}`)}`]),
    ...(title === "" ? [] : [`set title ${quoted(enhancedTitle(title))}`]),
  ];
}

function fontSize({ attributes }: OutputElement, name: string): number {
  const word = attributes.get("fontsize") ?? "normal";
  const size = Object.hasOwn(sizes, word) ? sizes[word] : Number(word);
  if (size !== undefined && size >= 1 && size <= 100) return size;
  const problem = `there is no font size '${word.slice(0, 40)}'`;
  throw new Failure("query-not-possible", {
    element: name,
    problem,
    advice: `sizes are ${Object.keys(sizes).join(", ")} and numbers`,
  });
}

export function axisLine(axis: string, column: VectorColumn | undefined, text?: string): string[] {
  if (column === undefined) return [];
  const unit = formatUnit(column.variable.unit).replaceAll(/\bu(?=[a-zA-Z])/g, "µ");
  const label = enhanced(text ?? axisText(column));
  return [`set ${axis}label ${quoted(unit === "" ? label : `${label} [${enhanced(unit)}]`)}`];
}

/** What the query says of the look, behind all that is said without it. */
export function optionLines({ element, name }: Shown): string[] {
  const options = element.options.filter((option) => !isCommandLine(option) && !isSize(option));
  const tics = element.tics.map(({ axis = "x", content }) => {
    if (!/^(?:x|y|z|x2|y2)$/.test(axis)) throw noAxis(axis, name);
    return `set ${axis}tics (${checkedWords(content.trim(), content, name)})`;
  });
  return [...options.map((option) => optionCommand(option, name)), ...tics];
}

function noAxis(axis: string, element: string): Failure {
  return new Failure("query-not-possible", {
    element,
    problem: `there is no axis '${axis.slice(0, 20)}'`,
    advice: "axes are x, y, z, x2, y2",
  });
}

/** perfbase's queries say the size of points and lines among the options, too. */
function isSize(option: string): boolean {
  return /^elements\s/.test(option.trim());
}

/** Width of lines and size of points. */
export function elementSize({ element, name }: Shown): number {
  const option = element.options.find(isSize)?.trim().split(/\s+/)[1];
  const word = element.attributes.get("elements") ?? option ?? "normal";
  const size = ["small", "normal", "large"].indexOf(word) + 1;
  if (size > 0) return size;
  const problem = `there are no elements '${word.slice(0, 40)}'`;
  throw new Failure("query-not-possible", { element: name, problem, advice: "elements are small, normal or large" });
}
