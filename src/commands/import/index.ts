// Imports files into experiments: locate, decode, complete, cast, store; previews and replays imports.
// Used by the verb import, by collect and rebuild, and by perfbase's front end.
// Never parses a format itself (plugins/importers), and never stores part of an import.

export { type ImportReportsOptions, type ImportedReports, importReports } from "./import-reports.ts";
export { importFiles } from "./import.ts";
export { type FileRuns, matchFile } from "./match-runs.ts";
export { type Ask, type MissingPolicies, type MissingPolicy, missingPolicies } from "./missing-values.ts";
export type { ImportInput, ImportOptions, ImportResult, RunPreview } from "./options.ts";
export { importReplayer } from "./replay.ts";
export type { MeasuredOutput } from "./report-files.ts";
export { explainReportFormat, listReportFormats } from "./report-formats.ts";
