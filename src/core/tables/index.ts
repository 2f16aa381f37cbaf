// Columnar tables, their builders, row selection, casts, and flattened or record views.
// Used by every layer that handles rows.
// Never changes a finished table in place.

export { castTable, castValues } from "./cast-table.ts";
export { type ColumnBuilder, grown, NumberColumnBuilder, TextColumnBuilder } from "./column-builder.ts";
export { type FlatColumn, flatColumns, flatRecords } from "./flat-table.ts";
export {
  TableBuilder,
  concatTables,
  constantColumn,
  hasSameColumns,
  numberColumn,
  tableOf,
  textColumn,
} from "./table-builder.ts";
export { records } from "./table-records.ts";
export { tabulated } from "./tabulated.ts";
export { isPlain, pickRows, takeRows, withColumn } from "./table-rows.ts";
export {
  type Column,
  type InternedColumn,
  type NumberColumn,
  type RowGroups,
  type Table,
  type TextColumn,
  columnKind,
  indexOfVariable,
  rowsOf,
  selectColumns,
  valueAt,
} from "./table.ts";
