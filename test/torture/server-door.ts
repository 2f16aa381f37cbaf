/** Exports for soak.mjs, bundled because Node cannot run TypeScript. */
export { noServer, startServer } from "../servers/postgres-server.ts";
