import {
  Binary,
  Bool,
  Data,
  DateDay,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table as ArrowTable,
  tableToIPC,
  TimestampMicrosecond,
  Utf8,
  vectorFromArray,
  type DataType as ArrowType,
} from "apache-arrow";
import type { NumberColumn, Table, TextColumn } from "../core/table.ts";
import { formatUnit } from "../core/unit.ts";
import type { Variable } from "../core/variable.ts";

/**
 * The table as a file of Apache Arrow's IPC format (version 5, https://arrow.apache.org/docs/format/Columnar.html). Texts are dictionaries,
 * times moments of UTC, durations and times of day seconds; the metadata of each field holds role, type, unit and synopsis. Structured
 * cells have no place in it: tables of experiments hold none.
 */
export function arrowFile(table: Table): Uint8Array {
  const columns = table.columns.map((column, at) => {
    const variable = table.variables[at] as Variable;
    return column.kind === "interned"
      ? texts({ kind: "text", dictionary: [], codes: column.codes.map(() => -1) })
      : dataOf(column, variable);
  });
  const fields = table.variables.map((variable, at) => new Field(variable.name, columns[at]?.type ?? new Utf8(), true, factsOf(variable)));
  const schema = new Schema(fields);
  const rows = makeData({ type: new Struct(schema.fields), length: table.length, nullCount: 0, children: columns });
  return tableToIPC(new ArrowTable([new RecordBatch(schema, rows)]), "file");
}

function factsOf({ role, type, unit, synopsis }: Variable): Map<string, string> {
  const facts = { role, type, unit: formatUnit(unit), synopsis: synopsis ?? "" };
  return new Map(Object.entries(facts).filter(([, text]) => text !== ""));
}

function dataOf(column: NumberColumn | TextColumn, { type }: Variable): Data {
  if (column.kind === "text") return type === "binary" ? bytesOf(column) : texts(column);
  const { values } = column;
  switch (type) {
    case "integer":
      return numbers(
        column,
        new Int64(),
        BigInt64Array.from(values, (value, row) => exactOf(column, value, row)),
      );
    case "timestamp":
      return numbers(
        column,
        new TimestampMicrosecond("UTC"),
        BigInt64Array.from(values, (value, row) => exactOf(column, value, row)),
      );
    case "date":
      return numbers(column, new DateDay(), Int32Array.from(values));
    case "boolean":
      return numbers(
        column,
        new Bool(),
        bits(values.length, (row) => values[row] === 1),
      );
    default:
      return numbers(column, new Float64(), values);
  }
}

/** Missing cells may hold anything. */
function exactOf({ exact, missing }: NumberColumn, value: number, row: number): bigint {
  const digits = exact?.get(row);
  if (digits !== undefined) return BigInt(digits);
  return missing?.[row] === 1 || !Number.isFinite(value) ? 0n : BigInt(Math.round(value));
}

function numbers(column: NumberColumn, type: ArrowType, data: ArrayBufferView): Data {
  const { missing, values } = column;
  const none = missing?.reduce((count, flag) => count + flag, 0) ?? 0;
  const valid = none === 0 ? undefined : bits(values.length, (row) => missing?.[row] !== 1);
  // Its types know no buffers of a type that is told at run time.
  return new Data(type, 0, values.length, none, [undefined, data, valid] as never);
}

function texts({ dictionary, codes }: TextColumn): Data {
  const none = codes.reduce((count, code) => count + (code < 0 ? 1 : 0), 0);
  const words = vectorFromArray([...dictionary, ""], new Utf8());
  const data = codes.map((code) => (code < 0 ? dictionary.length : code));
  const valid = none === 0 ? {} : { nullBitmap: bits(codes.length, (row) => (codes[row] ?? -1) >= 0) };
  return makeData({
    type: new Dictionary(new Utf8(), new Int32()),
    length: codes.length,
    nullCount: none,
    data,
    dictionary: words,
    ...valid,
  });
}

function bytesOf({ dictionary, codes }: TextColumn): Data {
  const contents = dictionary.map((text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  const cells = Array.from(codes, (code) => contents[code] ?? null);
  return vectorFromArray(cells, new Binary()).data[0] ?? makeData({ type: new Binary(), length: 0 });
}

/** One bit a row, the lowest first. */
function bits(length: number, isSet: (row: number) => boolean): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(length / 8));
  for (let row = 0; row < length; row++) if (isSet(row)) bytes[row >> 3] = (bytes[row >> 3] ?? 0) | (1 << (row & 7));
  return bytes;
}
