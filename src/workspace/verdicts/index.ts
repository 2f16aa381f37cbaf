// Files of checks and searches: thresholds, triage decisions, collection logs and search journals.
// Used by the commands of checks, triage, calibration and bisection.
// Never decides whether something is a regression: that is src/query.

export { CollectionLog, SearchJournal, type SearchRecord } from "./journals.ts";
export { Thresholds, readThresholds, thresholdsName, thresholdsPath, writeThresholds } from "./threshold-file.ts";
export { readTriage, triageName, triagePath, writeTriage } from "./triage-file.ts";
