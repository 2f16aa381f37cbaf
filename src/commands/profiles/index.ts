// Registers, imports, converts, postprocesses, shows and compares profiles.
// Used by the verbs of profiles, by Perun's front end and by reports.
// Never measures (jobs) and never judges a difference (verdicts).

export {
  type ConvertProfileOptions,
  type ProfilePart,
  convertProfile,
  profileParts,
  tableAsParquet,
} from "./convert-profile.ts";
export { type ConvertStacksOptions, convertStacks, stackFormats } from "./convert-stacks.ts";
export type { ComparedFlames } from "./diff-flames.ts";
export { type DiffOptions, diff } from "./diff.ts";
export {
  type ImportProfileOptions,
  type ImportedProfile,
  type KeepRunOptions,
  importProfile,
  keepRun,
} from "./import-profile.ts";
export {
  type PostprocessOptions,
  type Postprocessed,
  type PostprocessorInfo,
  postprocess,
  postprocessAndKeep,
  postprocessors,
} from "./postprocess.ts";
export { comparablePairs, comparedProfiles, pooledDifferences } from "./profile-differences.ts";
export { type AddOptions, type AddResult, type Added, add, remove } from "./register.ts";
export { type ShowOptions, readProfile, show } from "./show.ts";
