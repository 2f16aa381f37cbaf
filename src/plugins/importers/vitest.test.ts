import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../test/contracts/report-importer.ts";
import { vitest } from "./vitest.ts";

const folder = "test/samples/vitest";

reportImporterContract(
  vitest,
  ["bench.json"].map((name) => `${folder}/${name}`),
);

test("milliseconds become seconds, groups are the path of the name", async () => {
  const [run] = await readSample(vitest, `${folder}/bench.json`);
  expect(run!.rows.map(({ benchmark }) => benchmark)).toEqual([
    "sort.bench.ts > sort > numbers",
    "sort.bench.ts > sort > texts",
    "sort.bench.ts > copy > spread",
  ]);
  expect(run!.rows[0]).toMatchObject({
    mean: 0.015813150197628686 / 1000,
    rate: 63238.506401460625,
    samples: 1265,
    p99: 0.04394800000000032 / 1000,
  });
});

test("keeps samples that are included, leaves out what failed", async () => {
  const benchmarks = [{ name: "a", samples: [1, 2], mean: 1.5 }, { name: "b" }];
  const bytes = new TextEncoder().encode(JSON.stringify({ files: [{ groups: [{ fullName: "f", benchmarks }] }] }));
  const [run] = await readReport(vitest, bytes);
  expect(run!.rows).toEqual([
    { benchmark: "f > a", sample: 1, time: 0.001, mean: 0.0015 },
    { benchmark: "f > a", sample: 2, time: 0.002 },
  ]);
});

test("tells what is wrong, and where", async () => {
  const bytes = new TextEncoder().encode('{"files": [{"groups": [{"fullName": "a"}]}]}');
  await expect(readReport(vitest, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: 'some.file: files[0].groups[0]: it has no "benchmarks"',
  });
});
