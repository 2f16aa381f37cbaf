import type { Value } from "../../core/values/index.ts";
import { prefixedNumber, printedNumber, printedSeconds } from "../text/index.ts";
import { someLine } from "./report/report-text.ts";

/** A row of pytest-benchmark's table, in seconds and operations per second. */
interface PytestRow {
  readonly benchmark: string;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly values: readonly (readonly [metric: string, value: number])[];
}

/** Metrics by their headings. */
const columns: ReadonlyMap<string, string> = new Map([
  ["Min", "min"],
  ["Max", "max"],
  ["Mean", "mean"],
  ["StdDev", "stddev"],
  ["Median", "median"],
  ["IQR", "iqr"],
  ["Outliers", "outliers"],
  ["OPS", "rate"],
  ["Rounds", "rounds"],
  ["Iterations", "iterations"],
]);

const titleLine = /^-{2,300} benchmark(?: '(.{1,1000})')?: \d{1,9} tests? -{2,300}$/;
const headLine = new RegExp(
  String.raw`^Name \(time in (s|ms|us|ns)\) {1,1000}((?:${[...columns.keys()].join("|")})\b.{0,1000})$`,
);
const versionLine = /^benchmark: (\d[\w.+-]{0,40}) \(defaults: timer=/;
const number = String.raw`(-?[\d,.]{1,40}|nan|inf|-inf)(?: {1,10}\((?:[\d.]{1,20}|>1000\.0|inf)\))?`;
/** Suffixes of names given `--benchmark-compare`: the measured run, and stored ones. */
const [current, stored] = [/ \(NOW\)$/, / \((?:\S{1,200}\/)?\d{4}_\S{1,200}\)$/];

/** Whether lines have a table of pytest-benchmark. */
export function isPytestText(lines: Iterable<string>): boolean {
  return someLine(lines, (line) => headLine.test(line.trimEnd()));
}

export interface PytestText {
  /** The version of pytest-benchmark, if the session printed it. */
  readonly version: string | undefined;
  readonly rows: readonly PytestRow[];
  /** Rows of earlier runs, which a comparison shows next to the measured one. */
  readonly omitted: number;
}

/** Parses the tables that pytest-benchmark 3 to 5 prints at the end of a session. */
export function pytestText(lines: Iterable<string>): PytestText {
  const rows: PytestRow[] = [];
  let [version, group, omitted] = [undefined as string | undefined, undefined as string | undefined, 0];
  let rowOf: ((line: string) => PytestRow | null) | null = null;
  for (const whole of lines) {
    const line = whole.trimEnd();
    version ??= versionLine.exec(line)?.[1];
    const title = titleLine.exec(line);
    if (title) group = title[1];
    const head = headLine.exec(line);
    if (head) rowOf = rowReader(head[1] ?? "", head[2] ?? "", group);
    else if (line === "") rowOf = null;
    const row = head || rowOf === null || line.startsWith("---") ? null : rowOf(line);
    if (row === null) continue;
    if (stored.test(row.benchmark)) omitted += 1;
    else rows.push(row);
  }
  return { version, rows: rows.map(named), omitted };
}

function rowReader(unit: string, head: string, group: string | undefined): (line: string) => PytestRow | null {
  const prefix = /OPS \(([KMG])ops\/s\)/.exec(head)?.[1] ?? "";
  const metrics = head.split(/ (?:\([KMG]ops\/s\))?/).flatMap((word) => columns.get(word) ?? []);
  const cells = metrics.map((metric) => (metric === "outliers" ? String.raw`(\d{1,9};\d{1,9})` : number));
  const pattern = new RegExp(`^(.{1,2000}?) {1,1000}${cells.join(" {1,200}")}$`);
  const valueOf = (metric: string, text: string): number => {
    if (metric === "rate") return prefixedNumber(text, prefix);
    return metric === "rounds" || metric === "iterations" ? printedNumber(text) : printedSeconds(text, unit);
  };
  return (line) => {
    const [, benchmark, ...texts] = pattern.exec(line) ?? [];
    if (benchmark === undefined) return null;
    const values = metrics.map((metric, at) => [metric, valueOf(metric, texts[at] ?? "")] as const);
    return {
      benchmark,
      parameters: new Map(group === undefined ? [] : [["group", group]]),
      values: values.filter(([metric]) => metric !== "outliers"),
    };
  };
}

/** `test_size[100]` is `test_size` with the parameter `param`, as in the JSON of tests whose parameters are unknown. */
function named({ benchmark, parameters, values }: PytestRow): PytestRow {
  const [, name = "", param] = /^(.+?)(?:\[(.{0,2000})\])?$/.exec(benchmark.replace(current, "")) ?? [];
  return {
    benchmark: name,
    parameters: param === undefined ? parameters : new Map([...parameters, ["param", param]]),
    values,
  };
}
