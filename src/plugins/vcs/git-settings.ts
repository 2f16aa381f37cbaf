import type { Git } from "./git-process.ts";

/** A git setting and where it is from: `system`, `global`, `local`, `worktree` or `command`. */
export interface ScopedSetting {
  readonly scope: string;
  readonly name: string;
  readonly value: string;
}

/** Connection settings, including credentials that a CI system stored in the repository. */
export const connectionSettings =
  "^((http|url|credential|ssh|protocol)\\.|core\\.(sshcommand|askpass|gitproxy)$|" +
  "remote\\..*\\.(proxy|proxyauthmethod|uploadpack|receivepack)$)";

/** Settings whose names match, in the order in which git applies them. Empty without any. */
export async function scopedSettings(git: Git, pattern: string): Promise<ScopedSetting[]> {
  const { stdout } = await git.run("config", "--includes", "--show-scope", "-z", "--get-regexp", pattern);
  const fields = stdout.split("\0");
  const count = Math.floor(fields.length / 2);
  return Array.from({ length: count }, (_, i) => settingOf(fields[2 * i] ?? "", fields[2 * i + 1] ?? ""));
}

/** A newline separates name and value; a name alone is a boolean set to true. */
function settingOf(scope: string, entry: string): ScopedSetting {
  const end = entry.indexOf("\n");
  return end < 0
    ? { scope, name: entry, value: "true" }
    : { scope, name: entry.slice(0, end), value: entry.slice(end + 1) };
}

/** Whether the repository itself defines the setting, not the user, the machine or the environment. */
export function isOwn({ scope }: ScopedSetting): boolean {
  return scope === "local" || scope === "worktree";
}

/** Settings that name a program which runs when git contacts a remote, or a file which it then writes. */
const programSettings = new RegExp(
  "^(?:core\\.(?:sshcommand|askpass|gitproxy)|credential\\.(?:.*\\.)?helper|" +
    "remote\\..*\\.(?:uploadpack|receivepack)|http\\.(?:.*\\.)?savecookies)$",
  "s",
);

/** The repository's own settings that decide what runs here when a remote is contacted, and its rewritten addresses. */
export function connectionPrograms(settings: readonly ScopedSetting[]): ScopedSetting[] {
  return settings.filter(isOwn).filter(({ name, value }) => {
    if (value === "" || /^(?:false|no|off|0)$/i.test(value)) return false;
    return programSettings.test(name) || name.startsWith("url.");
  });
}
