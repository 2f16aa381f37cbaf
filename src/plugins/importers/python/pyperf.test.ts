import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { pyperf } from "./pyperf.ts";

const folder = "test/samples/pyperf";

reportImporterContract(
  pyperf,
  ["timeit.json"].map((name) => `${folder}/${name}`),
);

test("keeps the values of all processes, separate from warmups", async () => {
  const [run] = await readSample(pyperf, `${folder}/timeit.json`);
  expect(run!.rows).toEqual([
    { benchmark: "sort", sample: 1, time: 2e-6, warmup: 2.5e-6 },
    { benchmark: "sort", sample: 2, time: 2.125e-6, warmup: 2.25e-6 },
    { benchmark: "sort", sample: 3, time: 2.0625e-6, warmup: 3e-6 },
    { benchmark: "sort", sample: 4, time: 2.03125e-6, warmup: 2.75e-6 },
    { benchmark: "size", sample: 1, bytes: 4096 },
    { benchmark: "size", sample: 2, bytes: 8192 },
    { benchmark: "calls", sample: 1, value: 12 },
  ]);
  expect(run!.once).toMatchObject({ pyperf: "2.7.0", cpus: 2, host: "vm" });
  expect(run!.about.performed).toBe(Date.UTC(2026, 2, 1, 12, 0, 0, 250) * 1000);
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('{"benchmarks": [{"runs": [{"values": 1}]}]}');
  await expect(readReport(pyperf, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: benchmarks[0].runs[0].values: it is not a list",
  });
});
