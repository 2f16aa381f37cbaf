import { expect, test } from "vitest";
import { readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { rubyBenchmark } from "./ruby-benchmark.ts";

const folder = "test/samples/ruby-benchmark";

reportImporterContract(
  rubyBenchmark,
  ["bm.txt", "bmbm.txt", "caption.txt"].map((name) => `${folder}/${name}`),
);

test("reads wall and processor times for any label", async () => {
  const [run] = await readSample(rubyBenchmark, `${folder}/bm.txt`);
  expect(run!.rows).toEqual([
    { benchmark: "for", time: 0.032337, user: 0.017362, system: 0.000053, total: 0.017415 },
    { benchmark: "times:", time: 0.021351, user: 0.013713, system: 0.000643, total: 0.014356 },
    { benchmark: "", time: 0.026022, user: 0.015143, system: 0, total: 0.015143 },
    { benchmark: "with words in it", time: 0.020478, user: 0, system: 0.001249, total: 0.003187 },
  ]);
});

test("omits the rehearsal", async () => {
  const [run] = await readSample(rubyBenchmark, `${folder}/bmbm.txt`);
  expect(run!.rows.map(({ benchmark, time }) => [benchmark, time])).toEqual([
    ["sort!", 0.014256],
    ["sort", 0.018643],
  ]);
});
