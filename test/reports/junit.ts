import { expect } from "vitest";
import { readXml, type XmlElement } from "../../src/formats/text/xml.ts";

interface Rule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
}

const counts = ["tests", "failures", "errors", "disabled", "skipped"];

/**
 * Elements with their attributes and children, as the schemas of Jenkins (xunit plug-in, junit-10.xsd) and Ant agree;
 * Ant's has times and hosts besides.
 */
const rules: Readonly<Record<string, Rule>> = {
  testsuites: { required: [], optional: ["name", "time", ...counts], children: ["testsuite"] },
  testsuite: {
    required: ["name", "tests", "failures", "errors"],
    optional: ["time", "timestamp", "hostname", "id", "package", ...counts],
    children: ["properties", "testcase", "system-out", "system-err"],
  },
  testcase: {
    required: ["name", "classname"],
    optional: ["time", "status", "assertions", "file", "line"],
    children: ["skipped", "error", "failure", "system-out", "system-err"],
  },
  skipped: { required: [], optional: ["message", "type"], children: [] },
  failure: { required: ["type"], optional: ["message"], children: [] },
  error: { required: ["type"], optional: ["message"], children: [] },
  "system-out": { required: [], optional: [], children: [] },
  "system-err": { required: [], optional: [], children: [] },
};

/**
 * Fails unless the text is a JUnit report by these rules, with counts that are those of its cases, each of which has a
 * name of its own.
 */
export function expectJunit(text: string): XmlElement {
  // oxlint-disable-next-line no-control-regex -- characters that XML 1.0 does not have are what it looks for
  expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u);
  const root = readXml(text, "junit.xml");
  expect(root.name).toBe("testsuites");
  expectElement(root);
  for (const suite of root.children) expectCounts(suite);
  return root;
}

function expectElement(element: XmlElement): void {
  const rule = rules[element.name];
  expect(rule, element.name).toBeDefined();
  const names = [...element.attributes.keys()];
  expect(names).toEqual(expect.arrayContaining([...(rule?.required ?? [])]));
  expect([...(rule?.required ?? []), ...(rule?.optional ?? [])]).toEqual(expect.arrayContaining(names));
  for (const name of counts) if (element.attributes.has(name)) expect(element.attributes.get(name)).toMatch(/^\d+$/);
  expect(rule?.children).toEqual(expect.arrayContaining([...new Set(element.children.map((child) => child.name))]));
  element.children.forEach(expectElement);
}

function expectCounts(suite: XmlElement): void {
  const cases = suite.children.filter(({ name }) => name === "testcase");
  const having = (name: string): number =>
    cases.filter(({ children }) => children.some((child) => child.name === name)).length;
  const told = ["tests", "failures", "errors", "skipped"].map((name) => Number(suite.attributes.get(name) ?? 0));
  expect(told).toEqual([cases.length, having("failure"), having("error"), having("skipped")]);
  for (const { children } of cases)
    expect(children.filter(({ name }) => ["skipped", "error", "failure"].includes(name)).length).toBeLessThanOrEqual(1);
  const names = cases.map(({ attributes }) => JSON.stringify([attributes.get("classname"), attributes.get("name")]));
  expect(new Set(names).size).toBe(names.length);
}
