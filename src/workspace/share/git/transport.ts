import type { Failure } from "../../../core/failures/failure.ts";
import { rejectionOf, remoteFailure } from "./git-errors.ts";
import type { GitWay } from "./git-environment.ts";
import type { GitAnswer, GitProgram } from "./git-program.ts";
import { toldByGit, type ShareProgress } from "./share-progress.ts";

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
  readonly way: GitWay;
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
    ...quickly(remote),
    "--",
    remote.address,
    `+${sharedRef}:${ref}`,
  ];
  progress.phase("getting");
  const answer = await git.run(args, { way: remote.way, heard: toldByGit(progress) });
  if (answer.status === 0) return { found: true, wireBytes: bytesTold(answer.stderr) };
  if (/couldn't find remote ref/.test(answer.stderr)) return { found: false, wireBytes: 0 };
  throw remoteFailure({ action: "fetch from", remote: remote.name }, answer);
}

/**
 * The git that serves a folder compares everything that came by different pushes for likeness, which profiles seldom
 * have: for ten thousand that took four times as long as all else. How a server behind an address serves is its own
 * matter.
 */
function quickly({ address }: ShareRemote): string[] {
  return /^(?:\/|file:)/.test(address) ? ["--upload-pack=git -c pack.window=0 upload-pack"] : [];
}

/** The id of whatever the remote's ref names; null when there is none. */
export async function remoteId(git: GitProgram, remote: ShareRemote): Promise<string | null> {
  const answer = await git.run(["ls-remote", "--", remote.address, sharedRef], { way: remote.way });
  if (answer.status !== 0) throw remoteFailure({ action: "ask", remote: remote.name }, answer);
  return /^([0-9a-f]{40})\t/.exec(answer.stdout)?.[1] ?? null;
}

/** What became of a push. */
export interface PushAnswer {
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
): Promise<PushAnswer> {
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
  const answer = await git.run(args, { way: remote.way, heard: toldByGit(progress) });
  const wireBytes = bytesTold(answer.stderr);
  if (answer.status === 0) return { overtaken: null, wireBytes };
  const failure = remoteFailure({ action: "push to", remote: remote.name }, answer);
  if (isOvertaken(answer)) return { overtaken: failure, wireBytes };
  throw failure;
}

/** The lease did not hold, or another push holds the ref at this moment. */
function isOvertaken(answer: GitAnswer): boolean {
  return /^(?:stale info|fetch first|non-fast-forward|remote ref updated since checkout|failed to update ref|.*cannot lock ref.*|reference already exists|incorrect old value provided|failed to lock)$/.test(
    rejectionOf(answer) ?? "",
  );
}

const scales: Readonly<Record<string, number>> = { bytes: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** `Writing objects: 100% (10/10), 1.50 KiB | 1.50 MiB/s, done.`: the last of them counts. */
function bytesTold(progress: string): number {
  const told = [
    ...progress.matchAll(/(?:Writing|Receiving|Unpacking) objects: 100% \([^)]*\), ([\d.]+) (bytes|KiB|MiB|GiB)/g),
  ].at(-1);
  return told === undefined ? 0 : Math.round(Number(told[1]) * (scales[told[2]!] ?? 1));
}
