// Triage decisions applied to verdicts, and series merged over renames.
// Used by the verdict and triage commands.
// Never reads or writes the triage file.

export { applyTriage, mergeRenamedSeries, renamedKeys } from "./apply-triage.ts";
