// The layout of the experiment database: tables, migrations, access control, and encodings of values.
// For the other rooms of the store.
// Never renames a table, column or function of an existing layout: changes are new migrations.

export { columnName, dataTable, onceTable, runSequence } from "../../plugins/engines/engine.ts";
export { type Columns, type Row, number, recordsOf, text, textAt, time, variablesOf } from "./result-rows.ts";
export { columnAddition, columnType, createTables, layoutOf, migrate, newestLayout, shardTable } from "./schema.ts";
export { boundValueSql } from "./bound-value.ts";
export { isOneOf } from "./run-condition.ts";
export { versionKey, versionOfKey, encodeVersions } from "./version-key.ts";
