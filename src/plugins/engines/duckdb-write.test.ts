import duckdb from "@duckdb/node-bindings";
import { describe, expect, test } from "vitest";
import type { NumberColumn } from "../../core/tables/table.ts";
import { writerFor } from "./duckdb-write.ts";

function write(values: number[], rest: Partial<NumberColumn> = {}): unknown {
  const logical = duckdb.create_logical_type(duckdb.Type.BIGINT);
  const column: NumberColumn = {
    kind: "number",
    values: Float64Array.from(values),
    missing: null,
    exact: null,
    ...rest,
  };
  const vector = duckdb.data_chunk_get_vector(duckdb.create_data_chunk([logical]), 0);
  writerFor(duckdb, logical, "n", column)(0, values.length)(vector);
  const bytes = duckdb.vector_get_data(vector, values.length * 8);
  return [...new BigInt64Array(bytes.buffer, bytes.byteOffset, values.length)];
}

describe("64-bit integers", () => {
  test("are written exactly", () => {
    expect(write([0, -1, 2 ** 53, -(2 ** 63)])).toEqual([0n, -1n, 2n ** 53n, -(2n ** 63n)]);
    expect(write([2 ** 63], { exact: new Map([[0, "9223372036854775807"]]) })).toEqual([2n ** 63n - 1n]);
  });
  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 63, -(2 ** 64)])("%d is refused, not wrapped", (value) =>
    expect(() => write([1, value])).toThrow(/is not an integer|does not fit into 64 bits/),
  );
  test("missing cells may contain anything", () =>
    expect(() => write([1, Number.NaN], { missing: Uint8Array.of(0, 1) })).not.toThrow());
});
