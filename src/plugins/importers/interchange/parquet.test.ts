import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { formatUnit } from "../../../core/values/unit.ts";
import { parquet } from "./parquet.ts";

const folder = "test/samples/parquet";
const packed = ["plain", "snappy", "gzip", "zstd", "brotli", "lz4", "second"].map(
  (name) => `${folder}/${name}.parquet`,
);

reportImporterContract(parquet, [...packed, `${folder}/writer.parquet`, `${folder}/exported.parquet`]);

const refusal = (bytes: Uint8Array): Promise<unknown> => readReport(parquet, bytes).catch((error: unknown) => error);
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(`${folder}/${name}.parquet`));

test("reads columns and values of the file", async () => {
  const [run] = await readSample(parquet, `${folder}/snappy.parquet`);
  expect(run!.variables.map(({ name, role, type }) => `${name} ${role} ${type}`)).toEqual([
    "benchmark parameter string",
    "size parameter float",
    "warm parameter boolean",
    "time result float",
    "bytes result float",
    "at parameter timestamp",
    "day parameter date",
    "price result float",
    "share result float",
    "nothing parameter float",
    "clock parameter timeofday",
    "small parameter float",
    "id parameter string",
    "wide parameter float",
  ]);
  expect(run!.rows).toHaveLength(40);
  expect(run!.rows[39]).toEqual({
    benchmark: "sort",
    size: 512,
    warm: false,
    time: 0.0054,
    bytes: 39_000_117,
    at: Date.UTC(2026, 10, 22, 1, 0, 58, 500) * 1000,
    day: Date.UTC(2026, 11, 31) / 86_400_000,
    price: 0.39,
    share: 4.875,
    clock: 3723.5,
    small: 200,
    id: "0e37df36-f698-11e6-8dd4-cb9ced3df976",
    wide: 2 ** 64,
  });
  expect(run!.rows[1]!["benchmark"]).toBe("copy é");
  expect(run!.rows[5]!["time"]).toBeUndefined();
});

test.each(packed)("%s holds the same", async (path) => {
  expect((await readSample(parquet, path))[0]!.rows).toEqual((await readSample(parquet, packed[0]!))[0]!.rows);
});

test("reads files of another program: version 2 pages, deltas, byte streams", async () => {
  const [run] = await readSample(parquet, `${folder}/writer.parquet`);
  expect(run!.rows[0]).toEqual({
    benchmark: "bench/parse/size=0",
    ok: false,
    time: 0.00125,
    count: -7,
    at: Date.UTC(2026, 10, 22, 1) * 1000,
  });
  expect(run!.rows[7]).toEqual({
    benchmark: "bench/parse/size=700",
    ok: true,
    count: 69_999_999_993,
    at: Date.UTC(2026, 10, 22, 1, 0, 7) * 1000,
  });
  expect(run!.rows.filter(({ ok }) => ok === undefined)).toHaveLength(8);
});

test("an export keeps roles and units", async () => {
  const [run] = await readSample(parquet, `${folder}/exported.parquet`);
  const known = run!.variables.map(({ name, role, type, unit }) =>
    `${name} ${role} ${type} ${formatUnit(unit)}`.trim(),
  );
  expect(known).toEqual(
    expect.arrayContaining(["benchmark parameter string", "sample parameter integer", "time result float s"]),
  );
});

test("nested, truncated and other files are refused with one line", async () => {
  expect(await refusal(bytesOf("nested"))).toMatchObject({
    code: "damaged-report",
    message:
      "some.file: the column sizes is nested, which is not supported: flatten it into columns before writing the file",
  });
  const whole = bytesOf("zstd");
  expect(await refusal(whole.subarray(0, 2000))).toMatchObject({
    message: "some.file: the footer of the Parquet file is missing",
  });
  const holed = whole.slice();
  holed.fill(255, 40, 400);
  expect(await refusal(holed)).toMatchObject({ code: "damaged-report" });
  const corrupt = whole.slice();
  corrupt.set([255, 255, 255, 127], corrupt.length - 8);
  expect(await refusal(corrupt)).toMatchObject({
    message: "some.file: the footer is longer than the Parquet file",
  });
});
