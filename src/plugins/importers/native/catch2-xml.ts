import type { BenchmarkReport } from "../../../core/measurements/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import type { Value } from "../../../core/values/index.ts";
import { catch2Metrics, RepeatedResults, reportXml, rootName } from "../../../formats/benchmarks/index.ts";
import { printedNumber, printedSeconds, type XmlElement } from "../../../formats/text/index.ts";
import { reportImporter } from "../report-importer.ts";

/** `Catch` is the root of version 2. */
const roots = ["Catch2TestRun", "Catch"];

/** The XML reporter of Catch2, versions 2 and 3; all its times are nanoseconds. */
export const catch2Xml = reportImporter({
  name: "catch2-xml",
  synopsis: "benchmarks of Catch2, -r xml",
  marks: "XML whose root element is <Catch2TestRun> or <Catch>",
  sniff: (head) => (roots.includes(rootName(head)) ? 0.9 : 0),
  reports: (bytes, file) => [report(reportXml(bytes, file))],
});

function report(root: XmlElement): BenchmarkReport {
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
    if (child.name === "BenchmarkResults") results.add(name, valuesOf(child), parametersOf(test, sections));
    else if (child.name === "TestCase") collect(child, name, [], results);
    else collect(child, test, child.name === "Section" ? [...sections, name] : sections, results);
  }
}

function parametersOf(test: string | undefined, sections: readonly string[]): ReadonlyMap<string, Value> {
  const parameters = new Map<string, Value>(test === undefined ? [] : [["test_case", test]]);
  return sections.length === 0 ? parameters : parameters.set("section", sections.join("/"));
}

function valuesOf({ attributes, children }: XmlElement): [string, number][] {
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
