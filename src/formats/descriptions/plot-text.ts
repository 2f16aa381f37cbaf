import {
  emptyPlot,
  errorBars,
  plotProblem,
  plotScales,
  plotStyles,
  parseRunName,
  plotTypes,
  type AxisOptions,
  type PlotDescription,
  type PlotAxis,
  type PlotResult,
  type RunName,
} from "../../core/experiments/index.ts";
import { statisticName, statisticNames } from "../../core/variables/index.ts";
import { LineWords, restOfLine } from "./line-words.ts";
import { keywordOf } from "./keyword.ts";
import {
  descriptionError,
  descriptionLines,
  readWords,
  type DescriptionLine,
  type Word,
  printWord,
  quote,
} from "./lexical-syntax.ts";

/* Plot descriptions: one keyword per line; empty lines and lines that begin with `#` are comments (docs/plots.md). */

const texts = { EXPERIMENT: "experiment", TITLE: "title", COMMENT: "comment" } as const;
const axisKeys = ["scale", "label", "from", "to"] as const;
const grammars: Readonly<
  Record<string, { readonly allowed: readonly string[]; readonly repeatable: readonly string[] }>
> = {
  TYPE: { allowed: [], repeatable: [] },
  RESULT: { allowed: ["stat", "quantile", "errors", "axis", "style", "label"], repeatable: ["stat", "quantile"] },
  X: { allowed: axisKeys, repeatable: [] },
  PARAMETER: { allowed: axisKeys, repeatable: [] },
  Y: { allowed: axisKeys, repeatable: [] },
  AXIS: { allowed: axisKeys, repeatable: [] },
  SERIES: { allowed: [], repeatable: [] },
  PLOTS: { allowed: ["into"], repeatable: [] },
  COMMIT: { allowed: [], repeatable: [] },
  RUN: { allowed: [], repeatable: [] },
  LEGEND: { allowed: [], repeatable: [] },
};
const keywords = ["TYPE", ...Object.keys(texts), ...Object.keys(grammars).slice(1), "FIX", "WHERE"];

/** Reads the description of a plot. Fails with `description-error` at file:line:column. */
export function readPlot(text: string, file: string): PlotDescription {
  const lines = descriptionLines(text, file);
  const reader = new PlotReader();
  for (const line of lines) if (!/^\s*(?:#|$)/.test(line.text)) reader.read(line);
  const problem = plotProblem(reader.plot);
  if (problem === undefined) return reader.plot;
  const { line = lines[0] ?? { file, number: 1, text: "" }, column } = reader.type ?? { column: 1 };
  throw descriptionError(line, column, problem.problem, { advice: problem.advice });
}

class PlotReader {
  plot: PlotDescription = emptyPlot;
  /** Position of the TYPE line. */
  type: { readonly line: DescriptionLine; readonly column: number } | undefined;

  read(line: DescriptionLine): void {
    const { keyword, column } = keywordOf(line, keywords);
    const from = column - 1 + keyword.length;
    if (Object.hasOwn(texts, keyword))
      this.#once(line, column, texts[keyword as keyof typeof texts], keyword, textOf(line, column, keyword, from));
    else if (keyword === "WHERE")
      this.plot = { ...this.plot, where: [...this.plot.where, textOf(line, column, keyword, from)] };
    else if (keyword === "FIX")
      this.plot = { ...this.plot, where: [...this.plot.where, readFixedCondition(line, column, from)] };
    else this.#readWordsOf(line, keyword, column, from);
  }

  #readWordsOf(line: DescriptionLine, keyword: string, column: number, from: number): void {
    const { allowed = [], repeatable = [] } = grammars[keyword] ?? {};
    const words = new LineWords(line, keyword, column, readWords(line, from), allowed, repeatable);
    const { plot } = this;
    if (keyword === "RESULT") this.plot = { ...plot, results: [...plot.results, ...readResult(words)] };
    else if (keyword === "SERIES") this.plot = { ...plot, series: [...plot.series, ...names(words)] };
    else if (keyword === "COMMIT") this.plot = { ...plot, commits: [...plot.commits, ...names(words)] };
    else if (keyword === "RUN") this.plot = { ...plot, runs: [...plot.runs, ...readRuns(words)] };
    else this.#readOnce(words, keyword);
  }

  #readOnce(words: LineWords, keyword: string): void {
    const { line, column } = words;
    const set = (key: keyof PlotDescription, printText: PlotDescription[typeof key]): void =>
      this.#once(line, column, key, keyword, printText);
    if (keyword === "TYPE") {
      this.type = { line, column };
      set("type", oneOf(words, plotTypes));
    } else if (keyword === "LEGEND") set("legend", oneOf(words, ["yes", "no"] as const) === "yes");
    else if (keyword === "AXIS") set(oneOf(words, ["left", "right", "z"] as const), readAxisOptions(words));
    else if (keyword === "PLOTS") {
      set("plots", names(words));
      const into = words.choice("into", ["document", "files"] as const);
      if (into !== undefined) this.plot = { ...this.plot, into };
    } else set(keyword === "Y" ? "y" : "x", readAxis(words));
  }

  #once(line: DescriptionLine, column: number, key: keyof PlotDescription, keyword: string, value: unknown): void {
    const before = this.plot[key];
    if (before !== undefined && !(Array.isArray(before) && before.length === 0))
      throw descriptionError(line, column, `${keyword} is given twice`);
    this.plot = { ...this.plot, [key]: value };
  }
}

function textOf(line: DescriptionLine, column: number, keyword: string, from: number): string {
  const text = restOfLine(line, from);
  if (!text?.trim()) throw descriptionError(line, column, `${keyword} needs a text`);
  return text;
}

/** `FIX name=value`, a condition in the syntax of the original design. */
function readFixedCondition(line: DescriptionLine, column: number, from: number): string {
  const text = textOf(line, column, "FIX", from);
  if (/^[^\s=!<>~]+=./.test(text)) return text;
  throw descriptionError(line, column, "FIX needs a name and a value, as in FIX N_proc=16", {
    advice: "write other conditions after WHERE",
  });
}

function nonEmptyText(words: LineWords, word: Word): string {
  if (word.text !== "") return word.text;
  throw words.error(word, "a name or a value is empty");
}

function names(words: LineWords): string[] {
  const found = words.bareWords(Infinity).map((word) => nonEmptyText(words, word));
  if (found.length === 0) throw words.error(words, `${words.keyword} needs a name`);
  return found;
}

function oneOf<T extends string>(words: LineWords, choices: readonly T[]): T {
  const [word] = words.bareWords(1);
  const found = choices.find((each) => each.toLowerCase() === word?.text.toLowerCase());
  if (found !== undefined) return found;
  const problem =
    word === undefined ? `${words.keyword} needs a word` : `${words.keyword} '${word.text.slice(0, 40)}' is not known`;
  throw words.error(word ?? words, problem, {
    ...(word ? { word: word.text } : {}),
    candidates: choices,
    advice: `choose from ${choices.join(", ")}`,
  });
}

function readRuns(words: LineWords): RunName[] {
  names(words);
  return words.bareWords(Infinity).map(({ text }) => parseRunName(text));
}

function readAxisOptions(words: LineWords): AxisOptions {
  const printAxisOptions: { -readonly [K in keyof AxisOptions]: AxisOptions[K] } = {};
  const scale = words.choice("scale", plotScales);
  if (scale !== undefined) printAxisOptions.scale = scale;
  for (const key of ["label", "from", "to"] as const) {
    const word = words.one(key);
    if (word !== undefined) printAxisOptions[key] = nonEmptyText(words, word);
  }
  return printAxisOptions;
}

function readAxis(words: LineWords): PlotAxis {
  const [word] = words.bareWords(1);
  if (word === undefined) throw words.error(words, `${words.keyword} needs the name of a parameter`);
  return { name: nonEmptyText(words, word), ...readAxisOptions(words) };
}

/** `RESULT name min max`: one result for each statistic. */
function readResult(words: LineWords): PlotResult[] {
  const [first, ...rest] = words.bareWords(Infinity);
  if (first === undefined) throw words.error(words, "RESULT needs the name of a result");
  const errors = words.choice("errors", errorBars);
  const axis = words.choice("axis", ["left", "right"] as const);
  const style = words.choice("style", plotStyles);
  const label = words.one("label");
  const statistics = [...rest, ...words.all("stat", "quantile")]
    .sort((a, b) => a.column - b.column)
    .map((word) => readStatistic(words, word));
  const result = {
    name: nonEmptyText(words, first),
    ...(errors === undefined ? {} : { errors }),
    ...(axis === undefined ? {} : { axis }),
    ...(style === undefined ? {} : { style }),
    ...(label === undefined ? {} : { label: nonEmptyText(words, label) }),
  };
  return statistics.length === 0 ? [result] : statistics.map((statistic) => ({ ...result, statistic }));
}

/** `min`, `stat=q95`, `quantile=0.95`; `none` draws each value. */
function readStatistic(words: LineWords, word: Word): string {
  if (word.key === "quantile") return quantile(words, word);
  const found = word.text.toLowerCase() === "none" ? "none" : statisticName(word.text);
  if (found !== undefined) return found;
  const candidates = [...statisticNames, "average", "none"];
  throw words.error(word, `'${word.text.slice(0, 40)}' is not a statistic`, {
    word: word.text,
    candidates,
    advice: `there are ${candidates.join(", ")} and quantile=0.95 (or q95, p95)`,
  });
}

function quantile(words: LineWords, word: Word): string {
  const found = statisticName(`quantile=${word.text}`);
  if (found !== undefined) return found;
  throw words.error(word, `'${word.text.slice(0, 40)}' is not a fraction between 0 and 1`, {
    advice: "quantile=0.95 is the value with 95 % below it",
  });
}

/** Prints a plot description; `readPlot` reads it back. */
export function printPlot(plot: PlotDescription): string {
  const { type, experiment, title, comment, results, x, y, series, plots, into, where, commits, runs, legend } = plot;
  const lines = [
    ...(type === undefined ? [] : [`TYPE ${type}`]),
    ...Object.entries({ EXPERIMENT: experiment, TITLE: title, COMMENT: comment }).flatMap(([keyword, text]) =>
      text === undefined ? [] : [`${keyword} ${printText(text)}`],
    ),
    ...results.map(printResult),
    ...printAxis("X", x),
    ...printAxis("Y", y),
    ...printNames("SERIES", series),
    ...printNames("PLOTS", plots, { into }),
    ...where.map((condition) => `WHERE ${printText(condition)}`),
    ...printNames("COMMIT", commits),
    ...printNames("RUN", runs.map(String)),
    ...(["left", "right", "z"] as const).flatMap((side) =>
      plot[side] === undefined ? [] : [look(`AXIS ${side}`, plot[side])],
    ),
    ...(legend === undefined ? [] : [`LEGEND ${legend ? "yes" : "no"}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** A text that fills the rest of its line. */
function printText(text: string): string {
  return /^[^\s"](?:[^\n\r\t]*\S)?$/u.test(text) ? text : quote(text);
}

function printDescriptors(words: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(words)
    .map(([key, text]) => (text === undefined ? "" : ` ${key}=${printWord(text)}`))
    .join("");
}

function printResult({ name, statistic, errors, axis, style, label }: PlotResult): string {
  return `RESULT ${printWord(name)}${printDescriptors({ stat: statistic, errors, axis, style, label })}`;
}

function look(head: string, { scale, label, from, to }: AxisOptions): string {
  return `${head}${printDescriptors({ scale, label, from, to })}`;
}

function printAxis(keyword: string, axis: PlotAxis | undefined): string[] {
  return axis === undefined ? [] : [look(`${keyword} ${printWord(axis.name)}`, axis)];
}

function printNames(
  keyword: string,
  names: readonly string[],
  more: Readonly<Record<string, string | undefined>> = {},
): string[] {
  return names.length === 0 ? [] : [`${keyword} ${names.map(printWord).join(" ")}${printDescriptors(more)}`];
}
