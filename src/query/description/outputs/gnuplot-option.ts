import { Failure } from "../../../core/failures/failure.ts";
import { nearest } from "../../../core/text/name-suggestions.ts";
import { quoted } from "../../../core/text/gnuplot-escape.ts";

const axes = ["x", "y", "z", "x2", "y2", "cb"];

/** What `set` may be asked for: looks of the plot. Nothing that reads, writes or runs anything is among them. */
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

/** Words of gnuplot's language that run, read or write something wherever they stand. */
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

/** Options for gnuplot's command line that perfbase's queries give: they say how long a window stays. */
export function isCommandLine(option: string): boolean {
  return /^--?p(?:ersist)?$/.test(option.trim());
}

/**
 * An `option` of a query as a command: `grid ytics` -> `set grid ytics`, `nokey` -> `unset key`. Texts come out in
 * single quotes. Fails with `query-not-possible` for everything that could do more than change the look of the plot.
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

/** What follows the name of a setting, or stands between the brackets of `set xtics`. */
export function checkedWords(text: string, option: string, element: string): string {
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
