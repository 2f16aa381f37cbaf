import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { criterion } from "./criterion.ts";

const folder = "test/samples/criterion";

reportImporterContract(
  criterion,
  ["console.txt", "cargo.txt"].map((name) => `${folder}/${name}`),
);

test("reads estimates with their bounds, not changes, and names on separate lines", async () => {
  const [run] = await readSample(criterion, `${folder}/console.txt`);
  expect(run!.rows).toEqual([
    { benchmark: "fib 20", target: "sums", time: 1.0042e-5, lower: 1.0029e-5, upper: 1.0057e-5 },
    {
      benchmark: "copy/from a long buffer/4096",
      target: "sums",
      time: 4.5501e-8,
      lower: 4.5108e-8,
      upper: 4.6002e-8,
      rate: 83.838 * 2 ** 30,
      rate_lower: 82.925 * 2 ** 30,
      rate_upper: 84.569 * 2 ** 30,
    },
    {
      benchmark: "parse/lines",
      target: "sums",
      time: 0.0016,
      lower: 0.0015,
      upper: 0.0017,
      elements: 625e3,
      elements_lower: 588240,
      elements_upper: 666670,
    },
  ]);
});

test("reads every benchmark of a group", async () => {
  const [run] = await readSample(criterion, `${folder}/cargo.txt`);
  expect(run!.rows.map(({ benchmark, time }) => [benchmark, time])).toEqual([
    ["fib 20", 170.68e-6],
    ["copy/from a long buffer/64", 136.01e-9],
    ["copy/from a long buffer/4096", 854.05e-9],
    ["copy/count", 4.0125e-6],
  ]);
  expect(run!.rows[3]).toMatchObject({ elements: 249_220_000 });
});

test("a name above its time needs no announcement; a time without a name is reported", async () => {
  const time = `                        time:   [1.0 ms 2.0 ms 3.0 ms]\n`;
  const text = `Adapter::Magic (JSON)\n${time}\nok\n${time}`;
  const [run] = await readReport(criterion, new TextEncoder().encode(text));
  expect(run!.rows).toEqual([{ benchmark: "Adapter::Magic (JSON)", time: 0.002, lower: 0.001, upper: 0.003 }]);
  expect(run!.notices).toEqual(["line 5 was skipped: no benchmark is named above this time"]);
});
