import { expect, test } from "vitest";
import { readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { dart } from "./dart.ts";

const folder = "test/samples/dart";

reportImporterContract(
  dart,
  ["two.txt"].map((name) => `${folder}/${name}`),
);

test("reads scores in seconds", async () => {
  const [run] = await readSample(dart, `${folder}/two.txt`);
  expect(run!.rows).toEqual([
    { benchmark: "Template", sample: 1, time: 0.1568472448997197e-6 },
    { benchmark: "Template", sample: 2, time: 1.5e-9 },
    { benchmark: "List.sort (1000)", sample: 1, time: 123.5e-6 },
  ]);
});
