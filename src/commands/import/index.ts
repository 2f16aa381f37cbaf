// Imports files into experiments in six steps: locate, decode, fit, store, index, tidy; previews and replays imports.
// Used by the verb import, by collect and rebuild, and by perfbase's front end.
// Never parses a format itself (plugins/importers), and never stores part of an import.

export { importReports } from "./import-reports.ts";
export { importFiles } from "./import.ts";
export { type Ask, type MissingPolicies, type MissingPolicy, missingPolicies } from "./missing-values.ts";
export type {
  ImportInput,
  ImportOptions,
  ImportReportsOptions,
  ImportResult,
  ImportedReports,
  RunPreview,
} from "./options.ts";
export { importReplayer } from "./replay.ts";
export type { MeasuredOutput } from "./locate-reports.ts";
export { explainReportFormat, listReportFormats } from "./report-formats.ts";
