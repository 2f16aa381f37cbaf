import { expect, test } from "vitest";
import { readReport } from "../../../test/contracts/report-importer.ts";
import type { BenchmarkResult } from "../../core/measurements/benchmark-report.ts";
import { reportImporter } from "./report-importer.ts";

/** An importer that finds some results in any input. */
function finding(results: readonly BenchmarkResult[], metrics = ["time"]): Promise<unknown[]> {
  const report = { metrics: metrics.map((name) => ({ name })), results };
  const importer = reportImporter({ name: "some", synopsis: "", marks: "", sniff: () => 0, reports: () => [report] });
  return readReport(importer, new Uint8Array(1));
}

const values = new Map([["time", 1]]);

test("a report with a column per result is refused before it takes quadratic memory", async () => {
  const wide = Array.from({ length: 1001 }, (_, at) => ({
    benchmark: "a",
    parameters: new Map([[`p${at}`, at]]),
    values,
  }));
  await expect(finding(wide)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: it has 1002 different parameters and quantities; the limit is 1000",
  });
  expect(await finding(wide.slice(0, 999))).toHaveLength(1);
  const metrics = Array.from({ length: 1001 }, (_, at) => `m${at}`);
  await expect(finding([{ benchmark: "a", values }], metrics)).rejects.toMatchObject({ code: "damaged-report" });
});

test("many results of many columns arrive in tables of bounded size", async () => {
  const parameters = new Map(Array.from({ length: 900 }, (_, at) => [`p${at}`, at]));
  const results = Array.from({ length: 3000 }, () => ({ benchmark: "a", parameters, values }));
  const [run] = (await finding(results)) as { rows: unknown[] }[];
  expect(run!.rows).toHaveLength(3000);
});

test("a file without results is refused", async () => {
  await expect(finding([])).rejects.toMatchObject({
    code: "no-results",
    message: "some.file has no benchmark result in the format some",
  });
});
