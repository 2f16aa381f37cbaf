import type { Value } from "../../core/values/value.ts";
import { scaledNumber } from "../text/parse-quantity.ts";
import { parameterValue } from "./report/build-report.ts";
import { someLine } from "./report/report-text.ts";

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

const head =
  /^Benchmark((?: {1,400}\([^()]{1,200}\))*) {1,400}Mode {1,40}(?:(?:Samples|Cnt) {1,40})?Score {1,40}(?:(?:Score error|Error) {1,40})?Units$/;
const tail =
  / (thrpt|avgt|sample|ss) {1,40}(?:\d{1,15} {1,60})?([\d.,]{1,40}(?:E[+-]?\d{1,3})?|NaN)(?: {1,40}\u00b1? {0,40}([\d.,]{1,40}|NaN))? {1,40}(\S{1,60})$/;

/** Whether lines have that table. */
export function isJmhText(lines: Iterable<string>): boolean {
  return someLine(lines, (line) => head.test(line.trimEnd()));
}

/** The rows of all such tables. */
export function* jmhTextRows(lines: Iterable<string>): Generator<JmhRow, undefined> {
  let names: readonly string[] | undefined;
  for (const raw of lines) {
    const line = raw.trimEnd();
    const told = head.exec(line)?.[1];
    if (told !== undefined) names = [...told.matchAll(/\(([^()]*)\)/g)].map(([, name = ""]) => name);
    else if (names !== undefined) {
      const row = rowOf(line, names);
      if (row) yield row;
    }
  }
  return undefined;
}

function rowOf(line: string, names: readonly string[]): JmhRow | undefined {
  const found = tail.exec(line);
  const [, mode = "", score = "", error = "", unit = ""] = found ?? [];
  const [full = "", ...contents] = found ? line.slice(0, found.index).trim().split(/ +/) : [];
  if (!found || full === "" || contents.length !== names.length) return undefined;
  const parameters = new Map<string, Value>();
  for (const [at, content] of contents.entries())
    if (content !== "N/A") parameters.set(names[at]!, parameterValue(content));
  const [benchmark = "", ...label] = full.split(":");
  return {
    benchmark,
    label: labelOf(label.join(":")),
    parameters: parameters.set("mode", mode),
    score: decimal(score),
    error: decimal(error),
    unit,
  };
}

/** Profilers, and percentiles of `method·p0.50`, stand behind a middle dot. */
function labelOf(text: string): string {
  return /(?:^|\u00b7)(p[01]\.\d{1,10})$/.exec(text)?.[1] ?? text.replace(/^[^\p{L}\p{N}]+/u, "");
}

/** The decimal sign is that of the locale; there is none between thousands. */
function decimal(text: string): number {
  return scaledNumber(text.replace(",", "."), 0);
}
