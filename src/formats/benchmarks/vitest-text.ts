import { printedNumber, printedSeconds } from "../text/parse-quantity.ts";
import { someLine } from "./report/report-text.ts";

/** A row of the tables that `vitest bench` shows, in seconds. */
export interface VitestRow {
  /** `file > describe > describe > name`. */
  readonly benchmark: string;
  readonly values: readonly (readonly [metric: string, value: number])[];
}

const columns = ["min", "max", "mean", "p75", "p99", "p995", "p999"];
const head =
  /^name {1,400}hz {1,40}min {1,40}max {1,40}mean {1,40}p75 {1,40}p99 {1,40}p995 {1,40}p999 {1,40}rme {1,40}samples$/;
const row =
  /^ {1,20}· (.{1,500}?) {1,400}((?:[\d,.]{1,30} {1,30}){8})±([\d.]{1,12})% {1,30}(\d{1,15})(?: {1,20}(?:fastest|slowest))?$/;
/** The file or group whose table follows. Before version 3 groups stand indented below their file. */
const place = /^( {0,40})[✓❯√·] (.{1,2000}?)(?: \(\d{1,9}\))?(?: [\d.]{1,20}m?s)?$/;

/** Whether lines have such a table. */
export function isVitestText(lines: Iterable<string>): boolean {
  return someLine(lines, (line) => head.test(line.trim()));
}

/** A table is shown again whenever something of its file has ended: of rows with the same name the last one holds. */
export function vitestTextRows(lines: Iterable<string>): VitestRow[] {
  const found = new Map<string, VitestRow>();
  let places: { readonly indent: number; readonly name: string }[] = [];
  for (const raw of lines) {
    const line = raw.trimEnd();
    const [, name, numbers = "", margin = "", samples = ""] = row.exec(line) ?? [];
    if (name !== undefined) {
      const benchmark = [...places.map((each) => each.name), name.trim()].join(" > ");
      found.set(benchmark, { benchmark, values: valuesOf(numbers.trim().split(/ +/), margin, samples) });
      continue;
    }
    const [, indent = "", group] = place.exec(line) ?? [];
    if (group === undefined) continue;
    places = [...places.filter((each) => each.indent < indent.length), { indent: indent.length, name: group }];
  }
  return [...found.values()];
}

/** Times are told in milliseconds with four decimals; what has fewer than three digits there tells too little. */
function valuesOf([rate = "", ...times]: readonly string[], margin: string, samples: string): [string, number][] {
  const told = columns.map((name, at): [string, number] => [name, printedSeconds(times[at] ?? "", "ms")]);
  return [
    ["rate", printedNumber(rate)],
    ...told.filter(([, value]) => value >= 1e-5),
    ["margin", printedNumber(margin)],
    ["samples", printedNumber(samples)],
  ];
}
