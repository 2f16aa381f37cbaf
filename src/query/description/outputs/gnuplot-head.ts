import type { OutputElement } from "../../../core/experiments/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { enhanced, enhancedTitle, quoted, nearest } from "../../../core/text/index.ts";
import { formatUnit } from "../../../core/values/index.ts";
import type { VectorColumn } from "../vector.ts";
import { axisText } from "./curves.ts";
import type { Shown } from "./target.ts";

const axes = ["x", "y", "z", "x2", "y2", "cb"];

/** Allowed settings, which change the appearance only; none reads, writes or runs anything. */
const settings: readonly string[] = [
  ...axes.flatMap((axis) => [`${axis}label`, `${axis}range`, `${axis}tics`, `m${axis}tics`, `${axis}zeroaxis`]),
  ...`
    angles arrow autoscale bars bmargin border boxwidth clip cntrparam colorbox contour dgrid3d format grid hidden3d
    isosamples key label lmargin logscale margins mapping offsets origin parametric pm3d pointsize polar ratio rmargin
    samples size style surface tics ticslevel timestamp title tmargin view xdata xyplane ydata zeroaxis zdata
  `
    .trim()
    .split(/\s+/),
];

/** Forbidden words of gnuplot's language, which run, read or write something. */
const forbidden = [
  "system",
  "exec",
  "eval",
  "evaluate",
  "call",
  "load",
  "shell",
  "print",
  "function",
  "file",
  "fontfile",
];

const token =
  /\s+|"[^"\\`]*"|'(?:[^']|'')*'|[A-Za-z][A-Za-z0-9_]*|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+|[-+*/%.,:()[\]]|(.)/gsu;

/** Whether an option is one of gnuplot's command line, as in perfbase's queries, which only keep a window open. */
function isCommandLine(option: string): boolean {
  return /^--?p(?:ersist)?$/.test(option.trim());
}

/**
 * Converts an `option` of a query to a command: `grid ytics` -> `set grid ytics`, `nokey` -> `unset key`. Texts are in
 * single quotes. Fails with `query-not-possible` for everything that could do more than change the appearance.
 */
export function optionCommand(option: string, element: string): string {
  const text = option.trim();
  const [, no = "", name = ""] = /^(no)?([a-z][a-z0-9]*)/.exec(text) ?? [];
  const known = settings.includes(no + name) ? no + name : name;
  if (!settings.includes(known)) throw refused(option, element, nearest(name.slice(0, 40), settings).join(", "));
  const rest = text.slice(known === name ? no.length + name.length : known.length);
  const words = checkedWords(rest, option, element);
  return `${known === name && no !== "" ? "unset" : "set"} ${known}${words}`;
}

/** Checks what follows the name of a setting, or is between the brackets of `set xtics`. */
function checkedWords(text: string, option: string, element: string): string {
  let before = "";
  let words = "";
  for (const [found, other] of text.matchAll(token)) {
    const calls = found === "(" && /^[A-Za-z]/.test(before) && before !== "add";
    if (other !== undefined || calls || forbidden.includes(found)) throw refused(option, element, "");
    words += wordText(found);
    if (found.trim() !== "") before = found;
  }
  return words.trimEnd();
}

function wordText(found: string): string {
  if (/^\s/.test(found)) return " ";
  return found.startsWith('"') || found.startsWith("'") ? quoted(found.slice(1, -1).replaceAll("''", "'")) : found;
}

function refused(option: string, element: string, near: string): Failure {
  const problem = `option '${option.trim().slice(0, 80)}' is not one of those that change the look of a plot`;
  const advice =
    near === ""
      ? "numbers, words, texts in quotes and [a:b] may follow a setting such as xrange, key, grid or logscale"
      : `did you mean ${near}?`;
  return new Failure("query-not-possible", { element, problem, advice });
}

const sizes: Readonly<Record<string, number>> = { tiny: 8, small: 10, normal: 12, medium: 12, large: 16, huge: 20 };

interface Format {
  /** Absent: a window instead of a file. */
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

/** The image that gnuplot writes; undefined for a window, and without a file name. */
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

/** Terminal, output file and title. The file name starts with `./`, so it cannot be a pipe. */
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

/** The options and tics of the query, after the defaults. */
export function optionLines({ element, name }: Shown): string[] {
  const options = element.options.filter((option) => !isCommandLine(option) && !isSize(option));
  const tics = element.tics.map(({ axis = "x", value }) => {
    if (!/^(?:x|y|z|x2|y2)$/.test(axis)) throw noAxis(axis, name);
    return `set ${axis}tics (${checkedWords(value.trim(), value, name)})`;
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

/** Whether an option is the size of points and lines, which perfbase's queries may give as an option. */
function isSize(option: string): boolean {
  return /^elements\s/.test(option.trim());
}

/** Width of lines and size of points, 1 to 3. */
export function elementSize({ element, name }: Shown): number {
  const option = element.options.find(isSize)?.trim().split(/\s+/)[1];
  const word = element.attributes.get("elements") ?? option ?? "normal";
  const size = ["small", "normal", "large"].indexOf(word) + 1;
  if (size > 0) return size;
  const problem = `there are no elements '${word.slice(0, 40)}'`;
  throw new Failure("query-not-possible", { element: name, problem, advice: "elements are small, normal or large" });
}
