// Verifies, cleans up and rebuilds the store; manages statistics and temporary files.
// Used by the verbs fsck, gc, recover, rebuild, stats, temp, cat-object and hash-object.
// Never deletes profiles, indexes or experiments.

export { rebuildDamaged } from "./rebuild-damaged.ts";
export {
  type StatsOfVersion,
  type StatsRemoval,
  cleanStats,
  deleteStats,
  getStats,
  listStats,
  putStats,
  syncStats,
} from "./stats.ts";
export {
  type ListedTemp,
  catObject,
  deleteTemp,
  fsck,
  gc,
  hashObject,
  listTemp,
  protectTemp,
  recover,
  syncTemp,
} from "./store.ts";
