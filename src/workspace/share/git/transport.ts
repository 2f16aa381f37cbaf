import type { Failure } from "../../../core/failures/index.ts";
import { type GitConnection, transports, type Environment, type GitSettings } from "./git-environment.ts";
import { rejectionOf, remoteFailure } from "./git-errors.ts";
import { type GitAnswer, type GitProgram, syncedComponents } from "./git-program.ts";
import { progressParser, type ShareProgress } from "./share-progress.ts";

/** Settings that affect connections and allowed protocols. */
const connectionSettings = "^(http|url|credential|ssh|protocol|core)\\.";

/** Gives up on a silent server after ten minutes, unless the user has set a timeout: git itself waits forever. */
const defaultTimeouts: GitSettings = [
  ["http.lowSpeedLimit", "1"],
  ["http.lowSpeedTime", "600"],
];

/**
 * The connection that the user's git would use, for the share repository: `connection` has all settings of the user's
 * repository, reduced to those that are not global.
 */
export async function userConnection(
  git: GitProgram,
  connection: GitConnection,
  environment: Environment,
): Promise<GitConnection> {
  const globals = await globalSettings(git);
  const added = subtractSettings(connection.settings, globals);
  const all = [...globals, ...added];
  return {
    ...connection,
    settings: hasTimeout(all, environment) ? added : [...defaultTimeouts, ...added],
    transports: transports.filter((transport) => isAllowed(transport, all, environment)),
  };
}

async function globalSettings(git: GitProgram): Promise<GitSettings> {
  // Status 1: no matches.
  const { stdout } = await git.run(["config", "--includes", "-z", "--get-regexp", connectionSettings]);
  return stdout.split("\0").filter(Boolean).map(settingOf);
}

/** Name and value are separated by a newline; a name alone means true. */
function settingOf(entry: string): readonly [string, string] {
  const end = entry.indexOf("\n");
  return end < 0 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
}

/** Multiset difference. */
function subtractSettings(settings: GitSettings, others: GitSettings): GitSettings {
  const remaining = others.map((each) => each.join("\n"));
  return settings.filter((each) => {
    const at = remaining.indexOf(each.join("\n"));
    if (at >= 0) remaining.splice(at, 1);
    return at < 0;
  });
}

function hasTimeout(settings: GitSettings, environment: Environment): boolean {
  const isSet = (name: string): boolean => environment[name] !== undefined;
  return (
    isSet("GIT_HTTP_LOW_SPEED_LIMIT") ||
    isSet("GIT_HTTP_LOW_SPEED_TIME") ||
    settings.some(([name]) => /^http\..*lowspeed/i.test(name))
  );
}

/** Like git itself (`git help config`, protocol.allow). */
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

/** The ref of all shared data. Outside of refs/heads, so that clones, branch lists and pull requests do not show it. */
const sharedRef = "refs/perfkeep/data/v1";

/** A remote to share with. */
export interface ShareRemote {
  /** Display name, without a password. */
  readonly name: string;
  /** True if the name is a remote of the repository, else it is an address. */
  readonly isNamed: boolean;
  /** Validated by `checkAddress`; a folder is absolute. */
  readonly address: string;
  readonly connection: GitConnection;
  /** Name of its stored state, in hex digits. */
  readonly key: string;
}

/**
 * Fetches the shared data of `remote` to `ref`; `found` is false if there is none. `wireBytes`: as reported by git,
 * rounded. Fails with `share-unreachable` and the like.
 */
export async function fetchShared(
  git: GitProgram,
  remote: ShareRemote,
  ref: string,
  progress: ShareProgress,
): Promise<{ readonly found: boolean; readonly wireBytes: number }> {
  const args = [
    "fetch",
    "--no-tags",
    "--no-write-fetch-head",
    "--progress",
    ...uploadPackOptions(remote),
    "--",
    remote.address,
    `+${sharedRef}:${ref}`,
  ];
  progress.phase("getting");
  const answer = await git.run(args, { connection: remote.connection, onStderr: progressParser(progress) });
  if (answer.status === 0) return { found: true, wireBytes: transferredBytes(answer.stderr) };
  if (/couldn't find remote ref/.test(answer.stderr)) return { found: false, wireBytes: 0 };
  throw remoteFailure({ action: "fetch from", remote: remote.name }, answer);
}

/**
 * Disables delta search in the git that serves a folder: profiles are seldom similar, and for ten thousand of them it
 * took four times as long as everything else. Servers decide for themselves.
 */
function uploadPackOptions({ address }: ShareRemote): string[] {
  return isFolder(address) ? ["--upload-pack=git -c pack.window=0 upload-pack"] : [];
}

function isFolder(address: string): boolean {
  return /^(?:\/|file:)/.test(address);
}

/** Lets the git that receives a push in a folder sync it, references included. Servers decide for themselves. */
function receivePackOptions({ address, connection }: ShareRemote): string[] {
  const isConfigured = connection.settings.some(([name]) => /^remote\..*\.receivepack$/i.test(name));
  if (!isFolder(address) || isConfigured) return [];
  return [`--receive-pack=git -c core.fsync=${syncedComponents} receive-pack`];
}

/** The object id of the remote's ref; null if missing. */
export async function remoteId(git: GitProgram, remote: ShareRemote): Promise<string | null> {
  const answer = await git.run(["ls-remote", "--", remote.address, sharedRef], { connection: remote.connection });
  if (answer.status !== 0) throw remoteFailure({ action: "ask", remote: remote.name }, answer);
  return /^([0-9a-f]{40})\t/.exec(answer.stdout)?.[1] ?? null;
}

/** Outcome of a push. */
export interface PushOutcome {
  /** The rejection, if another push may have been first. */
  readonly overtaken: Failure | null;
  readonly wireBytes: number;
}

/**
 * Replaces `expected` (null: no ref) by `commit`, atomically. Fails with `share-declined` and the like if the remote
 * rejects it for another reason.
 */
export async function pushShared(
  git: GitProgram,
  remote: ShareRemote,
  { commit, expected }: { readonly commit: string; readonly expected: string | null },
  progress: ShareProgress,
): Promise<PushOutcome> {
  const lease = `--force-with-lease=${sharedRef}:${expected ?? ""}`;
  const args = [
    "push",
    "--porcelain",
    "--progress",
    "--no-verify",
    ...receivePackOptions(remote),
    lease,
    "--",
    remote.address,
    `${commit}:${sharedRef}`,
  ];
  progress.phase("sending");
  const answer = await git.run(args, { connection: remote.connection, onStderr: progressParser(progress) });
  const wireBytes = transferredBytes(answer.stderr);
  if (answer.status === 0) return { overtaken: null, wireBytes };
  const failure = remoteFailure({ action: "push to", remote: remote.name }, answer);
  if (lostRace(answer)) return { overtaken: failure, wireBytes };
  throw failure;
}

/** Rejections caused by a concurrent push. */
const lostRaceRejection = new RegExp(
  `^(?:${[
    "stale info",
    "fetch first",
    "non-fast-forward",
    "remote ref updated since checkout",
    "failed to update ref",
    ".*cannot lock ref.*",
    "reference already exists",
    "incorrect old value provided",
    "failed to lock",
  ].join("|")})$`,
);

/** The lease failed, or another push holds the ref at this moment. */
function lostRace(answer: GitAnswer): boolean {
  return lostRaceRejection.test(rejectionOf(answer) ?? "");
}

const scales: Readonly<Record<string, number>> = { bytes: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** Parses `Writing objects: 100% (10/10), 1.50 KiB | 1.50 MiB/s, done.`; the last match counts. */
function transferredBytes(progress: string): number {
  const match = [
    ...progress.matchAll(/(?:Writing|Receiving|Unpacking) objects: 100% \([^)]*\), ([\d.]+) (bytes|KiB|MiB|GiB)/g),
  ].at(-1);
  return match === undefined ? 0 : Math.round(Number(match[1]) * (scales[match[2]!] ?? 1));
}
