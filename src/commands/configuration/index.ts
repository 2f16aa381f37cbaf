// Creates instances, reads and changes configuration, trust and plug-ins, and offers completion candidates.
// Used by the verbs init, config, trust and utils, and by completion.
// Never runs configured commands, and never trusts foreign ones.

export { type CandidateKind, completionCandidates } from "./completion-candidates.ts";
export {
  type ConfigChange,
  type ConfigWhere,
  type TrustResult,
  editConfigFile,
  getConfig,
  grantTrust,
  resetConfig,
  revokeTrust,
  setConfig,
  showTrust,
} from "./config.ts";
export { createPlugin, pluginPurposes } from "./create-plugin.ts";
export { type InitOptions, type InitResult, init } from "./init.ts";
export { type ListedPlugin, type UserRenderer, listPlugins } from "./plugins.ts";
