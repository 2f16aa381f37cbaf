import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { catch2Xml } from "./catch2.ts";

const sample = "test/samples/catch2-xml/two-cases.xml";

reportImporterContract(catch2Xml, [sample]);

test("reads means and deviations in seconds, with test case and section", async () => {
  const [run] = await readSample(catch2Xml, sample);
  expect(run!.rows).toHaveLength(4);
  expect(run!.rows[1]).toEqual({
    benchmark: "fib 20",
    test_case: "Fibonacci",
    mean: 79_362.2e-9,
    lower: 8925.92e-9,
    upper: 431_390e-9,
    stddev: 700_597e-9,
    stddev_lower: 365.987e-9,
    stddev_upper: 1.67219e-3,
    samples: 100,
    iterations: 3,
  });
  expect(run!.rows[3]).toMatchObject({
    benchmark: "fib 10",
    test_case: "Sorted",
    section: "by sections",
    mean: 668.073e-9,
  });
});

test("reads the root of version 3, and refuses others and truncated files", async () => {
  const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
  const benchmark = '<BenchmarkResults name="b" samples="1" iterations="2"><mean value="3"/></BenchmarkResults>';
  const [run] = await readReport(
    catch2Xml,
    bytesOf(`<Catch2TestRun catch2-version="3.4.0"><TestCase name="t">${benchmark}</TestCase></Catch2TestRun>`),
  );
  expect([run!.once, run!.rows]).toEqual([
    { catch2: "3.4.0" },
    [{ benchmark: "b", test_case: "t", mean: 3e-9, samples: 1, iterations: 2 }],
  ]);
  await expect(readReport(catch2Xml, bytesOf("<a/>"))).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file:1: its root element is <a>, neither <Catch2TestRun> nor <Catch>",
  });
  await expect(readReport(catch2Xml, bytesOf(`<Catch><TestCase name="t">${benchmark}`))).rejects.toMatchObject({
    code: "damaged-report",
  });
});
