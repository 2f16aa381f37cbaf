/** Exports for ledger.mjs, bundled because Node cannot run TypeScript. */
export { rowsOf } from "../../src/core/tables/table.ts";
export { duckdb } from "../../src/plugins/engines/duckdb.ts";
export { postgres } from "../../src/plugins/engines/postgres.ts";
export { Experiments } from "../../src/store/experiments/experiments.ts";
export { Objects } from "../../src/store/objects/objects.ts";
export { dataTable } from "../../src/plugins/engines/engine.ts";
export { noServer, startServer } from "../servers/postgres-server.ts";
