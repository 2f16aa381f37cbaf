// Dumps of experiments: a deterministic archive, its verification, and the restore into a database.
// For `experiments`, which also uses the members to compare and copy experiments.
// Never trusts a dump: every member is verified before anything is stored.

export {
  ExperimentDigest,
  type ExperimentMember,
  experimentDigest,
  experimentMembers,
  ownColumns,
  ownVariables,
} from "./dump-members.ts";
export type { DumpOptions, Dumped } from "./dump.ts";
export { ExperimentRestorer, type RestoreOptions, type RestoredExperiment } from "./experiment-restorer.ts";
export { history, inventory, portableHistory } from "./inventory.ts";
