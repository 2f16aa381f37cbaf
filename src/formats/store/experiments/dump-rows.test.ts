import fc from "fast-check";
import { expect, test } from "vitest";
import { isFailure } from "../../../core/failures/failure.ts";
import { concatTables, tableOf } from "../../../core/tables/table-builder.ts";
import { rowsOf } from "../../../core/tables/table.ts";
import { dataTypes, type DataType, type Value } from "../../../core/values/value.ts";
import type { Variable } from "../../../core/variables/variable.ts";
import { decodeRows, encodeRows } from "./dump-rows.ts";

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value): Value => {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value;
});
const float = fc.oneof(
  fc.double(),
  fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 5e-324),
);
const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("\\N", "\\", "\t\n\r", "\ufeff", "", "N", "\u2028"),
);

function valueOf(type: DataType): fc.Arbitrary<Value> {
  switch (type) {
    case "integer":
    case "date":
    case "timestamp":
      return int64;
    case "float":
    case "timeofday":
    case "duration":
      return float;
    case "boolean":
      return fc.boolean();
    case "binary":
      return fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64"));
    default:
      return anyText;
  }
}

const variable = (type: DataType, at: number): Variable => ({
  name: `v${at}\t${type}`,
  role: "result",
  occurrence: "multiple",
  type,
});

const tables = fc.array(fc.constantFrom(...dataTypes), { minLength: 1, maxLength: 6 }).chain((types) =>
  fc.tuple(
    fc.constant(types.map(variable)),
    fc.array(fc.tuple(...types.map((type) => fc.option(valueOf(type), { freq: 5 }))), {
      minLength: 1,
      maxLength: 20,
    }),
  ),
);

test("every table round-trips with any piece size", () => {
  fc.assert(
    fc.property(tables, fc.integer({ min: 1, max: 200 }), ([variables, rows], most) => {
      const table = tableOf(variables, rows);
      const pieces = [...encodeRows(table, most)];
      const back = concatTables(pieces.map((piece) => decodeRows(piece, variables, "piece")));
      expect(rowsOf(back)).toEqual(rowsOf(table));
      expect([...encodeRows(back, most)]).toEqual(pieces);
    }),
  );
});

test("anything but the exact output is refused with dump-damaged", () => {
  fc.assert(
    fc.property(tables, fc.nat(), fc.nat({ max: 255 }), ([variables, rows], where, byte) => {
      const [piece] = encodeRows(tableOf(variables, rows));
      const changed = Uint8Array.from(piece ?? []);
      changed[where % changed.length] = byte;
      try {
        const [again] = encodeRows(decodeRows(changed, variables, "piece"));
        expect(again).toEqual(changed);
      } catch (error) {
        expect(isFailure(error, "dump-damaged"), String(error)).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});

test("values are written as documented", () => {
  const variables = (["float", "text", "integer", "boolean", "binary"] as const).map((type) => ({
    ...variable(type, 0),
    name: type,
  }));
  const [piece] = encodeRows(
    tableOf(variables, [
      [-0, "a\tb\\N", 2n ** 60n, true, "AA=="],
      [null, null, null, null, null],
    ]),
  );
  expect(new TextDecoder().decode(piece)).toBe(
    "float\ttext\tinteger\tboolean\tbinary\n-0\ta\\tb\\\\N\t1152921504606846976\t1\tAA==\n\\N\t\\N\t\\N\t\\N\t\\N\n",
  );
  expect([...encodeRows(tableOf(variables, []))]).toEqual([]);
});
