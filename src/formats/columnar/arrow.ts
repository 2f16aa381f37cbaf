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
  RecordBatchFileWriter,
  Schema,
  Struct,
  Table as ArrowTable,
  tableToIPC,
  TimestampMicrosecond,
  Utf8,
  vectorFromArray,
  type DataType as ArrowType,
} from "apache-arrow";
import type { NumberColumn, Table, TextColumn } from "../../core/tables/table.ts";
import { formatUnit } from "../../core/values/unit.ts";
import type { Variable } from "../../core/variables/variable.ts";

/**
 * The table as a file of Apache Arrow's IPC format (version 5, https://arrow.apache.org/docs/format/Columnar.html).
 * Texts are dictionaries, times moments of UTC, durations and times of day seconds; the metadata of each field holds
 * role, type, unit, direction and synopsis. Structured cells have no place in it: tables of experiments hold none.
 */
export function arrowFile(table: Table): Uint8Array {
  return tableToIPC(new ArrowTable([batchOf(table, texts)]), "file");
}

/**
 * The same file of tables that come one after the other and have the same variables; texts stand in it as they are,
 * since a file has one dictionary.
 */
export class ArrowRows {
  readonly #writer = new RecordBatchFileWriter();
  readonly #written: Promise<void>;
  #problem: { readonly error: unknown } | undefined;

  /** `take` hears the bytes in order. What it throws is thrown by the next call. */
  constructor(take: (bytes: Uint8Array) => void) {
    this.#written = this.#pass(take).catch((error: unknown) => void (this.#problem = { error }));
  }

  append(table: Table): void {
    this.#check();
    this.#writer.write(batchOf(table, plainTexts));
  }

  async end(): Promise<void> {
    this.#writer.close();
    await this.#written;
    this.#check();
  }

  async #pass(take: (bytes: Uint8Array) => void): Promise<void> {
    for await (const bytes of this.#writer) take(bytes);
  }

  #check(): void {
    if (this.#problem !== undefined) throw this.#problem.error;
  }
}

function batchOf(table: Table, textsOf: (column: TextColumn) => Data): RecordBatch {
  const columns = table.columns.map((column, at) => {
    const variable = table.variables[at] as Variable;
    const known =
      column.kind === "interned"
        ? ({ kind: "text", dictionary: [], codes: column.codes.map(() => -1) } as const)
        : column;
    return known.kind === "text" && variable.type !== "binary" ? textsOf(known) : dataOf(known, variable);
  });
  const fields = table.variables.map(
    (variable, at) => new Field(variable.name, columns[at]?.type ?? new Utf8(), true, factsOf(variable)),
  );
  const schema = new Schema(fields);
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: table.length, nullCount: 0, children: columns }),
  );
}

function factsOf({ role, type, unit, better, synopsis }: Variable): Map<string, string> {
  const facts = { role, type, unit: formatUnit(unit), better: better ?? "", synopsis: synopsis ?? "" };
  return new Map(Object.entries(facts).filter(([, text]) => text !== ""));
}

function dataOf(column: NumberColumn | TextColumn, { type }: Variable): Data {
  if (column.kind === "text") return bytesOf(column);
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

function plainTexts({ dictionary, codes }: TextColumn): Data {
  const cells = Array.from(codes, (code) => dictionary[code] ?? null);
  return vectorFromArray(cells, new Utf8()).data[0] ?? makeData({ type: new Utf8(), length: 0 });
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
