import { dirname } from "node:path";
import { withoutLogin } from "../../core/text/redacted-address.ts";
import { isSettings, settingAt, settingList, settingText, type Setting } from "../../core/values/setting.ts";
import type { Config } from "./config.ts";
import { isForeignRepository } from "./repository-path.ts";

/**
 * The keys of a local configuration that decide which programs run and with which arguments; beside them a repository
 * elsewhere.
 */
const executableKeys = [
  "plugins",
  "cmds",
  "workloads",
  "collectors",
  "postprocessors",
  "execute",
  "generators",
  "general.editor",
] as const;

/** What a local configuration would have run. */
export interface ExecutableSettings {
  /** Canonical text of the values: two configurations with the same text run the same. Empty when nothing would run. */
  readonly fingerprint: string;
  /** For people: one line for each command, argument list or plug-in with parameters. */
  readonly commands: readonly string[];
}

/** Only the local layer counts: the shared one lies in the user's own home. */
export function executableSettings(config: Config): ExecutableSettings {
  const layer = config.layers.find(({ name }) => name === "local");
  const url = settingText(settingAt(layer?.root, "vcs.url")) ?? "";
  const foreign = layer?.path && isForeignRepository(dirname(layer.path), url) ? [["vcs.url", url] as const] : [];
  const named = executableKeys
    .map((key) => [key, settingAt(layer?.root, key)] as const)
    .filter(([, value]) => !isEmpty(value));
  const present = [...foreign, ...named, ...configuredShareAddress(layer?.root)];
  return {
    fingerprint: present.map(([key, value]) => `${key}=${canonical(value)}\n`).join(""),
    commands: present.flatMap(([key, value]) => describeSetting(key, value)),
  };
}

/**
 * An address to share with, which no remote of the user's has: results would go wherever a clone says. The name of a
 * remote is the user's own word.
 */
function configuredShareAddress(root: Setting | undefined): (readonly [string, string])[] {
  const remote = settingText(settingAt(root, "share.remote")) ?? "";
  return isAddress(remote) ? [["share.remote", remote]] : [];
}

/** Whether a word is an address or a folder and not the name of a remote. */
export function isAddress(word: string): boolean {
  return /[/\\:]/.test(word) || word.startsWith(".");
}

function isEmpty(value: Setting | undefined): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function canonical(value: Setting | undefined): string {
  if (isSettings(value))
    return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(",")}}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  return JSON.stringify(value ?? null);
}

function describeSetting(key: string, value: Setting | undefined): string[] {
  if (isSettings(value) && key === "execute")
    return [...value].flatMap(([inner, item]) => describeSetting(`${key}.${inner}`, item));
  const shown = key === "share.remote" ? withoutLogin : (text: string): string => text;
  return settingList(value).map((item) => `${key}: ${shown(settingText(item) ?? canonical(item))}`);
}
