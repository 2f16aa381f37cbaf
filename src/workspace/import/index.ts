// Detects formats and readers, and assembles the events of importers into runs of an experiment.
// Used by the commands that import, and by src/workspace/jobs for outputs of measured programs.
// Never stores anything.

export { type AssemblyOptions, type RunStep, assembleRuns } from "./assemble-runs.ts";
export {
  type DetectedFormat,
  builtInImporters,
  detectReportFormat,
  detectReportImporter,
  reportImporterOf,
  userImporters,
} from "./detect-format.ts";
export { type DetectedReader, detectReader, detectUserReader, readGuide } from "./detect-reader.ts";
export { type RawOutput, openOutputReader } from "./output-reader.ts";
export { parseRuns } from "./parse-runs.ts";
