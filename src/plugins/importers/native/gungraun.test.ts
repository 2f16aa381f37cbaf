import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { gungraun } from "./gungraun.ts";

const folder = "test/samples/gungraun";

reportImporterContract(
  gungraun,
  ["tools.txt", "compared.txt"].map((name) => `${folder}/${name}`),
);

test("reads the counts of all tools, and arguments of one word as parameters", async () => {
  const [run] = await readSample(gungraun, `${folder}/tools.txt`);
  expect(run!.rows).toEqual([
    {
      benchmark: "sums::group::sum",
      id: "short",
      args: "10",
      instructions: 1734,
      l1_hits: 2359,
      ll_hits: 0,
      ram_hits: 3,
      total_read_write: 2362,
      estimated_cycles: 2464,
      l1_hit_rate: 99.873,
      total_bytes: 29499,
      total_blocks: 2806,
      "at_t-gmax_bytes": 378,
      drd_errors: 2,
    },
    { benchmark: 'sums::group::text two_lines:"first line\nsecond line"', estimated_cycles: 77 },
    { benchmark: "sums::group::plain", instructions: 5 },
  ]);
});

test("ignores colours, reads the new number, and omits comparisons", async () => {
  const [run] = await readSample(gungraun, `${folder}/compared.txt`);
  expect(run!.rows).toEqual([{ benchmark: "sums::group::sum", id: "short", args: "10", instructions: 1734 }]);
});

test.each([
  ["sums::group::sum id:words of\n two lines\nand more", "sums::group::sum id:words of\n two lines\nand more"],
  ["sums::group::sum id:vec![1,\n2]\nslow node!", "sums::group::sum id:vec![1,\n2]"],
  ["sums::group::sum\nslow node!", "sums::group::sum"],
])("a name ends with its arguments: %j", async (lines, benchmark) => {
  const text = `${lines}\n  Instructions:                      1734|N/A             (*********)\n`;
  const [run] = await readReport(gungraun, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([{ benchmark, instructions: 1734 }]);
});
