import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openInMemory } from "../../../test/fakes/memory-engine.ts";
import { tableOf } from "../../core/tables/table-builder.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { parseUnit } from "../../core/values/unit.ts";
import type { DataType, Value } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { ParquetRows } from "./parquet.ts";

let folder: string;
let engine: Engine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-parquet-"));
  engine = await openInMemory();
});

afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

function variable(name: string, type: DataType, unit?: string): Variable {
  return {
    name,
    role: "result",
    occurrence: "multiple",
    type,
    ...(unit === undefined ? {} : { unit: parseUnit(unit) }),
  };
}

/** Path of the written file, escaped for SQL. */
async function written(variables: readonly Variable[], ...pieces: (readonly Value[])[][]): Promise<string> {
  const rows = await ParquetRows.create(engine, variables);
  for (const piece of pieces) await rows.append(tableOf(variables, piece));
  const path = join(folder, "it's.parquet");
  await rows.write(path, "it's mine");
  return path.replaceAll("'", "''");
}

it("stores every value of every type, across pieces", async () => {
  const types: DataType[] = [
    "integer",
    "float",
    "string",
    "boolean",
    "date",
    "timestamp",
    "binary",
    "duration",
    "timeofday",
    "version",
  ];
  const variables = types.map((type) => variable(`v_${type}`, type));
  const rows: Value[][] = [
    [9223372036854775807n, Number.NaN, "a\tb\n\"'", true, 12745, 1101234600000001, "AP8=", 3723.5, 66605, "1.10.2"],
    [-1, -Infinity, "", false, -1, -1, "", -0.5, 0, "2"],
    types.map(() => null),
  ];
  const path = await written(variables, rows.slice(0, 1), rows.slice(1));
  expect(rowsOf(await engine.query(`select * from '${path}'`))).toEqual(rows);
  const kinds = await engine.query(`select type, converted_type from parquet_schema('${path}') where type is not null`);
  expect(rowsOf(kinds).map((kind) => kind.map(textOf).join(" "))).toEqual([
    "INT64 INT_64",
    "DOUBLE ",
    "BYTE_ARRAY UTF8",
    "BOOLEAN ",
    "INT32 DATE",
    "INT64 TIMESTAMP_MICROS",
    "BYTE_ARRAY ",
    "DOUBLE ",
    "DOUBLE ",
    "BYTE_ARRAY UTF8",
  ]);
});

it("writes units and types to the metadata", async () => {
  const path = await written([variable("B_io", "float", "MByte/s")], [[1]]);
  const found = await engine.query(
    `select decode(key) as k, decode(value) as v from parquet_kv_metadata('${path}')
     where decode(key) in ('experiment', 'columns') order by k`,
  );
  const [columns, experiment] = rowsOf(found).map(([, value]) => textOf(value));
  expect(experiment).toBe("it's mine");
  expect(JSON.parse(columns ?? "")).toEqual([
    { name: "B_io", role: "result", occurrence: "multiple", type: "float", unit: "MByte/s" },
  ]);
});

it("renames columns that differ only in case", async () => {
  const path = await written(
    [variable("Commit", "integer"), variable("commit", "integer"), variable('x"; drop', "integer")],
    [[1, 2, 3]],
  );
  const { variables } = await engine.query(`select * from '${path}'`);
  expect(variables.map(({ name }) => name)).toEqual(["Commit", "@commit", 'x"; drop']);
});

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
