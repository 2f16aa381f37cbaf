import type { Failure } from "../../../core/failures/failure.ts";
import { type GitConnection, transports, type Environment, type GitSettings } from "./git-environment.ts";
import { rejectionOf, remoteFailure } from "./git-errors.ts";
import type { GitAnswer, GitProgram } from "./git-program.ts";
import { progressParser, type ShareProgress } from "./share-progress.ts";

/** What says how others are reached, and by which ways they may be. */
const connectionSettings = "^(http|url|credential|ssh|protocol|core)\\.";

/**
 * A server that has said nothing for ten minutes is given up, unless the user has set how long to wait: git itself
 * waits for ever.
 */
const defaultTimeouts: GitSettings = [
  ["http.lowSpeedLimit", "1"],
  ["http.lowSpeedTime", "600"],
];

/**
 * The way that the user's git would take, for a git elsewhere: `way` has all settings that hold in the user's
 * repository, of which only those are kept that do not hold everywhere.
 */
export async function userConnection(
  git: GitProgram,
  way: GitConnection,
  environment: Environment,
): Promise<GitConnection> {
  const everywhere = await globalSettings(git);
  const added = subtractSettings(way.settings, everywhere);
  const all = [...everywhere, ...added];
  return {
    ...way,
    settings: hasTimeout(all, environment) ? added : [...defaultTimeouts, ...added],
    transports: transports.filter((transport) => isAllowed(transport, all, environment)),
  };
}

async function globalSettings(git: GitProgram): Promise<GitSettings> {
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
function subtractSettings(settings: GitSettings, others: GitSettings): GitSettings {
  const left = others.map((each) => each.join("\n"));
  return settings.filter((each) => {
    const at = left.indexOf(each.join("\n"));
    if (at >= 0) left.splice(at, 1);
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

/**
 * The one ref under which everything travels. Not below refs/heads: no clone, no branch list and no pull request ever
 * sees it.
 */
const sharedRef = "refs/perfkeep/data/v1";

/** A repository to share with. */
export interface ShareRemote {
  /** As messages name it: without a password. */
  readonly name: string;
  /** Whether that is the name of a remote of the repository; else it is an address. */
  readonly isNamed: boolean;
  /** Checked by `checkedAddress`; a folder is absolute. */
  readonly address: string;
  readonly connection: GitConnection;
  /** What is known of it is kept under this name: hex digits. */
  readonly key: string;
}

/**
 * Fetches what `remote` shares to `ref`; false when it shares nothing yet. `wireBytes`: as git tells them, rounded.
 * Fails with `share-unreachable` and the like.
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
 * The git that serves a folder compares everything that came by different pushes for likeness, which profiles seldom
 * have: for ten thousand that took four times as long as all else. How a server behind an address serves is its own
 * matter.
 */
function uploadPackOptions({ address }: ShareRemote): string[] {
  return /^(?:\/|file:)/.test(address) ? ["--upload-pack=git -c pack.window=0 upload-pack"] : [];
}

/** The id of whatever the remote's ref names; null when there is none. */
export async function remoteId(git: GitProgram, remote: ShareRemote): Promise<string | null> {
  const answer = await git.run(["ls-remote", "--", remote.address, sharedRef], { connection: remote.connection });
  if (answer.status !== 0) throw remoteFailure({ action: "ask", remote: remote.name }, answer);
  return /^([0-9a-f]{40})\t/.exec(answer.stdout)?.[1] ?? null;
}

/** What became of a push. */
export interface PushOutcome {
  /** Why it was not done, where somebody else may have been there first. */
  readonly overtaken: Failure | null;
  readonly wireBytes: number;
}

/**
 * Puts `commit` where `expected` (null: nothing) stands, in one step or not at all. Fails with `share-declined` and the
 * like when the remote refuses it for a reason of its own.
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

/** The lease did not hold, or another push holds the ref at this moment. */
function lostRace(answer: GitAnswer): boolean {
  return /^(?:stale info|fetch first|non-fast-forward|remote ref updated since checkout|failed to update ref|.*cannot lock ref.*|reference already exists|incorrect old value provided|failed to lock)$/.test(
    rejectionOf(answer) ?? "",
  );
}

const scales: Readonly<Record<string, number>> = { bytes: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** `Writing objects: 100% (10/10), 1.50 KiB | 1.50 MiB/s, done.`: the last of them counts. */
function transferredBytes(progress: string): number {
  const told = [
    ...progress.matchAll(/(?:Writing|Receiving|Unpacking) objects: 100% \([^)]*\), ([\d.]+) (bytes|KiB|MiB|GiB)/g),
  ].at(-1);
  return told === undefined ? 0 : Math.round(Number(told[1]) * (scales[told[2]!] ?? 1));
}
