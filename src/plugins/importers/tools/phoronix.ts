import type { BenchmarkReport, BenchmarkResult } from "../../../core/measurements/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import {
  MetricList,
  performedAt,
  toBaseUnit,
  reportUnit,
  childText,
  reportXml,
  rootName,
} from "../../../formats/benchmarks/index.ts";
import { printedNumber, type XmlElement } from "../../../formats/text/index.ts";
import { reportImporter } from "../report-importer.ts";

/** HIB and LIB: higher, lower is better. */
const directions: ReadonlyMap<string, "lower" | "higher"> = new Map([
  ["HIB", "higher"],
  ["LIB", "lower"],
]);

/** `composite.xml` of the Phoronix Test Suite 5 to 10: each test on each system, with the results of all its runs. */
export const phoronix = reportImporter({
  name: "phoronix",
  synopsis: "Phoronix Test Suite: composite.xml",
  marks: "XML whose root element is <PhoronixTestSuite>",
  sniff: (head) => (rootName(head) === "PhoronixTestSuite" ? 1 : 0),
  reports: (bytes, file) => [report(reportXml(bytes, file))],
});

function report(root: XmlElement): BenchmarkReport {
  if (root.name !== "PhoronixTestSuite") {
    const problem = `its root element is <${root.name.slice(0, 40)}>, not <PhoronixTestSuite>`;
    throw new Failure("damaged-report", { file: root.file, line: root.line, problem });
  }
  const metrics = new MetricList();
  const results = named(root, "Result").flatMap((result) => resultsOf(result, metrics));
  const generated = root.children.find(({ name }) => name === "Generated");
  const facts = new Map<string, Value>();
  for (const [fact, member] of [
    ["title", "Title"],
    ["phoronix_test_suite", "TestClient"],
  ] as const) {
    const text = generated ? childText(generated, member) : "";
    if (text !== "") facts.set(fact, text);
  }
  for (const [fact, member] of [
    ["hardware", "Hardware"],
    ["software", "Software"],
  ] as const) {
    const texts = new Set(named(root, "System").map((system) => childText(system, member)));
    const [text = ""] = texts;
    // With several systems each row names its own.
    if (texts.size === 1 && text !== "") facts.set(fact, text);
  }
  return {
    facts,
    metrics: metrics.metrics,
    results,
    ...(generated ? performedAt(childText(generated, "LastModified")) : {}),
  };
}

function named(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** One result per system. Images, line graphs and failed tests have no single value. */
function resultsOf(result: XmlElement, metrics: MetricList): BenchmarkResult[] {
  const unit = reportUnit(childText(result, "Scale"));
  const better = directions.get(childText(result, "Proportion").toUpperCase());
  const entries = named(result, "Data").flatMap((data) => named(data, "Entry"));
  return entries.flatMap((entry): BenchmarkResult[] => {
    const value = printedNumber(childText(entry, "Value"));
    if (Number.isNaN(value)) return [];
    const raw = childText(entry, "RawString")
      .split(":")
      .map((text) => printedNumber(text.trim()));
    const samples = raw.length > 1 && raw.every((each) => Number.isFinite(each)) ? raw : [value];
    const metric = metrics.add({ name: unit.quantity, unit: unit.unit, ...(better ? { better } : {}) });
    const values = new Map([[metric, samples.map((each) => toBaseUnit(each, unit))]]);
    return [{ benchmark: childText(result, "Title"), parameters: parametersOf(result, entry), values }];
  });
}

function parametersOf(result: XmlElement, entry: XmlElement): Map<string, Value> {
  const given = [
    ["test", childText(result, "Identifier")],
    ["version", childText(result, "AppVersion")],
    ["options", childText(result, "Description")],
    ["arguments", childText(result, "Arguments")],
    ["system", childText(entry, "Identifier")],
  ] as const;
  return new Map(given.filter(([, text]) => text !== ""));
}
