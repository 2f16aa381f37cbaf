import { transports, type Environment, type GitSettings, type GitWay } from "./git-environment.ts";
import type { GitProgram } from "./git-program.ts";

/** What says how others are reached, and by which ways they may be. */
const connectionSettings = "^(http|url|credential|ssh|protocol|core)\\.";

/**
 * A server that has said nothing for ten minutes is given up, unless the user has set how long to wait: git itself
 * waits for ever.
 */
const patience: GitSettings = [
  ["http.lowSpeedLimit", "1"],
  ["http.lowSpeedTime", "600"],
];

/**
 * The way that the user's git would take, for a git elsewhere: `way` has all settings that hold in the user's
 * repository, of which only those are kept that do not hold everywhere.
 */
export async function usersWay(git: GitProgram, way: GitWay, environment: Environment): Promise<GitWay> {
  const everywhere = await settingsEverywhere(git);
  const added = without(way.settings, everywhere);
  const all = [...everywhere, ...added];
  return {
    ...way,
    settings: isPatienceSet(all, environment) ? added : [...patience, ...added],
    transports: transports.filter((transport) => isAllowed(transport, all, environment)),
  };
}

async function settingsEverywhere(git: GitProgram): Promise<GitSettings> {
  // Nothing found is status 1.
  const { stdout } = await git.run(["config", "--includes", "-z", "--get-regexp", connectionSettings]);
  return stdout.split("\0").filter(Boolean).map(settingOf);
}

/** Name and value are parted by a newline; a name alone is a switch that is on. */
function settingOf(entry: string): readonly [string, string] {
  const end = entry.indexOf("\n");
  return end < 0 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
}

/** As often as `others` has one, it is left out. */
function without(settings: GitSettings, others: GitSettings): GitSettings {
  const left = others.map((each) => each.join("\n"));
  return settings.filter((each) => {
    const at = left.indexOf(each.join("\n"));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function isPatienceSet(settings: GitSettings, environment: Environment): boolean {
  const isSet = (name: string): boolean => environment[name] !== undefined;
  return (
    isSet("GIT_HTTP_LOW_SPEED_LIMIT") ||
    isSet("GIT_HTTP_LOW_SPEED_TIME") ||
    settings.some(([name]) => /^http\..*lowspeed/i.test(name))
  );
}

/** As git itself reads what its user allows (`git help config`, protocol.allow). */
function isAllowed(transport: string, settings: GitSettings, environment: Environment): boolean {
  const listed = environment["GIT_ALLOW_PROTOCOL"];
  if (listed !== undefined) return listed.split(":").includes(transport);
  const valueOf = (name: string): string | undefined => settings.findLast(([key]) => key === name)?.[1].toLowerCase();
  const policy =
    valueOf(`protocol.${transport}.allow`) ?? valueOf("protocol.allow") ?? (transport === "file" ? "user" : "always");
  return (
    policy === "always" ||
    (policy === "user" && !/^(?:0|false|no|off|)$/i.test(environment["GIT_PROTOCOL_FROM_USER"] ?? "1"))
  );
}
