import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { printedNumber, type XmlElement } from "../../../formats/text/index.ts";
import {
  performedAt,
  reportOf,
  reportUnit,
  reportXml,
  rootName,
  toBaseUnit,
} from "../../../formats/benchmarks/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { LogResults } from "../log-importer.ts";
import { reportImporter } from "../report-importer.ts";

const metrics: readonly ReportMetric[] = [
  { name: "time", unit: "s", better: "lower", synopsis: "wall time of the test case" },
];

const notPassed = new Set(["failure", "error", "skipped", "rerunFailure", "rerunError", "disabled"]);
const notRun = new Set(["notrun", "skipped", "disabled", "fail", "failed", "error", "suppressed"]);

/**
 * JUnit XML of Ant, Maven Surefire, Gradle, pytest, Jest, Vitest, GoogleTest, CTest and others: times of test cases
 * that ran and passed.
 */
export const junit = reportImporter({
  name: "junit",
  synopsis: "JUnit XML: pytest --junit-xml, vitest --reporter=junit, surefire, ctest --output-junit",
  marks: "XML whose root element is <testsuites> or <testsuite>",
  sniff: (head) => (["testsuites", "testsuite"].includes(rootName(head)) ? 0.9 : 0),
  reports: (bytes, file) => [report(reportXml(bytes, file))],
});

function report(root: XmlElement): BenchmarkReport {
  if (root.name !== "testsuites" && root.name !== "testsuite") {
    const problem = `its root element is <${root.name.slice(0, 40)}>, neither <testsuites> nor <testsuite>`;
    throw new Failure("damaged-report", { file: root.file, line: root.line, problem });
  }
  const results: BenchmarkResult[] = [];
  collect(root, [], results);
  const first = root.name === "testsuite" ? root : root.children.find(({ name }) => name === "testsuite");
  const host = first?.attributes.get("hostname");
  const facts = new Map<string, Value>(host ? [["host", host]] : []);
  return reportOf(metrics, results, {
    facts,
    ...performedAt(root.attributes.get("timestamp") ?? first?.attributes.get("timestamp")),
  });
}

function collect(element: XmlElement, suites: readonly string[], results: BenchmarkResult[]): void {
  const name = element.name === "testsuite" ? (element.attributes.get("name") ?? "") : "";
  const path = name === "" ? suites : [...suites, name];
  for (const child of element.children) {
    if (child.name === "testsuite") collect(child, path, results);
    else if (child.name === "testcase") results.push(...caseResult(child, path));
  }
}

function caseResult({ attributes, children }: XmlElement, suites: readonly string[]): BenchmarkResult[] {
  const time = printedNumber(attributes.get("time")?.trim() ?? "");
  const states = [attributes.get("status"), attributes.get("result")].map((state) => state?.toLowerCase() ?? "");
  if (
    Number.isNaN(time) ||
    children.some(({ name }) => notPassed.has(name)) ||
    states.some((state) => notRun.has(state))
  )
    return [];
  const parameters = new Map<string, Value>();
  const classname = attributes.get("classname") ?? "";
  if (suites.length > 0) parameters.set("suite", suites.join(" > "));
  if (classname !== "") parameters.set("class", classname);
  return [{ benchmark: attributes.get("name") ?? "", parameters, values: new Map([["time", time]]) }];
}

/** Columns with codes and lists of processors. */
const codes = new Set(["returnvalue", "exitcode", "exitsignal", "cpuCores", "memoryNodes"]);

const time = (name: string): ReportMetric => ({ name, unit: "s", better: "lower" });

/** BenchExec 1.0 to 3.30: the results of a run definition, before they are compressed. */
export const benchexec = reportImporter({
  name: "benchexec",
  synopsis: "BenchExec (results .xml; decompress .xml.bz2 first)",
  marks: "XML whose root element is <result benchmarkname=… tool=…>, with <run> and <column title= value=>",
  sniff: (head) =>
    rootName(head) === "result" && /<result\s[^>]{0,2000}\bbenchmarkname=/.test(new TextDecoder().decode(head)) ? 1 : 0,
  reports: (bytes, file) => [runReport(reportXml(bytes, file), file)],
});

function runReport(root: XmlElement, file: string): BenchmarkReport {
  if (root.name !== "result")
    throw new Failure("damaged-report", { file, line: root.line, problem: `the root element is <${root.name}>` });
  const results = new LogResults([
    time("cputime"),
    time("walltime"),
    { name: "memory", unit: "Byte", better: "lower" },
  ]);
  const facts = { benchmarkname: "benchmark_set", name: "run_definition", tool: "tool", version: "tool_version" };
  for (const [attribute, fact] of Object.entries(facts)) {
    const text = root.attributes.get(attribute);
    if (text !== undefined) results.fact(fact, text);
  }
  for (const run of root.children) if (run.name === "run") addRun(results, run);
  return results.report();
}

function addRun(results: LogResults, run: XmlElement): void {
  const name = run.attributes.get("name");
  if (name === undefined || name === "") {
    const problem = "<run> has no name";
    throw new Failure("damaged-report", { file: run.file, line: run.line, problem });
  }
  const values = new Map<string, number>();
  const parameters = new Map<string, Value>();
  for (const { name: element, attributes } of run.children) {
    const [title = "", text = ""] = [attributes.get("title"), attributes.get("value")];
    if (element !== "column" || title === "" || codes.has(title)) continue;
    if (/^(?:status|category|host)$/.test(title)) parameters.set(title, text);
    else addFigure(results, values, title, text);
  }
  results.add(name, values, parameters);
}

/** `18.07s`, `624906240B`, `157.9J`; other texts are no figures. */
function addFigure(results: LogResults, values: Map<string, number>, title: string, text: string): void {
  const [, number = "", unit = ""] = /^(-?[\d.]{1,40}(?:e[+-]?\d{1,3})?) {0,3}([A-Za-z%]{0,20})$/i.exec(text) ?? [];
  if (number === "") return;
  const known = reportUnit(unit === "B" ? "Byte" : unit);
  results.metric({ name: title, unit: known.unit });
  values.set(title, toBaseUnit(printedNumber(number), known));
}
