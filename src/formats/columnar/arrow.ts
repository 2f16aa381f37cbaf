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
import type { NumberColumn, Table, TextColumn } from "../../core/tables/index.ts";
import { formatUnit } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";

/**
 * Encodes a table as an Apache Arrow IPC file (version 5, https://arrow.apache.org/docs/format/Columnar.html).
 * Texts become dictionaries, timestamps UTC microseconds, durations and times of day seconds. Field metadata holds
 * role, type, unit, direction and synopsis. Structured cells are written as null; tables of experiments have none.
 */
export function arrowFile(table: Table): Uint8Array {
  return tableToIPC(new ArrowTable([batchOf(table, dictionaryData)]), "file");
}

/**
 * Writes consecutive tables with the same variables into one IPC file. Texts are written without a dictionary, because
 * a file can hold only one.
 */
export class ArrowWriter {
  readonly #writer = new RecordBatchFileWriter();
  readonly #written: Promise<void>;
  #problem: { readonly error: unknown } | undefined;

  /** `take` receives the bytes in order. Its errors are thrown by the next call. */
  constructor(take: (bytes: Uint8Array) => void) {
    this.#written = this.#pass(take).catch((error: unknown) => void (this.#problem = { error }));
  }

  append(table: Table): void {
    this.#check();
    this.#writer.write(batchOf(table, plainTextData));
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
    (variable, at) => new Field(variable.name, columns[at]?.type ?? new Utf8(), true, metadataOf(variable)),
  );
  const schema = new Schema(fields);
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: table.length, nullCount: 0, children: columns }),
  );
}

function metadataOf({ role, type, unit, better, synopsis }: Variable): Map<string, string> {
  const facts = { role, type, unit: formatUnit(unit), better: better ?? "", synopsis: synopsis ?? "" };
  return new Map(Object.entries(facts).filter(([, text]) => text !== ""));
}

function dataOf(column: NumberColumn | TextColumn, { type }: Variable): Data {
  if (column.kind === "text") return binaryData(column);
  const { values } = column;
  switch (type) {
    case "integer":
      return numberData(
        column,
        new Int64(),
        BigInt64Array.from(values, (value, row) => integerAt(column, value, row)),
      );
    case "timestamp":
      return numberData(
        column,
        new TimestampMicrosecond("UTC"),
        BigInt64Array.from(values, (value, row) => integerAt(column, value, row)),
      );
    case "date":
      return numberData(column, new DateDay(), Int32Array.from(values));
    case "boolean":
      return numberData(
        column,
        new Bool(),
        bits(values.length, (row) => values[row] === 1),
      );
    default:
      return numberData(column, new Float64(), values);
  }
}

/** 0 for missing cells, whose stored number is undefined. */
function integerAt({ exact, missing }: NumberColumn, value: number, row: number): bigint {
  const digits = exact?.get(row);
  if (digits !== undefined) return BigInt(digits);
  return missing?.[row] === 1 || !Number.isFinite(value) ? 0n : BigInt(Math.round(value));
}

function numberData(column: NumberColumn, type: ArrowType, data: ArrayBufferView): Data {
  const { missing, values } = column;
  const none = missing?.reduce((count, flag) => count + flag, 0) ?? 0;
  const valid = none === 0 ? undefined : bits(values.length, (row) => missing?.[row] !== 1);
  // The library's types do not describe buffers whose type is known only at run time.
  return new Data(type, 0, values.length, none, [undefined, data, valid] as never);
}

function dictionaryData({ dictionary, codes }: TextColumn): Data {
  const none = codes.reduce((count, code) => count + (code < 0 ? 1 : 0), 0);
  const entries = vectorFromArray([...dictionary, ""], new Utf8());
  const data = codes.map((code) => (code < 0 ? dictionary.length : code));
  const valid = none === 0 ? {} : { nullBitmap: bits(codes.length, (row) => (codes[row] ?? -1) >= 0) };
  return makeData({
    type: new Dictionary(new Utf8(), new Int32()),
    length: codes.length,
    nullCount: none,
    data,
    dictionary: entries,
    ...valid,
  });
}

function plainTextData({ dictionary, codes }: TextColumn): Data {
  const cells = Array.from(codes, (code) => dictionary[code] ?? null);
  return vectorFromArray(cells, new Utf8()).data[0] ?? makeData({ type: new Utf8(), length: 0 });
}

function binaryData({ dictionary, codes }: TextColumn): Data {
  const values = dictionary.map((text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  const cells = Array.from(codes, (code) => values[code] ?? null);
  return vectorFromArray(cells, new Binary()).data[0] ?? makeData({ type: new Binary(), length: 0 });
}

/** A bitmap with one bit per row, least significant bit first. */
function bits(length: number, isSet: (row: number) => boolean): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(length / 8));
  for (let row = 0; row < length; row++) if (isSet(row)) bytes[row >> 3] = (bytes[row >> 3] ?? 0) | (1 << (row & 7));
  return bytes;
}
