import type { Value } from "../../core/values/index.ts";
import { scaledNumber, printedNumber, printedSeconds } from "../text/index.ts";
import { parameterValue } from "./report/build-report.ts";
import { someLine } from "./report/report-text.ts";

/** A result cell with the values of its parameters; unnamed parameters are called `param2` and so on. */
interface AsvCell {
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

type Span = readonly [from: number, to: number];

/**
 * The head of a table: the first columns are parameters. If the values of the last parameter have columns of their own,
 * `choices` are these values.
 */
interface TableHead {
  readonly names: readonly string[];
  readonly last?: string;
  readonly choices: readonly string[];
}

const doubleRule = /^=+(?: =+)*$/;
const singleRule = /^-+(?: -+)*$/;

/**
 * The results of a benchmark with parameters as `asv run` prints them: a reStructuredText table between two rules of
 * `=`. The head ends with a row of names. If the values of the last parameter are columns, a row with its name precedes
 * that. An incomplete table has no cells. `onOther` takes lines between the rows that are no rows.
 */
export function asvTableCells(text: readonly string[], onOther: (line: string) => void = () => {}): AsvCell[] {
  const from = text.find((line) => doubleRule.test(line.trim()))?.indexOf("=") ?? 0;
  const isIndented = (line: string): boolean => line.slice(0, from).trim() === "";
  const lines = text.filter(isIndented);
  for (const line of text) if (!isIndented(line)) onOther(line);
  const [top, ...others] = ruleLines(lines, doubleRule);
  const [dashes] = ruleLines(lines, singleRule);
  const end = others.at(-1);
  if (top === undefined || end === undefined || dashes === undefined) return [];
  // In a head of two rows, the dashes separate them, and another rule ends it.
  const isWide = others.length > 1;
  const bottom = isWide ? others[0]! : dashes;
  if (dashes < top || bottom < dashes || bottom >= end) return [];
  const columns = columnSpans(lines[bottom]!);
  const head = isWide ? wideHead(lines.slice(top + 1, bottom), columns) : plainHead(lines[bottom - 1]!, columns);
  return lines.slice(bottom + 1, end).flatMap((line) => {
    if (isAligned(line, columns)) return asvCells(line, columns, head);
    onOther(line);
    return [];
  });
}

/** Whether a line has text in its first column and none between columns. */
function isAligned(line: string, columns: readonly Span[]): boolean {
  const gaps = columns.map(([from], at) => line.slice(at === 0 ? 0 : columns[at - 1]![1], from));
  return cellTexts(line, columns)[0] !== "" && gaps.every((gap) => gap.trim() === "");
}

function ruleLines(lines: readonly string[], rule: RegExp): number[] {
  return lines.flatMap((line, at) => (rule.test(line.trim()) ? [at] : []));
}

/** The start and end of each column of a rule. */
function columnSpans(rule: string): Span[] {
  return [...rule.matchAll(/[=-]+/g)].map(({ index, 0: { length } }) => [index, index + length]);
}

function cellTexts(line: string, columns: readonly Span[]): string[] {
  return columns.map(([from, to], at) => line.slice(from, at === columns.length - 1 ? undefined : to).trim());
}

function plainHead(line: string, columns: readonly Span[]): TableHead {
  return { names: cellTexts(line, columns).slice(0, -1), choices: [""] };
}

/** The last run of dashes is below the name of the last parameter. */
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

/** A row of the tables of `vitest bench`, in seconds. */
interface VitestRow {
  /** `file > describe > describe > name`. */
  readonly benchmark: string;
  readonly values: readonly (readonly [metric: string, value: number])[];
}

const vitestTimes = ["min", "max", "mean", "p75", "p99", "p995", "p999"];
const vitestHead =
  /^name {1,400}hz {1,40}min {1,40}max {1,40}mean {1,40}p75 {1,40}p99 {1,40}p995 {1,40}p999 {1,40}rme {1,40}samples$/;
const vitestRow = new RegExp(
  String.raw`^ {1,20}· (.{1,500}?) {1,400}((?:[\d,.]{1,30} {1,30}){8})±` +
    String.raw`([\d.]{1,12})% {1,30}(\d{1,15})(?: {1,20}(?:fastest|slowest))?$`,
);
/** The file or group whose table follows. Before version 3, groups are indented below their file. */
const vitestGroup = /^( {0,40})[✓❯√·] (.{1,2000}?)(?: \(\d{1,9}\))?(?: [\d.]{1,20}m?s)?$/;

/** The first line of a run of vitest. */
export const vitestRun = /^\s{0,20}RUN\s{1,20}v\d/;

/** Whether lines contain a table of `vitest bench`. */
export function isVitestText(lines: Iterable<string>): boolean {
  return someLine(lines, (line) => vitestHead.test(line.trim()));
}

/** The rows of all tables. Tables are printed repeatedly; the last row of each name wins. */
export function vitestTextRows(lines: Iterable<string>): VitestRow[] {
  const rows = new Map<string, VitestRow>();
  let groups: { readonly indent: number; readonly name: string }[] = [];
  for (const raw of lines) {
    const line = raw.trimEnd();
    const [, name, numbers = "", margin = "", samples = ""] = vitestRow.exec(line) ?? [];
    if (name !== undefined) {
      const benchmark = [...groups.map((each) => each.name), name.trim()].join(" > ");
      rows.set(benchmark, { benchmark, values: vitestValues(numbers.trim().split(/ +/), margin, samples) });
      continue;
    }
    const [, indent = "", group] = vitestGroup.exec(line) ?? [];
    if (group === undefined) continue;
    groups = [...groups.filter((each) => each.indent < indent.length), { indent: indent.length, name: group }];
  }
  return [...rows.values()];
}

/** Times have four decimals of milliseconds; times below 10 µs are omitted as too coarse. */
function vitestValues([rate = "", ...times]: readonly string[], margin: string, samples: string): [string, number][] {
  const seconds = vitestTimes.map((name, at): [string, number] => [name, printedSeconds(times[at] ?? "", "ms")]);
  return [
    ["rate", printedNumber(rate)],
    ...seconds.filter(([, value]) => value >= 1e-5),
    ["margin", printedNumber(margin)],
    ["samples", printedNumber(samples)],
  ];
}

/** A row of JMH's result table. */
export interface JmhRow {
  readonly benchmark: string;
  /**
   * The text after the colon: a secondary metric or a percentile such as `p0.50`; empty for the score itself.
   */
  readonly label: string;
  /** Includes `mode`. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** In `unit`; NaN for approximate scores (`≈ 10⁻³`). */
  readonly score: number;
  /** NaN if absent. */
  readonly error: number;
  readonly unit: string;
}

/** The heading of the table, one for each run. */
export const jmhHead = new RegExp(
  String.raw`^Benchmark((?: {1,400}\([^()]{1,200}\))*) {1,400}Mode {1,40}(?:` +
    String.raw`(?:Samples|Cnt) {1,40})?Score {1,40}(?:(?:Score error|Error) {1,40})?Units$`,
);
const jmhTail = new RegExp(
  String.raw` (thrpt|avgt|sample|ss) {1,40}(?:\d{1,15} {1,60})?([\d.,]{1,40}` +
    String.raw`(?:E[+-]?\d{1,3})?|NaN)(?: {1,40}\u00b1? {0,40}([\d.,]{1,40}|NaN))? {1,40}(\S{1,60})$`,
);

/** Whether lines contain such a table. */
export function isJmhText(lines: Iterable<string>): boolean {
  return someLine(lines, (line) => jmhHead.test(line.trimEnd()));
}

/** The rows of all tables. */
export function* jmhTextRows(lines: Iterable<string>): Generator<JmhRow, undefined> {
  let names: readonly string[] | undefined;
  for (const raw of lines) {
    const line = raw.trimEnd();
    const parameters = jmhHead.exec(line)?.[1];
    if (parameters !== undefined) names = [...parameters.matchAll(/\(([^()]*)\)/g)].map(([, name = ""]) => name);
    else if (names !== undefined) {
      const row = jmhRow(line, names);
      if (row) yield row;
    }
  }
  return undefined;
}

function jmhRow(line: string, names: readonly string[]): JmhRow | undefined {
  const match = jmhTail.exec(line);
  const [, mode = "", score = "", error = "", unit = ""] = match ?? [];
  const [full = "", ...values] = match ? line.slice(0, match.index).trim().split(/ +/) : [];
  if (!match || full === "" || values.length !== names.length) return undefined;
  const parameters = new Map<string, Value>();
  for (const [at, value] of values.entries()) if (value !== "N/A") parameters.set(names[at]!, parameterValue(value));
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

/** A middle dot precedes profilers and percentiles (`method·p0.50`). */
function jmhLabel(text: string): string {
  return /(?:^|\u00b7)(p[01]\.\d{1,10})$/.exec(text)?.[1] ?? text.replace(/^[^\p{L}\p{N}]+/u, "");
}

/** The decimal separator depends on the locale; there is no thousands separator. */
function localeNumber(text: string): number {
  return scaledNumber(text.replace(",", "."), 0);
}
