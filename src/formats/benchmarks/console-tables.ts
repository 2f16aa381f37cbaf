import type { Value } from "../../core/values/value.ts";
import { scaledNumber, printedNumber, printedSeconds } from "../text/parse-quantity.ts";
import { parameterValue } from "./report/build-report.ts";
import { someLine } from "./report/report-text.ts";

/** A cell of results with the contents of its parameters by their names; `param2` where the table does not name one. */
interface AsvCell {
  readonly parameters: readonly (readonly [name: string, content: string])[];
  readonly text: string;
}

type Span = readonly [from: number, to: number];

/**
 * Names of parameters are told of the first columns; the contents of the last one stand above columns of their own
 * where there are several.
 */
interface TableHead {
  readonly names: readonly string[];
  readonly last?: string;
  readonly choices: readonly string[];
}

const doubleRule = /^=+(?: =+)*$/;
const singleRule = /^-+(?: -+)*$/;

/**
 * Results of a benchmark with parameters as `asv run` shows them: a table in reStructuredText between two rules of `=`.
 * Its head ends with a row of names; in front of it there is one with the name of the last parameter where that one's
 * contents are columns. A table without an end has no cells.
 */
export function asvTableCells(lines: readonly string[]): AsvCell[] {
  const [top, ...others] = ruleLines(lines, doubleRule);
  const [dashes] = ruleLines(lines, singleRule);
  const end = others.at(-1);
  if (top === undefined || end === undefined || dashes === undefined) return [];
  // A head of two rows has the dashes between them, and ends with a rule of its own.
  const isWide = others.length > 1;
  const bottom = isWide ? others[0]! : dashes;
  if (dashes < top || bottom < dashes || bottom >= end) return [];
  const columns = columnSpans(lines[bottom]!);
  const head = isWide ? wideHead(lines.slice(top + 1, bottom), columns) : plainHead(lines[bottom - 1]!, columns);
  return lines.slice(bottom + 1, end).flatMap((line) => asvCells(line, columns, head));
}

function ruleLines(lines: readonly string[], rule: RegExp): number[] {
  return lines.flatMap((line, at) => (rule.test(line.trim()) ? [at] : []));
}

/** Where each column begins and ends, by a rule. */
function columnSpans(rule: string): Span[] {
  return [...rule.matchAll(/[=-]+/g)].map(({ index, 0: { length } }) => [index, index + length]);
}

function cellTexts(line: string, columns: readonly Span[]): string[] {
  return columns.map(([from, to], at) => line.slice(from, at === columns.length - 1 ? undefined : to).trim());
}

function plainHead(line: string, columns: readonly Span[]): TableHead {
  return { names: cellTexts(line, columns).slice(0, -1), choices: [""] };
}

/** The last of the dashes lie below the name of the last parameter. */
function wideHead([above = "", dashes = "", below = ""]: readonly string[], columns: readonly Span[]): TableHead {
  const [from] = columnSpans(dashes).at(-1) ?? [0];
  const own = columns.filter(([begin]) => begin < from).length;
  const titles = cellTexts(below, columns);
  return { names: titles.slice(0, own), last: above.slice(from).trim(), choices: titles.slice(own) };
}

function asvCells(line: string, columns: readonly Span[], { names, last, choices }: TableHead): AsvCell[] {
  const cells = cellTexts(line, columns);
  const own = names.map((name, at) => [name === "" ? `param${at + 1}` : name, cells[at] ?? ""] as const);
  return choices.map((choice, at) => ({
    parameters: last === undefined ? own : [...own, [last === "" ? `param${names.length + 1}` : last, choice] as const],
    text: cells[names.length + at] ?? "",
  }));
}

/** A row of the tables that `vitest bench` shows, in seconds. */
interface VitestRow {
  /** `file > describe > describe > name`. */
  readonly benchmark: string;
  readonly values: readonly (readonly [metric: string, value: number])[];
}

const vitestTimes = ["min", "max", "mean", "p75", "p99", "p995", "p999"];
const vitestHead =
  /^name {1,400}hz {1,40}min {1,40}max {1,40}mean {1,40}p75 {1,40}p99 {1,40}p995 {1,40}p999 {1,40}rme {1,40}samples$/;
const vitestRow =
  /^ {1,20}· (.{1,500}?) {1,400}((?:[\d,.]{1,30} {1,30}){8})±([\d.]{1,12})% {1,30}(\d{1,15})(?: {1,20}(?:fastest|slowest))?$/;
/** The file or group whose table follows. Before version 3 groups stand indented below their file. */
const vitestGroup = /^( {0,40})[✓❯√·] (.{1,2000}?)(?: \(\d{1,9}\))?(?: [\d.]{1,20}m?s)?$/;

/** Whether lines have such a table. */
export function isVitestText(lines: Iterable<string>): boolean {
  return someLine(lines, (line) => vitestHead.test(line.trim()));
}

/** A table is shown again whenever something of its file has ended: of rows with the same name the last one holds. */
export function vitestTextRows(lines: Iterable<string>): VitestRow[] {
  const found = new Map<string, VitestRow>();
  let places: { readonly indent: number; readonly name: string }[] = [];
  for (const raw of lines) {
    const line = raw.trimEnd();
    const [, name, numbers = "", margin = "", samples = ""] = vitestRow.exec(line) ?? [];
    if (name !== undefined) {
      const benchmark = [...places.map((each) => each.name), name.trim()].join(" > ");
      found.set(benchmark, { benchmark, values: vitestValues(numbers.trim().split(/ +/), margin, samples) });
      continue;
    }
    const [, indent = "", group] = vitestGroup.exec(line) ?? [];
    if (group === undefined) continue;
    places = [...places.filter((each) => each.indent < indent.length), { indent: indent.length, name: group }];
  }
  return [...found.values()];
}

/** Times are told in milliseconds with four decimals; what has fewer than three digits there tells too little. */
function vitestValues([rate = "", ...times]: readonly string[], margin: string, samples: string): [string, number][] {
  const told = vitestTimes.map((name, at): [string, number] => [name, printedSeconds(times[at] ?? "", "ms")]);
  return [
    ["rate", printedNumber(rate)],
    ...told.filter(([, value]) => value >= 1e-5),
    ["margin", printedNumber(margin)],
    ["samples", printedNumber(samples)],
  ];
}

/** A row of the table at the end of JMH's output. */
export interface JmhRow {
  readonly benchmark: string;
  /**
   * What stands behind the colon: the name of a secondary metric, or of a percentile as `p0.50`; empty for the score
   * itself.
   */
  readonly label: string;
  /** With `mode`. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** In `unit`; the number of the sign of about (`≈ 10⁻³`) is none. */
  readonly score: number;
  /** NaN where there is none. */
  readonly error: number;
  readonly unit: string;
}

const jmhHead =
  /^Benchmark((?: {1,400}\([^()]{1,200}\))*) {1,400}Mode {1,40}(?:(?:Samples|Cnt) {1,40})?Score {1,40}(?:(?:Score error|Error) {1,40})?Units$/;
const jmhTail =
  / (thrpt|avgt|sample|ss) {1,40}(?:\d{1,15} {1,60})?([\d.,]{1,40}(?:E[+-]?\d{1,3})?|NaN)(?: {1,40}\u00b1? {0,40}([\d.,]{1,40}|NaN))? {1,40}(\S{1,60})$/;

/** Whether lines have that table. */
export function isJmhText(lines: Iterable<string>): boolean {
  return someLine(lines, (line) => jmhHead.test(line.trimEnd()));
}

/** The rows of all such tables. */
export function* jmhTextRows(lines: Iterable<string>): Generator<JmhRow, undefined> {
  let names: readonly string[] | undefined;
  for (const raw of lines) {
    const line = raw.trimEnd();
    const told = jmhHead.exec(line)?.[1];
    if (told !== undefined) names = [...told.matchAll(/\(([^()]*)\)/g)].map(([, name = ""]) => name);
    else if (names !== undefined) {
      const row = jmhRow(line, names);
      if (row) yield row;
    }
  }
  return undefined;
}

function jmhRow(line: string, names: readonly string[]): JmhRow | undefined {
  const found = jmhTail.exec(line);
  const [, mode = "", score = "", error = "", unit = ""] = found ?? [];
  const [full = "", ...contents] = found ? line.slice(0, found.index).trim().split(/ +/) : [];
  if (!found || full === "" || contents.length !== names.length) return undefined;
  const parameters = new Map<string, Value>();
  for (const [at, content] of contents.entries())
    if (content !== "N/A") parameters.set(names[at]!, parameterValue(content));
  const [benchmark = "", ...label] = full.split(":");
  return {
    benchmark,
    label: jmhLabel(label.join(":")),
    parameters: parameters.set("mode", mode),
    score: localeNumber(score),
    error: localeNumber(error),
    unit,
  };
}

/** Profilers, and percentiles of `method·p0.50`, stand behind a middle dot. */
function jmhLabel(text: string): string {
  return /(?:^|\u00b7)(p[01]\.\d{1,10})$/.exec(text)?.[1] ?? text.replace(/^[^\p{L}\p{N}]+/u, "");
}

/** The decimal sign is that of the locale; there is none between thousands. */
function localeNumber(text: string): number {
  return scaledNumber(text.replace(",", "."), 0);
}
