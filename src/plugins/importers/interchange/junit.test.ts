import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { junit } from "./junit.ts";

const folder = "test/samples/junit";

reportImporterContract(
  junit,
  ["pytest.xml", "vitest.xml"].map((name) => `${folder}/${name}`),
);

test("reads the times of passed cases", async () => {
  const [run] = await readSample(junit, `${folder}/pytest.xml`);
  expect(run!.rows.map(({ benchmark }) => benchmark)).toEqual([
    "test_sorted",
    "test_copy[list-10]",
    "test_copy[list-1000]",
    "test_copy[tuple-10]",
    "test_copy[tuple-1000]",
    "test_join",
    "test_plain",
  ]);
  expect(run!.rows[0]).toEqual({ benchmark: "test_sorted", suite: "pytest", class: "test_sort", time: 1.001 });
  expect(run!.about.performed).toBe(Date.UTC(2026, 10, 21, 21, 50, 35, 119) * 1000 + 939);
});

test("nested suites, cases that did not run, times with commas", async () => {
  const cases = [
    '<testcase name="a" time="1,234.5"/><testcase name="b" time="1" status="notrun"/>',
    '<testcase name="c"/><testcase name="d" time="2"><error/></testcase>',
  ].join("");
  const text = `<testsuites><testsuite name="x"><testsuite name="y">${cases}</testsuite></testsuite></testsuites>`;
  const [run] = await readReport(junit, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([{ benchmark: "a", suite: "x > y", time: 1234.5 }]);
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode("<testsuite>\n<testcase>");
  await expect(readReport(junit, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file:2: unclosed tag: testcase",
  });
});
