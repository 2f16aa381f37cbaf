import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { phoronix } from "./phoronix.ts";

const folder = "test/samples/phoronix";

reportImporterContract(
  phoronix,
  ["composite.xml"].map((name) => `${folder}/${name}`),
);

test("keeps the results of all runs on all systems", async () => {
  const [run] = await readSample(phoronix, `${folder}/composite.xml`);
  expect(run!.rows.map(({ benchmark, system, sample, MIPS, time }) => [benchmark, system, sample, MIPS, time])).toEqual(
    [
      ["7-Zip Compression", "before", 1, 5000, undefined],
      ["7-Zip Compression", "before", 2, 5050, undefined],
      ["7-Zip Compression", "before", 3, 5100, undefined],
      ["7-Zip Compression", "after", 1, 5200, undefined],
      ["Timed Compilation", "before", 1, undefined, 61.25],
      ["Timed Compilation", "before", 2, undefined, 61.75],
    ],
  );
  expect(run!.rows[4]).toMatchObject({
    test: "pts/compile-1.0.0",
    version: "1.0",
    options: "Time To Compile",
    arguments: "-j 2",
  });
  expect(run!.variables.find(({ name }) => name === "MIPS")).toMatchObject({ better: "higher" });
  expect(run!.once).toMatchObject({ title: "sorting", hardware: "Processor: Intel Xeon (2 Cores), Memory: 24GB" });
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode("<html></html>");
  await expect(readReport(phoronix, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file:1: its root element is <html>, not <PhoronixTestSuite>",
  });
});
