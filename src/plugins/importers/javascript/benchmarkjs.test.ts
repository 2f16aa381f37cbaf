import { expect, test } from "vitest";
import { readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { benchmarkjs } from "./benchmarkjs.ts";

const folder = "test/samples/benchmarkjs";

reportImporterContract(
  benchmarkjs,
  ["suite.txt", "thousand.txt"].map((name) => `${folder}/${name}`),
);

test("reads rates with their margin, not errors", async () => {
  const [run] = await readSample(benchmarkjs, `${folder}/suite.txt`);
  expect(run!.rows).toEqual([
    { benchmark: "split(,)", rate: 26_784, margin: 22.29, samples: 6 },
    { benchmark: "regexp x 2", rate: 8012, margin: 38.95, samples: 6 },
    { benchmark: "late", rate: 51.16, margin: 11.45, samples: 9 },
  ]);
  const [thousand] = await readSample(benchmarkjs, `${folder}/thousand.txt`);
  expect(thousand!.rows[0]).toEqual({ benchmark: "RegExp#test", rate: 4_161_532.5, margin: 0.99, samples: 59 });
});
