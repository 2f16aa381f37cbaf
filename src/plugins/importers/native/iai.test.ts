import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { iai } from "./gungraun.ts";

const folder = "test/samples/iai";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(
  iai,
  ["two.txt"].map((name) => `${folder}/${name}`),
);

test("reads the counts below each name", async () => {
  const [run] = await readSample(iai, `${folder}/two.txt`);
  expect(run!.rows).toEqual([
    {
      benchmark: "sum_short",
      target: "sums",
      instructions: 1891,
      l1_accesses: 2512,
      l2_accesses: 4,
      ram_accesses: 7,
      estimated_cycles: 2777,
    },
    {
      benchmark: "sum_long",
      target: "sums",
      instructions: 26214900,
      l1_accesses: 35638812,
      l2_accesses: 2,
      ram_accesses: 9,
      estimated_cycles: 35639137,
    },
  ]);
  expect(await readReport(iai, bytesOf("a\n  L1 Accesses: 7\nb\n")).then(([found]) => found!.rows)).toEqual([
    { benchmark: "a", l1_accesses: 7 },
  ]);
});
