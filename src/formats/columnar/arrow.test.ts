import { tableFromIPC } from "apache-arrow";
import { expect, test } from "vitest";
import { tableOf } from "../../core/tables/table-builder.ts";
import { parseUnit } from "../../core/values/unit.ts";
import { dataTypes, type DataType, type Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import { arrowFile, ArrowWriter } from "./arrow.ts";

const variable = (type: DataType): Variable => ({ name: `of ${type}`, role: "result", occurrence: "multiple", type });

const rows: readonly (readonly Value[])[] = [
  [9_007_199_254_740_993n, Number.NaN, "a", "é\n", 0, 3600.5, 0.25, 1_700_000_000_123_456, "AQL/", true, "1.10"],
  [-5, -Infinity, "b", "", -1, 0, -1, -1, "", false, "1.9"],
  dataTypes.map(() => null),
  [0, -0, "a", "x", 20_000, 1, 2, 0, "AA==", true, "2"],
];

test("the Arrow library reads back every type, also missing values", () => {
  const read = tableFromIPC(arrowFile(tableOf(dataTypes.map(variable), rows)));
  const column = (type: DataType): unknown[] => [...(read.getChild(`of ${type}`) ?? [])];
  expect(column("integer")).toEqual([9_007_199_254_740_993n, -5n, null, 0n]);
  expect(column("float")).toEqual([Number.NaN, -Infinity, null, -0]);
  expect(column("string")).toEqual(["a", "b", null, "a"]);
  expect(column("text")).toEqual(["é\n", "", null, "x"]);
  expect(column("date").map((day) => (day === null ? null : Number(day) / 86_400_000))).toEqual([0, -1, null, 20_000]);
  expect(column("duration")).toEqual([0.25, -1, null, 2]);
  expect(read.getChild("of timestamp")?.data[0]?.values).toEqual(
    BigInt64Array.from([1_700_000_000_123_456n, -1n, 0n, 0n]),
  );
  expect(column("binary")).toEqual([Uint8Array.from([1, 2, 255]), new Uint8Array(), null, Uint8Array.from([0])]);
  expect(column("boolean")).toEqual([true, false, null, true]);
  expect(column("version")).toEqual(["1.10", "1.9", null, "2"]);
});

test("field metadata holds role, type and unit", () => {
  const rate: Variable = {
    ...variable("float"),
    name: "rate",
    unit: parseUnit("MByte/s"),
    better: "higher",
    synopsis: "how fast",
  };
  const [field] = tableFromIPC(arrowFile(tableOf([rate], [[1]]))).schema.fields;
  expect([...(field?.metadata ?? [])]).toEqual([
    ["role", "result"],
    ["type", "float"],
    ["unit", "MByte/s"],
    ["better", "higher"],
    ["synopsis", "how fast"],
  ]);
});

test("a table without rows keeps its columns", () => {
  const read = tableFromIPC(arrowFile(tableOf(dataTypes.map(variable), [])));
  expect([read.numRows, read.schema.fields.length]).toEqual([0, dataTypes.length]);
});

test("consecutive tables become one file even if their dictionaries differ", async () => {
  const pieces: Uint8Array[] = [];
  const written = new ArrowWriter((bytes) => void pieces.push(bytes.slice()));
  for (const row of rows) written.append(tableOf(dataTypes.map(variable), [row]));
  await written.end();
  const read = tableFromIPC(Uint8Array.from(pieces.flatMap((piece) => [...piece])));
  const expected = tableFromIPC(arrowFile(tableOf(dataTypes.map(variable), rows)));
  expect(read.schema.fields.map(({ name }) => name)).toEqual(expected.schema.fields.map(({ name }) => name));
  for (const { name } of read.schema.fields) expect([...read.getChild(name)!]).toEqual([...expected.getChild(name)!]);
});

test("errors of the consumer are thrown by the writer", async () => {
  const written = new ArrowWriter(() => {
    throw new RangeError("full");
  });
  written.append(tableOf(dataTypes.map(variable), [rows[0]!]));
  await expect(written.end()).rejects.toThrow("full");
});
