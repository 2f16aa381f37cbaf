import type { AxisOptions, PlotDescription, PlotAxis, PlotResult } from "../../core/experiments/plot-description.ts";
import { printWord, quote } from "./lexical-syntax.ts";

/** The description of a plot as `readPlot` reads it back. */
export function printPlot(plot: PlotDescription): string {
  const { type, experiment, title, comment, results, x, y, series, plots, into, where, commits, runs, legend } = plot;
  const lines = [
    ...(type === undefined ? [] : [`TYPE ${type}`]),
    ...Object.entries({ EXPERIMENT: experiment, TITLE: title, COMMENT: comment }).flatMap(([keyword, text]) =>
      text === undefined ? [] : [`${keyword} ${content(text)}`],
    ),
    ...results.map(printResult),
    ...place("X", x),
    ...place("Y", y),
    ...list("SERIES", series),
    ...list("PLOTS", plots, { into }),
    ...where.map((condition) => `WHERE ${content(condition)}`),
    ...list("COMMIT", commits),
    ...list("RUN", runs.map(String)),
    ...(["left", "right", "z"] as const).flatMap((side) =>
      plot[side] === undefined ? [] : [look(`AXIS ${side}`, plot[side])],
    ),
    ...(legend === undefined ? [] : [`LEGEND ${legend ? "yes" : "no"}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** A text that stands alone on the rest of its line. */
function content(text: string): string {
  return /^[^\s"](?:[^\n\r\t]*\S)?$/u.test(text) ? text : quote(text);
}

function said(words: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(words)
    .map(([key, text]) => (text === undefined ? "" : ` ${key}=${printWord(text)}`))
    .join("");
}

function printResult({ name, statistic, errors, axis, style, label }: PlotResult): string {
  return `RESULT ${printWord(name)}${said({ stat: statistic, errors, axis, style, label })}`;
}

function look(head: string, { scale, label, from, to }: AxisOptions): string {
  return `${head}${said({ scale, label, from, to })}`;
}

function place(keyword: string, axis: PlotAxis | undefined): string[] {
  return axis === undefined ? [] : [look(`${keyword} ${printWord(axis.name)}`, axis)];
}

function list(
  keyword: string,
  names: readonly string[],
  more: Readonly<Record<string, string | undefined>> = {},
): string[] {
  return names.length === 0 ? [] : [`${keyword} ${names.map(printWord).join(" ")}${said(more)}`];
}
