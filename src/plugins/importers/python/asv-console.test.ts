import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { asvConsole } from "./asv-console.ts";

const folder = "test/samples/asv-console";

reportImporterContract(
  asvConsole,
  ["run.txt", "tables.txt"].map((name) => `${folder}/${name}`),
);

test("reads times, memory and numbers of each environment, and the commit", async () => {
  const [run] = await readSample(asvConsole, `${folder}/run.txt`);
  expect(run!.about.commit).toBe("4238c44d");
  const [first, second] = ["virtualenv-py3.11", "virtualenv-py3.12"];
  expect(run!.rows).toEqual([
    { benchmark: "suite.Sort.mem_list", environment: first, memory: 2420 },
    { benchmark: "suite.Sort.peakmem_list", environment: first, memory: 26_100_000 },
    { benchmark: "suite.Sort.time_list", environment: first, time: 11.1e-6, time_deviation: 0.01e-6 },
    { benchmark: "suite.Sort.track_count", environment: first, value: 42 },
    { benchmark: "suite.Sort.time_dict", environment: second, time: 1.5, time_deviation: 0.2 },
  ]);
});

test("reads the tables of benchmarks with parameters", async () => {
  const [run] = await readSample(asvConsole, `${folder}/tables.txt`);
  const times = run!.rows.map(({ benchmark, n, dtype, time }) => [benchmark, n, dtype, time]);
  expect(times).toEqual([
    ["suite.Sort.time_sizes", 100, undefined, 1e-3],
    ["suite.Sort.time_sizes", 1000, undefined, 2e-3],
    ["suite.Two.time_both", 100, "int", 1e-3],
    ["suite.Two.time_both", 100, "float", 2e-3],
    ["suite.Two.time_both", 200, "float", 3e-6],
    ["suite.time_plain", undefined, undefined, 1.5],
  ]);
});

test("reads results of versions before 0.3, printed while running", async () => {
  const text = "[ 10.00%] ··· Running suite.time_old    2.33ms\n[ 20.00%] ··· Running suite.time_many    2.33ms;...\n";
  const [run] = await readReport(asvConsole, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([{ benchmark: "suite.time_old", time: 2.33e-3 }]);
});
