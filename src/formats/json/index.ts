// JSON readers and printers: lossless and Python-compatible, streamed, embedded in other text, and typed field access.
// Used by the other formats, the importers and readers of plugins, and by store and workspace.
// Never interprets a document: profiles, reports and ledgers are defined elsewhere.

export { boundedJson, type JsonBounds } from "./bounded-json.ts";
export { embeddedDocuments, embeddedJson } from "./embedded-json.ts";
export { copyValue } from "./json-copy.ts";
export { JsonFields } from "./json-fields.ts";
export { hasMembers, jsonHead } from "./json-head.ts";
export { readJsonListing } from "./json-list-stream.ts";
export { JsonLocation, readPlainJson } from "./json-location.ts";
export { copyPlainNumber, numberText } from "./json-number.ts";
export { jsonOutline } from "./json-outline.ts";
export { JsonScanner } from "./json-scanner.ts";
export { JsonStream, readJsonStream } from "./json-stream.ts";
export { quoted } from "./json-string.ts";
export {
  SharedObjects,
  printIndented,
  printJson,
  readJson,
  readValue,
  scalarText,
  writeIndented,
  writeJson,
} from "./json.ts";
export { readTruncatedJson } from "./truncated-json.ts";
export { PrintedObjects } from "./print-cache.ts";
