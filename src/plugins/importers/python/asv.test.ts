import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { asv } from "./asv.ts";

const folder = "test/samples/asv";

reportImporterContract(
  asv,
  ["first.json", "second.json"].map((name) => `${folder}/${name}`),
);

test("expands the combinations of parameters, the last of which varies fastest", async () => {
  const [run] = await readSample(asv, `${folder}/second.json`);
  const sorted = run!.rows.filter(
    ({ benchmark, median }) => benchmark === "suite.Sort.time_sort" && median !== undefined,
  );
  expect(
    sorted.map(({ param1, param2, time, median, lower, q3 }) => [param1, param2, time, median, lower, q3]),
  ).toEqual([
    ["'list'", 10, 0.0009, 0.001, 0.0005, 0.0012],
    ["'list'", 1000, 0.0019, 0.002, 0.0015, 0.0022],
    ["'array'", 1000, 0.0039, 0.004, 0.0035, 0.0042],
  ]);
  expect(run!.rows.slice(9)).toEqual([
    { benchmark: "suite.mem_list", bytes: 824 },
    { benchmark: "suite.peakmem_list", peak_memory: 28_311_552 },
    { benchmark: "suite.track_ratio", value: 0.75 },
  ]);
  expect(run!.about).toMatchObject({
    performed: 1_700_000_100_500_000,
    commit: "0123456789abcdef0123456789abcdef01234567",
  });
  expect(run!.once).toMatchObject({ machine: "vm", environment: "virtualenv-py3.11-numpy" });
});

test("reads numbers of version 1, and reports results that need `asv update`", async () => {
  const [run] = await readSample(asv, `${folder}/first.json`);
  expect(run!.rows).toEqual([
    { benchmark: "time_units.time_parse", time: 0.00025 },
    { benchmark: "time_units.mem_unit", bytes: 344 },
  ]);
  expect(run!.notices).toEqual([expect.stringMatching(/^skipped time_units.time_sized, .* `asv update`/)]);
  expect(run!.about.performed).toBe(1_600_000_000_000_000);
});

test("reports the problem and its location", async () => {
  const bytes = new TextEncoder().encode(
    '{"commit_hash": "", "result_columns": ["result", "params"], "results": {"time_a": [[1], [[1]]]}}',
  );
  await expect(readReport(asv, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: results.time_a[1][0][0]: it is not a string",
  });
});
