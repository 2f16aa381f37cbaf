// The layout of the experiment database: tables, migrations, access control, and encodings of values.
// For the other rooms of the store.
// Never renames a table, column or function of an existing layout: changes are new migrations.

export { type Columns, type Row, number, recordsOf, text, textAt, time, variablesOf } from "./result-rows.ts";
export {
  columnAddition,
  columnName,
  columnType,
  createTables,
  dataTable,
  dropColumn,
  dropTables,
  layoutOf,
  migrate,
  newestLayout,
  onceTable,
  restartRuns,
  restartSequence,
  runSequence,
  shardTable,
} from "./schema.ts";
export { bindParameter } from "./value-parameter.ts";
export { versionKey, versionOfKey, encodeVersions } from "./version-key.ts";
