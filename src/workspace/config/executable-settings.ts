import { dirname } from "node:path";
import { redactLogin } from "../../core/text/index.ts";
import { isSettings, settingAt, settingList, settingText, type Setting } from "../../core/values/index.ts";
import type { Config } from "./config.ts";
import { isForeignRepository } from "./repository-path.ts";

/** Keys of a local configuration that select programs and their arguments. A foreign repository counts as well. */
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

/** Programs that a local configuration would run. */
export interface ExecutableSettings {
  /** Canonical text of the values, equal for configurations that run the same; empty if nothing would run. */
  readonly fingerprint: string;
  /** One line per command, argument list or plug-in, for display. */
  readonly commands: readonly string[];
}

/** Considers only the local layer: the shared file is in the user's own home. */
export function executableSettings(config: Config): ExecutableSettings {
  const layer = config.layers.find(({ name }) => name === "local");
  const url = settingText(settingAt(layer?.root, "vcs.url")) ?? "";
  const foreign = layer?.path && isForeignRepository(dirname(layer.path), url) ? [["vcs.url", url] as const] : [];
  const configured = executableKeys
    .map((key) => [key, withoutSwitches(key, settingAt(layer?.root, key))] as const)
    .filter(([, value]) => !isEmpty(value));
  const present = [...foreign, ...configured, ...configuredShareAddress(layer?.root)];
  return {
    fingerprint: present.map(([key, value]) => `${key}=${canonical(value)}\n`).join(""),
    commands: present.flatMap(([key, value]) => describeSetting(key, value)),
  };
}

/**
 * A configured address to share with: results would be sent wherever a clone says. Names of remotes are defined by the
 * user and need no trust.
 */
function configuredShareAddress(root: Setting | undefined): (readonly [string, string])[] {
  const remote = settingText(settingAt(root, "share.remote")) ?? "";
  return isAddress(remote) ? [["share.remote", remote]] : [];
}

/** Whether the text is an address or a folder, not the name of a remote. */
export function isAddress(word: string): boolean {
  return /[/\\:]/.test(word) || word.startsWith(".");
}

/** `execute` without its switch that runs nothing of the project. */
function withoutSwitches(key: string, value: Setting | undefined): Setting | undefined {
  if (key !== "execute" || !isSettings(value) || !value.has("canary")) return value;
  const others = new Map([...value].filter(([name]) => name !== "canary"));
  return others.size === 0 ? undefined : others;
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
  const shown = key === "share.remote" ? redactLogin : (text: string): string => text;
  return settingList(value).map((item) => `${key}: ${shown(settingText(item) ?? canonical(item))}`);
}
