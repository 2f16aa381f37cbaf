import type { BenchmarkReport, BenchmarkResult, ReportMetric } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { printedNumber, type XmlElement } from "../../../formats/text/index.ts";
import { performedAt, reportOf, reportXml, rootName } from "../../../formats/benchmarks/index.ts";
import { Failure } from "../../../core/failures/index.ts";
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
