import { Failure, isFailure } from "../../core/failures/index.ts";
import { settingFlag, settingText, type Setting } from "../../core/values/index.ts";
import { editYaml, printYaml, readYaml } from "../../formats/text/index.ts";
import {
  openConfig,
  requireKey,
  type Config,
  type ConfigLayer,
  editConfig,
  executableSettings,
  parseConfig,
  readConfigText,
  writeConfigText,
  isKnownKey,
  knownKeys,
  similarKeys,
  findPrograms,
  findWorkloads,
  localTemplate,
  requireTemplate,
  sharedTemplate,
  type TemplateFacts,
  type ConfirmCommands,
} from "../../workspace/config/index.ts";
import { detectVcs } from "../../workspace/plugins/index.ts";
import { allRemotePrograms } from "../../workspace/share/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * The configuration file to use. nearest: for reading, the first layer that has the key; for writing, the local file if
 * there is an instance, else the shared file.
 */
export type ConfigWhere = "local" | "shared" | "nearest";

export interface ConfigValue {
  readonly key: string;
  readonly value: Setting;
  /** A scalar on one line, everything else as YAML. */
  readonly text: string;
  readonly from: ConfigLayer["name"];
}

export interface ConfigChange {
  readonly path: string;
  /** Warnings about a change that was made. */
  readonly warnings: readonly string[];
}

/** Reads a key. Fails with `unset-config-key`, which suggests similar keys. */
export async function getConfig(workspace: Workspace, where: ConfigWhere, key: string): Promise<ConfigValue> {
  const found = (await layersOf(workspace, where)).find(key);
  if (found === undefined)
    throw new Failure("unset-config-key", { key, where, near: isKnownKey(key) ? undefined : similarKeys(key)[0] });
  const { value, layer } = found;
  return { key, value, text: settingText(value) ?? printYaml(value).trimEnd(), from: layer.name };
}

/**
 * Sets one key and keeps the rest of the file. The text is converted to the key's type: a flag, a number, or a list (as
 * YAML `[./a, ./b]`, else a list of one item); for unknown keys, to a number or flag if spelled as one.
 */
export async function setConfig(
  workspace: Workspace,
  where: ConfigWhere,
  key: string,
  text: string,
): Promise<ConfigChange> {
  requireKey(key);
  const file = fileOf(workspace, where);
  const value = valueOf(key, text, file.path);
  await replace(workspace, file, editYaml(readConfigText(file.path), file.path, key.split("."), value));
  return { path: file.path, warnings: isKnownKey(key) ? [] : [unknownKey(key)] };
}

/**
 * Opens the file in the user's editor (`general.editor`, else VISUAL, EDITOR, vi). An editor named by the local file
 * requires trust.
 */
export async function editConfigFile(
  workspace: Workspace,
  where: ConfigWhere,
  confirm: ConfirmCommands,
): Promise<ConfigChange> {
  const file = fileOf(workspace, where);
  const config = await readableConfig(workspace);
  const found = config?.find("general.editor");
  if (config && found?.layer.name === "local") await workspace.trust().require(config, confirm);
  const { environment } = workspace.world;
  const editor = settingText(found?.value) ?? (environment["VISUAL"] || environment["EDITOR"] || "vi");
  await replace(
    workspace,
    file,
    await editConfig({ path: file.path, text: readConfigText(file.path), editor, environment }),
  );
  return { path: file.path, warnings: [] };
}

/**
 * Replaces the file with a template (master, developer, user; the shared file with its defaults). Keeps the `vcs`
 * section.
 */
export async function resetConfig(workspace: Workspace, where: ConfigWhere, template: string): Promise<ConfigChange> {
  const name = requireTemplate(template);
  const file = fileOf(workspace, where);
  await replace(
    workspace,
    file,
    file.where === "shared" ? sharedTemplate() : localTemplate(name, await templateFacts(workspace)),
  );
  return { path: file.path, warnings: [] };
}

interface ConfigFile {
  readonly where: "local" | "shared";
  readonly path: string;
}

async function layersOf(workspace: Workspace, where: ConfigWhere): Promise<Config> {
  if (where === "local") workspace.perun();
  const config = await workspace.config();
  return where === "nearest" ? config : config.only(where);
}

function fileOf(workspace: Workspace, where: ConfigWhere): ConfigFile {
  const chosen = where === "nearest" ? (workspace.hasInstance() ? "local" : "shared") : where;
  if (chosen === "local") workspace.perun();
  return { where: chosen, path: workspace.configPaths()[chosen] ?? "" };
}

/** The configuration, or null if a file is damaged: repairing it must still work. */
async function readableConfig(workspace: Workspace): Promise<Config | null> {
  try {
    return await openConfig(workspace.configPaths());
  } catch (error) {
    if (isFailure(error, "bad-config")) return null;
    throw error;
  }
}

async function templateFacts(workspace: Workspace): Promise<TemplateFacts> {
  const config = await readableConfig(workspace);
  const root = workspace.root();
  return {
    type: config?.text("vcs.type") || detectVcs(root),
    url: config?.text("vcs.url") || "../",
    commands: findPrograms(root),
    workloads: findWorkloads(root),
  };
}

/**
 * Writes the file. Trust covers commands set through perfkeep, but only if the configuration was trusted before: a
 * `config set` in a foreign clone must not confirm the commands that came with it.
 */
async function replace(workspace: Workspace, file: ConfigFile, text: string): Promise<void> {
  const before = await readableConfig(workspace);
  await parseConfig(text, file.path);
  const isTrusted = file.where === "local" && before !== null && workspace.trust().covers(before);
  writeConfigText(file.where, file.path, text);
  if (isTrusted) workspace.trust().grant(await openConfig(workspace.configPaths()));
}

function valueOf(key: string, text: string, file: string): Setting {
  const kind = knownKeys.get(key)?.kind;
  if (kind === "text") return text;
  if (kind === "flag") return settingFlag(text) ?? refuse(file, key, text, "yes or no");
  if (kind === "number") return isNumber(text) ? Number(text) : refuse(file, key, text, "a number");
  if (kind === "commands" || kind === "rules") return listOf(text, kind, file, key);
  return text === "true" || text === "false" ? text === "true" : isNumber(text) ? Number(text) : text;
}

function listOf(text: string, kind: "commands" | "rules", file: string, key: string): Setting {
  const value = /^\s*\[/.test(text)
    ? readYaml(text, `${file} ${key}`)
    : kind === "commands"
      ? [text]
      : [readYaml(text, `${file} ${key}`)];
  const items = value as readonly Setting[];
  // Names alone are plug-ins without options.
  const takesText = kind === "commands" || key === "collectors" || key === "postprocessors";
  const isFit = items.every((item) =>
    item instanceof Map ? kind === "rules" : takesText && settingText(item) !== undefined,
  );
  return isFit
    ? items
    : refuse(file, key, text, kind === "commands" ? "a list of texts" : "a list of sections such as [{name: time}]");
}

/** Only canonical spellings: `007` and `1e3` stay text. */
function isNumber(text: string): boolean {
  return /^-?\d/.test(text) && String(Number(text)) === text;
}

function refuse(file: string, key: string, value: string, expected: string): never {
  throw new Failure("bad-config-value", { file, key, value, expected });
}

function unknownKey(key: string): string {
  const near = similarKeys(key)[0];
  return `nothing reads ${key}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

export interface TrustResult {
  /** The `.perun` directory. */
  readonly path: string;
  /** Commands of the configuration. */
  readonly commands: readonly string[];
  readonly trusted: boolean;
}

/**
 * Trusts exactly the commands of the current configuration, and the programs that the repository's own git
 * configuration names for its remotes. Fails with `foreign-instance`.
 */
export async function grantTrust(workspace: Workspace): Promise<TrustResult> {
  const config = await workspace.config();
  // A version control system that the configuration names is opened only after it is trusted.
  workspace.trust().grant(config);
  const commands = workspace.trust().grant(config, await remotePrograms(workspace));
  return { path: workspace.perun(), commands, trusted: true };
}

/** Revokes trust: the next command that runs something asks again. */
export async function revokeTrust(workspace: Workspace): Promise<TrustResult> {
  workspace.trust().revoke();
  return showTrust(workspace);
}

/** Shows the commands and whether they are trusted. */
export async function showTrust(workspace: Workspace): Promise<TrustResult> {
  const config = await workspace.config();
  const programs = await remotePrograms(workspace);
  return {
    path: workspace.perun(),
    commands: [...executableSettings(config).commands, ...programs],
    trusted: workspace.trust().covers(config, programs),
  };
}

/** None without a repository, or with one that may not be opened: then no remote is contacted either. */
async function remotePrograms(workspace: Workspace): Promise<string[]> {
  try {
    return await allRemotePrograms(workspace);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
