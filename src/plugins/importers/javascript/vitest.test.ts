import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { vitest } from "./vitest.ts";

const folder = "test/samples/vitest";

reportImporterContract(
  vitest,
  ["bench.json", "console.txt"].map((name) => `${folder}/${name}`),
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

test("reads included samples, omits failures", async () => {
  const benchmarks = [{ name: "a", samples: [1, 2], mean: 1.5 }, { name: "b" }];
  const bytes = new TextEncoder().encode(JSON.stringify({ files: [{ groups: [{ fullName: "f", benchmarks }] }] }));
  const [run] = await readReport(vitest, bytes);
  expect(run!.rows).toEqual([
    { benchmark: "f > a", sample: 1, time: 0.001, mean: 0.0015 },
    { benchmark: "f > a", sample: 2, time: 0.002 },
  ]);
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode('{"files": [{"groups": [{"fullName": "a"}]}]}');
  await expect(readReport(vitest, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: 'some.file: files[0].groups[0]: it has no "benchmarks"',
  });
});

test("reads the console's repeated tables, without times of too few digits", async () => {
  const [run] = await readSample(vitest, `${folder}/console.txt`);
  expect(run!.rows).toEqual([
    {
      benchmark: "bench/a.bench.ts > sort > inner > one",
      rate: 2_893_729.57,
      max: 9.257e-3,
      margin: 80.3,
      samples: 86_812,
    },
    {
      benchmark: "bench/a.bench.ts > sort > normal case",
      rate: 286_439.63,
      max: 16.8677e-3,
      margin: 126.66,
      samples: 10_100,
    },
    {
      benchmark: "bench/a.bench.ts > sort > reverse",
      rate: 8_369_926.36,
      max: 4.0638e-3,
      margin: 38.52,
      samples: 251_098,
    },
    { benchmark: "bench/a.bench.ts > top", rate: 7_476_618.39, max: 7.8995e-3, margin: 60.49, samples: 263_667 },
  ]);
});

test("detects the groups of older versions by their indentation", async () => {
  const head = "     name  hz  min  max  mean  p75  p99  p995  p999  rme  samples";
  const line = "   · a b  41.60  0.1000  25.1000  24.0000  24.1  24.2  24.3  24.4  ±0.90%  21   fastest";
  const text = [
    " ✓ b.bench.ts (1) 1210ms",
    "   ✓ sort (1) 1209ms",
    head,
    line,
    " ✓ c.bench.ts (1) 5ms",
    head,
    line,
  ].join("\n");
  const [run] = await readReport(vitest, new TextEncoder().encode(text));
  expect(run!.rows.map(({ benchmark }) => benchmark)).toEqual(["b.bench.ts > sort > a b", "c.bench.ts > a b"]);
  expect(run!.rows[0]).toMatchObject({ rate: 41.6, min: 0.1e-3, mean: 0.024, p999: 24.4e-3, samples: 21 });
});
