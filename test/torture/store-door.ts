/** Exports for run.mjs, bundled because Node cannot run TypeScript. */
export { Failure } from "../../src/core/failures/failure.ts";
export { decodeIndex } from "../../src/formats/store/version-index.ts";
export { createStore, openStore } from "../../src/store/store.ts";
