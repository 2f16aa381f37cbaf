// Files outside of the store: reading, streaming, compression, and the assets and web files of the package.
// Used by workspace.ts, the rooms of src/workspace and the commands.
// Never interprets the data of a file.

export { assetPath, knownFonts, packageFolder } from "./assets.ts";
export { type PeekedStream, decompress, decompressReport, deflateBase64, gzip } from "./compression.ts";
export { type Files, openFiles, systemText } from "./files.ts";
export type { FileSelection, SkipReason } from "./walk.ts";
export { readWebFile, scriptHash, webFilePath } from "./web-files.ts";
