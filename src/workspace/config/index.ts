// The layered configuration of a project: files, keys, templates, trust in its commands, and new instances.
// Used by workspace.ts, the rooms of src/workspace and the commands.
// Never runs a configured program, except for the editor of `config edit`.

export { editConfig, parseConfig, readConfigText, writeConfigText } from "./config-file.ts";
export { Config, type ConfigLayer, type ConfigPaths, openConfig, requireKey, sharedConfigPath } from "./config.ts";
export { createInstance, findPrograms, findWorkloads } from "./create-instance.ts";
export { executableSettings, isAddress } from "./executable-settings.ts";
export { defaultStrategy, isKnownKey, knownKeys, perunStrategy, similarKeys } from "./keys.ts";
export { isForeignRepository, repositoryPath } from "./repository-path.ts";
export { isSharedInstance, shareInstance, writeForGroup } from "./group-access.ts";
export { type TemplateFacts, localTemplate, requireTemplate, sharedTemplate, templateNames } from "./templates.ts";
export { type ConfirmCommands, Trust, trustFolder } from "./trust.ts";
