import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { hdrHistogram } from "./hdr-histogram.ts";

const folder = "test/samples/hdr-histogram";
reportImporterContract(hdrHistogram, [`${folder}/requests.hlog`, `${folder}/doubles.hlog`]);

/** What the library printed for the intervals of each tag together. */
const known = [
  { benchmark: "all", count: 10000, p50: 100351, p75: 149631, p90: 219903, p95: 273151, p99: 412671 },
  { benchmark: "put", count: 10000, p50: 301311, p75: 451327, p90: 653311, p95: 813055, p99: 1260543 },
];
const tails = [
  { "p99.9": 4657151, "p99.99": 15081471, max: 22593535, min: 6072, mean: 132518.413, stddev: 397068.0549055059 },
  { "p99.9": 10674175, "p99.99": 35651583, max: 96272383, min: 34368, mean: 389289.112, stddev: 1166435.7684745325 },
];

test("gives the percentiles, mean and deviation of the library", async () => {
  const [run] = await readSample(hdrHistogram, `${folder}/requests.hlog`);
  const firsts = run!.rows.filter(({ sample }) => sample === 1);
  expect(firsts).toHaveLength(2);
  for (const [at, row] of firsts.entries()) {
    expect(row).toMatchObject(known[at]!);
    for (const [name, value] of Object.entries(tails[at]!)) expect(row[name]).toBeCloseTo(value, 6);
  }
  expect(run!.rows).toHaveLength(10);
  expect(run!.rows.every((row) => row["interval_count"] === 2000)).toBe(true);
  expect(run!.about.performed).toBe(1_700_000_000_000_000);
});

test("gives the values of doubles", async () => {
  const [run] = await readSample(hdrHistogram, `${folder}/doubles.hlog`);
  expect(run!.rows).toMatchObject([{ benchmark: "all", count: 1000, p50: 62.5311279296875, max: 125.0623779296875 }]);
  const [row] = run!.rows;
  expect([row!["p99"], row!["mean"], row!["stddev"]]).toEqual([
    123.8123779296875,
    expect.closeTo(62.583114501953126, 9),
    expect.closeTo(36.094724163141336, 9),
  ]);
});

test("converts values whose unit is given", async () => {
  const bytes = new Uint8Array(readFileSync(`${folder}/requests.hlog`));
  async function* source(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  const guide = { experiment: { name: "", readers: [], writers: [], variables: [] } };
  for await (const event of hdrHistogram.read(source(), new Map([["unit", "ns"]]), guide))
    if (event.kind === "declare")
      expect(event.variables.find(({ name }) => name === "p50")?.unit?.factors).toMatchObject([{ base: "s" }]);
    else if (event.kind === "rows") {
      const at = event.table.variables.findIndex(({ name }) => name === "p50");
      const column = event.table.columns[at]!;
      expect(column.kind === "number" && column.values[0]).toBeCloseTo(100351e-9, 12);
    }
});

test("has a row for every line that is left, and names the first that is none", async () => {
  const lines = readFileSync(`${folder}/requests.hlog`, "utf8").trimEnd().split("\n");
  const [head, intervals] = [lines.slice(0, 3), lines.slice(3)];
  await fc.assert(
    fc.asyncProperty(fc.subarray(intervals, { minLength: 1 }), fc.boolean(), async (kept, isBroken) => {
      const text = [...head, ...(isBroken ? ["0.5,1.000,2,HIST"] : []), ...kept].join("\n");
      const [run] = await readReport(hdrHistogram, new TextEncoder().encode(text));
      expect(run!.rows).toHaveLength(kept.length);
      expect(run!.notices).toEqual(isBroken ? [expect.stringContaining("line 4")] : []);
    }),
    { numRuns: 30 },
  );
});

test("refuses histograms that are cut, of other encodings, or with counts beyond all values", async () => {
  const log = (bytes: Buffer): Uint8Array =>
    new TextEncoder().encode(`#[Histogram log format version 1.3]\n0.0,1.0,2.0,${bytes.toString("base64")}\n`);
  const line = readFileSync(`${folder}/requests.hlog`, "utf8").split("\n")[3]!;
  const whole = Buffer.from(line.split(",").at(-1)!, "base64");
  await expect(readReport(hdrHistogram, log(whole.subarray(0, -40)))).rejects.toThrow(/cannot be inflated/);
  const other = Buffer.from(whole);
  other.writeInt32BE(0x1c849309, 0);
  await expect(readReport(hdrHistogram, log(other))).rejects.toThrow(/not of encoding V2/);
  const plain = Buffer.alloc(50);
  plain.writeInt32BE(0x1c849313, 0);
  plain.writeInt32BE(10, 4);
  plain.writeInt32BE(3, 12);
  plain.writeBigInt64BE(1n, 16);
  plain.writeDoubleBE(1, 32);
  // A run of 2^40 zeros, then a count of 1.
  plain.set([0xff, 0xff, 0xff, 0xff, 0xff, 0x3f, 0x02, 0, 0, 0], 40);
  await expect(readReport(hdrHistogram, log(plain))).rejects.toThrow(/too many counts/);
});
