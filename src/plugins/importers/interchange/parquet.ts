import { isFailure } from "../../../core/failures/index.ts";
import { parseUnit, dataTypes, type DataType, type Values } from "../../../core/values/index.ts";
import { collectBytes } from "../../../formats/bytes/index.ts";
import { hasParquetMagic, parquetTable, type ParquetColumn } from "../../../formats/columnar/index.ts";
import type { SourceRow } from "../../../formats/text/index.ts";
import type { Importer, ImportEvent } from "../importer.ts";
import type { KnownColumn } from "../table-columns.ts";
import { inBlocks, tableEvents, tableOptions } from "../table-events.ts";

/**
 * Tables of flat columns. The metadata is at the end of the file: its bytes are held in memory completely, its rows
 * page by page.
 */
export const parquet: Importer = Object.freeze<Importer>({
  kind: "importer",
  name: "parquet",
  synopsis: "Apache Parquet",
  marks: "bytes that begin with PAR1",
  declaresFirst: true,
  options: tableOptions,
  sniff: (head) => (hasParquetMagic(head) ? 1 : 0),
  read: (source, options, { path = "-" }) => events(source, path, options),
});

async function* events(source: AsyncIterable<Uint8Array>, file: string, options: Values): AsyncGenerator<ImportEvent> {
  const { columns, metadata: notes, rows } = parquetTable(await collectBytes(source), file);
  const exported = exportedColumns(notes.get("columns"));
  const known = columns.map((column) => knownColumn(column, exported.get(column.name)));
  const names = columns.map(({ name }) => name);
  const isOwn = known.map(({ role }) => role !== undefined);
  yield* tableEvents(inBlocks(eachOf(rows(), isOwn)), () => names, { file, format: "parquet", options, known });
}

/**
 * In perfkeep's exports missing values are null and NaN is a measured number; elsewhere (pandas) NaN is a missing
 * value.
 */
function* eachOf(rows: Iterable<SourceRow>, isOwn: readonly boolean[]): Generator<SourceRow> {
  for (const { line, cells } of rows)
    yield { line, cells: cells.map((cell, at) => (Number.isNaN(cell) && isOwn[at] !== true ? null : cell)) };
}

/** Longer ones are not from perfkeep. */
const longestSynopsis = 10_000;

interface ExportedColumn
  extends Required<Pick<KnownColumn, "role">>, Pick<KnownColumn, "unit" | "better" | "synopsis"> {
  readonly type: DataType | undefined;
}

/** The note applies as far as the cells of a column fit it. */
function knownColumn({ type, stored }: ParquetColumn, exported: ExportedColumn | undefined): KnownColumn {
  if (exported === undefined) return { type };
  const isWhole = exported.type === "integer" && (stored === "int32" || stored === "int64");
  const isTime = exported.type === "duration" || exported.type === "timeofday";
  return { ...exported, type: type === "float" && (isWhole || isTime) ? exported.type : type };
}

/**
 * The note of perfkeep's export: a list with name, role, type, unit, direction and synopsis of each column. Notes of
 * other programs are ignored.
 */
function exportedColumns(note = "[]"): Map<string, ExportedColumn> {
  const columns = new Map<string, ExportedColumn>();
  try {
    const list: unknown = JSON.parse(note);
    for (const { name, role, type, unit, better, synopsis } of Array.isArray(list)
      ? (list as Partial<Record<string, unknown>>[])
      : [])
      if (typeof name === "string" && (role === "parameter" || role === "result"))
        columns.set(name, {
          role,
          type: dataTypes.find((each) => each === type),
          ...(typeof unit === "string" && unit !== "" ? { unit: parseUnit(unit) } : {}),
          ...(role === "result" && (better === "lower" || better === "higher") ? { better } : {}),
          ...(typeof synopsis === "string" && synopsis !== "" ? { synopsis: synopsis.slice(0, longestSynopsis) } : {}),
        });
    return columns;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError || isFailure(error, "unknown-unit"))) throw error;
    return new Map();
  }
}
