// Apache Arrow and Parquet: writes Arrow files, decodes Parquet files with limits for hostile input.
// Used by the export of experiments and by the Parquet importer.
// Never trusts counts or offsets in a file, and never opens one.

export type { ParquetColumn } from "./parquet-columns.ts";
export { hasParquetMagic, parquetTable } from "./parquet.ts";
