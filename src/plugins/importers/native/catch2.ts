import { Failure } from "../../../core/failures/index.ts";
import type { BenchmarkReport, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { RepeatedResults, reportLines, reportXml, rootName, someLine } from "../../../formats/benchmarks/index.ts";
import { printedNumber, printedSeconds, type XmlElement } from "../../../formats/text/index.ts";
import { reportImporter } from "../report-importer.ts";

/** Metrics of a Catch2 benchmark, the same for all reporters. */
const catch2Metrics: readonly ReportMetric[] = [
  { name: "mean", unit: "s", better: "lower", synopsis: "mean wall time of a call" },
  { name: "lower", unit: "s", better: "lower", synopsis: "lower bound of the mean" },
  { name: "upper", unit: "s", better: "lower", synopsis: "upper bound of the mean" },
  { name: "stddev", unit: "s" },
  { name: "stddev_lower", unit: "s" },
  { name: "stddev_upper", unit: "s" },
  { name: "samples", better: "higher", whole: true },
  { name: "iterations", better: "higher", whole: true, synopsis: "calls in each sample" },
];

/** The head of the table; the last column is `mean` with --benchmark-no-analysis. */
const head = /^benchmark name {2,200}samples {1,200}iterations {1,200}(est run time|estimated|mean)$/;
const first = /^(\d{1,15}) {1,200}(\d{1,15}) {1,200}([\d.e+-]{1,30}) (ns|us|ms|s|m|h)$/;
/** An amount and its unit. */
const duration = String.raw`([\d.e+-]{1,30}) (ns|us|ms|s|m|h)`;
const triple = new RegExp(`^ {10,400}${duration} {1,100}${duration} {1,100}${duration}$`);

/** The console reporter of Catch2, versions 2 and 3. */
export const catch2 = reportImporter({
  name: "catch2",
  synopsis: "benchmarks of Catch2, console reporter",
  marks: "a line with `benchmark name`, samples, iterations and `est run time`, `estimated` or `mean`",
  sniff: (bytes) => (someLine(reportLines(bytes), (line) => head.test(line.trimEnd())) ? 1 : 0),
  reports: (bytes) => [report(reportLines(bytes))],
});

const dashes = /^-{60,200}$/;

interface Open {
  readonly name: string;
  readonly values: [string, number][];
  readonly parameters: ReadonlyMap<string, Value>;
  /** Rows read so far: the mean and the deviation. */
  rows: number;
}

function report(lines: Iterable<string>): BenchmarkReport {
  const results = new RepeatedResults();
  for (const { name, values, parameters } of benchmarksIn(lines)) results.add(name, values, parameters);
  return results.report(catch2Metrics);
}

function* benchmarksIn(lines: Iterable<string>): Generator<Open> {
  const position = new TestPosition();
  let name: string[] = [];
  let isShort: boolean | undefined;
  let isHead = false;
  let open: Open | undefined;
  for (const raw of lines) {
    const line = raw.trimEnd();
    const last = head.exec(line)?.[1];
    if (last !== undefined) [isHead, isShort, name] = [true, last === "mean", []];
    if (isHead || position.take(line) || isShort === undefined) {
      isHead &&= !dashes.test(line);
      name = [];
      continue;
    }
    const row = triple.exec(line);
    if (row && open) open.values.push(...rowOf(row, open.rows++));
    if (row || line === "") continue;
    const start = beginningOf(line, name, isShort);
    if (!start) {
      name.push(line.trim());
      continue;
    }
    if (open) yield open;
    open = { ...start, parameters: position.parameters, rows: 0 };
    name = [];
  }
  if (open) yield open;
}

/** Parses the line that ends the name of a benchmark with its sample counts. A long name takes lines before it. */
function beginningOf(
  line: string,
  name: readonly string[],
  isShort: boolean,
): Pick<Open, "name" | "values"> | undefined {
  const from = line.search(/ {2,}\d{1,15} {1,200}\d{1,15} {1,200}[\d.e+-]{1,30} (?:ns|us|ms|s|m|h)$/);
  const [, samples, iterations = "", amount = "", unit = ""] =
    from < 0 ? [] : (first.exec(line.slice(from).trim()) ?? []);
  if (samples === undefined) return undefined;
  const values: [string, number][] = [
    ["samples", printedNumber(samples)],
    ["iterations", printedNumber(iterations)],
  ];
  if (isShort) values.push(["mean", printedSeconds(amount, unit)]);
  return { name: unwrapped(linesOfName([...name, line.slice(0, from).trim()])), values };
}

/** Width of the column of names: 80 columns for all, less 43 for numbers and two between. */
const nameWidth = 35;

/** The last line and the full lines above it: other lines were printed by the measured program. */
function linesOfName(lines: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const line of lines.toReversed()) if (found.length === 0 || isFull(line, found[0]!)) found.unshift(line);
  return found;
}

/** Whether a line of a name ends where the first word of the next line did not fit. */
function isFull(line: string, next: string): boolean {
  const [word = ""] = /^.[^\s[({<|\])}>.,:;*+\-=&/\\]*./.exec(next) ?? [next];
  return line.length <= nameWidth && line.length + 1 + word.length > nameWidth;
}

/**
 * Joins the lines of a wrapped name. Catch2 breaks at blanks, before `[({<|`, after `])}>.,:;*+-=&/\`, and else within
 * a word with a hyphen (TextFlow, Catch2 2.13 and 3.5). A line that could have ended at another character had no blank.
 */
function unwrapped(lines: readonly string[]): string {
  let name = lines[0] ?? "";
  for (const [at, next] of lines.slice(1).entries()) {
    const line = lines[at]!;
    const isCut =
      line.length === nameWidth && line.endsWith("-") && !/[\s[({<|\])}>.,:;*+\-=&/\\]/.test(line.slice(1, -1));
    name = isCut ? name.slice(0, -1) + next : `${name}${isBrokenWithoutBlank(line, next) ? "" : " "}${next}`;
  }
  return name.trim();
}

/** Whether a name continues without a blank: in code (`std::vector<int>::begin`), but not between words. */
function isBrokenWithoutBlank(line: string, next: string): boolean {
  const isCode = !line.includes(" ") || /[\w.:]*(?:::|\w_|[a-z][A-Z])\w*$/.test(line);
  if (/^(?:[<|]\S|:)/.test(next) || /[[({<|]$/.test(line)) return true;
  if (/^[[({]/.test(next)) return isCode;
  if (/(?:^|\s)[*+=&/\\-]$/.test(line)) return false;
  if (/(?:[&/\\*+=-]|::|\d\.)$/.test(line)) return true;
  if (line.endsWith(".")) return isCode;
  return /[\])}>]$/.test(line) && /^[:.,;)\]}>&*]/.test(next);
}

function rowOf(row: readonly string[], at: number): [string, number][] {
  const names = at === 0 ? ["mean", "lower", "upper"] : ["stddev", "stddev_lower", "stddev_upper"];
  return names.map((name, i) => [name, printedSeconds(row[2 * i + 1]!, row[2 * i + 2]!)]);
}

/** The test case and sections between two lines of dashes, above a line of dots. */
class TestPosition {
  parameters: ReadonlyMap<string, Value> = new Map();
  isWithin = false;
  #names: string[] = [];
  #isComplete = false;

  /** True when the line belongs to the position rather than to results. */
  take(line: string): boolean {
    if (dashes.test(line)) {
      if (this.isWithin) this.#isComplete = true;
      this.isWithin = !this.#isComplete;
      this.#names = this.#isComplete ? this.#names : [];
      return true;
    }
    if (/^\.{60,200}$/.test(line)) {
      this.#close();
      return true;
    }
    if (this.isWithin) this.#names.push(line);
    return this.isWithin || this.#isComplete;
  }

  #close(): void {
    const isSection = (name: string): boolean => name.startsWith("  ");
    const test = this.#names.filter((name) => name !== "" && !isSection(name)).join(" ");
    const section = this.#names.filter(isSection).map((name) => name.trim());
    this.parameters = new Map([
      ...(test === "" ? [] : [["test_case", test] as const]),
      ...(section.length === 0 ? [] : [["section", section.join("/")] as const]),
    ]);
    [this.isWithin, this.#isComplete, this.#names] = [false, false, []];
  }
}

/** `Catch` is the root of version 2. */
const roots = ["Catch2TestRun", "Catch"];

/** The XML reporter of Catch2, versions 2 and 3; all its times are nanoseconds. */
export const catch2Xml = reportImporter({
  name: "catch2-xml",
  synopsis: "benchmarks of Catch2, -r xml",
  marks: "XML whose root element is <Catch2TestRun> or <Catch>",
  sniff: (head) => (roots.includes(rootName(head)) ? 0.9 : 0),
  reports: (bytes, file) => [xmlReport(reportXml(bytes, file))],
});

function xmlReport(root: XmlElement): BenchmarkReport {
  if (!roots.includes(root.name)) {
    const problem = `its root element is <${root.name.slice(0, 40)}>, neither <Catch2TestRun> nor <Catch>`;
    throw new Failure("damaged-report", { file: root.file, line: root.line, problem });
  }
  const results = new RepeatedResults();
  collect(root, undefined, [], results);
  const version = root.attributes.get("catch2-version");
  return results.report(catch2Metrics, { facts: new Map(version === undefined ? [] : [["catch2", version]]) });
}

function collect(
  { children }: XmlElement,
  test: string | undefined,
  sections: readonly string[],
  results: RepeatedResults,
): void {
  for (const child of children) {
    const name = child.attributes.get("name")?.trim() ?? "";
    if (child.name === "BenchmarkResults") results.add(name, xmlValuesOf(child), sectionParameters(test, sections));
    else if (child.name === "TestCase") collect(child, name, [], results);
    else collect(child, test, child.name === "Section" ? [...sections, name] : sections, results);
  }
}

function sectionParameters(test: string | undefined, sections: readonly string[]): ReadonlyMap<string, Value> {
  const parameters = new Map<string, Value>(test === undefined ? [] : [["test_case", test]]);
  return sections.length === 0 ? parameters : parameters.set("section", sections.join("/"));
}

function xmlValuesOf({ attributes, children }: XmlElement): [string, number][] {
  const times = (element: string, names: readonly string[]): [string, number][] => {
    const found = children.find(({ name }) => name === element)?.attributes;
    const attribute = ["value", "lowerBound", "upperBound"];
    return names.map((name, at) => [name, printedSeconds(found?.get(attribute[at]!) ?? "", "ns")]);
  };
  return [
    ...times("mean", ["mean", "lower", "upper"]),
    ...times("standardDeviation", ["stddev", "stddev_lower", "stddev_upper"]),
    ["samples", printedNumber(attributes.get("samples") ?? "")],
    ["iterations", printedNumber(attributes.get("iterations") ?? "")],
  ];
}
