/** What the torture script itself needs of the store; bundled, since Node cannot run TypeScript. */
export { Failure } from "../../src/core/failures/failure.ts";
export { decodeIndex } from "../../src/formats/store/version-index.ts";
export { createStore, openStore } from "../../src/store/store.ts";
