import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../test/contracts/report-importer.ts";
import { hyperfine } from "./hyperfine.ts";

const folder = "test/samples/hyperfine";

reportImporterContract(
  hyperfine,
  ["plain", "scan", "list"].map((name) => `${folder}/${name}.json`),
);

test("keeps every sample beside what hyperfine says of them", async () => {
  const [run] = await readSample(hyperfine, `${folder}/plain.json`);
  expect(run?.rows).toHaveLength(8);
  const [first, second] = run!.rows;
  expect(first).toMatchObject({ benchmark: "seq 100", sample: 1, exit_code: 0 });
  expect(Object.keys(second!)).toEqual(["benchmark", "sample", "time", "exit_code"]);
  const times = run!.rows.slice(0, 4).map(({ time }) => Number(time));
  expect(times.reduce((sum, time) => sum + time) / 4).toBeCloseTo(Number(first?.["mean"]), 12);
});

test("takes numbers of a scan as numbers, and words as words", async () => {
  const [scan] = await readSample(hyperfine, `${folder}/scan.json`);
  expect([...new Set(scan!.rows.map(({ n }) => n))]).toEqual([100, 200, 300]);
  const [list] = await readSample(hyperfine, `${folder}/list.json`);
  expect(list!.rows.map(({ how, stddev }) => [how, stddev])).toEqual([
    ["-n", undefined],
    ["-r", undefined],
  ]);
});

test("tells what is wrong, and where", async () => {
  const bytes = new TextEncoder().encode('{"results": [{"command": "a", "times": [1, "x"]}]}');
  await expect(readReport(hyperfine, bytes)).rejects.toMatchObject({
    code: "damaged-report",
    message: "some.file: results[0].times[1]: it is no number",
  });
  await expect(readReport(hyperfine, new TextEncoder().encode('{"results": []}'))).rejects.toMatchObject({ code: "no-results" });
});
