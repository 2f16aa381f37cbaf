import { expect, test } from "vitest";
import { readSample, reportImporterContract } from "../../../test/contracts/report-importer.ts";
import { asvConsole } from "./asv-console.ts";

const folder = "test/samples/asv-console";

reportImporterContract(
  asvConsole,
  ["run.txt"].map((name) => `${folder}/${name}`),
);

test("takes times, memory and numbers of each environment, and the commit", async () => {
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
