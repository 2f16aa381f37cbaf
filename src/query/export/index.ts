// Roles of variables and queries for exports to benchmark formats, and the latest run of each case.
// Used by the export commands.
// Never writes a format; src/formats and plug-ins do.

export { type ExportRoles, exportRoles, exportedNames, flatQuery, runQueries } from "./export-queries.ts";
export { LatestCases } from "./latest-cases.ts";
