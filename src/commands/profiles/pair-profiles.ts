import type { Digest, VersionId } from "../../core/versions/index.ts";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { DifferenceSide, ListedProfile, Run, StackProfile } from "../../core/profiles/index.ts";
import { parseProfileTag } from "../../formats/profile/index.ts";
import { Locator, type Confirm, profileOrNeither, readComparable } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { openedProfile } from "./open-profile.ts";
import { comparablePairs } from "./profile-differences.ts";

export interface PairRequest {
  /** A profile, a file of another profiler, or a revision; the target is of the same kind. */
  readonly base: string;
  readonly target: string;
  /** For revisions: only these profiles of the target. */
  readonly profiles: readonly string[];
  /** Commit whose index resolves names and tags; default: HEAD. */
  readonly minor?: string;
  readonly confirm: Confirm | null;
}

/** A profile that can be read once. */
export interface UnreadProfile extends DifferenceSide {
  run(): Promise<Run>;
  /** Reads only the stacks, which is faster; only for foreign files, which have no machine data. */
  stacks?(): Promise<StackProfile>;
}

export interface ProfilePair {
  readonly base: UnreadProfile;
  readonly target: UnreadProfile;
}

export interface PairedProfiles {
  readonly pairs: readonly ProfilePair[];
  /** Configurations that only one commit has profiles of. */
  readonly onlyBase: readonly string[];
  readonly onlyTarget: readonly string[];
}

/**
 * Pairs the profiles of two names or revisions. Fails with `nothing-to-compare`, `profile-not-found`,
 * `unusable-combination`.
 */
export async function pairedProfiles(workspace: Workspace, request: PairRequest): Promise<PairedProfiles> {
  const [base, target] = [await revisionOf(workspace, request.base), await revisionOf(workspace, request.target)];
  if ((base === null) !== (target === null))
    throw await mixedFailure(workspace, request, base === null ? request.base : request.target);
  const found =
    base === null || target === null
      ? await profileOrNeither(workspace, () => ofProfiles(workspace, request))
      : await ofVersions(workspace, base, target, request);
  if (found.pairs.length > 0) return found;
  const what = `${request.base} and ${request.target} have no comparable profiles`;
  const instead = "perfkeep log lists commits with profiles; any two profiles can be compared by name";
  throw new Failure("nothing-to-compare", { what, instead });
}

/** null: a profile. Files and tags take precedence; a revision needs a repository. */
async function revisionOf(workspace: Workspace, word: string): Promise<VersionId | null> {
  if (word === "-" || workspace.files.inspect(word) || parseProfileTag(word) !== null) return null;
  try {
    return await (await workspace.vcs()).resolve(word);
  } catch (error) {
    if (isFailure(error, "unknown-revision") || isFailure(error, "not-a-repository") || isFailure(error, "vcs-missing"))
      return null;
    throw error;
  }
}

async function ofVersions(
  workspace: Workspace,
  base: VersionId,
  target: VersionId,
  request: PairRequest,
): Promise<PairedProfiles> {
  const locator = new Locator(workspace, request.confirm);
  const wanted = new Set<string>();
  for (const word of request.profiles) {
    const located = await locator.one(word, () => Promise.resolve(target));
    if (located.kind === "file") throw new Failure("profile-not-found", { profile: word });
    wanted.add(located.digest);
  }
  const isWanted = ({ object }: ListedProfile): boolean => wanted.size === 0 || wanted.has(object);
  const { pairs, ...rest } = comparablePairs(workspace, base, target, isWanted);
  const stored = ({ object, name }: ListedProfile, version: VersionId): UnreadProfile =>
    localProfile({ profile: name, version }, () =>
      readComparable(workspace, { kind: "object", name: object, digest: object as Digest }),
    );
  return {
    pairs: pairs.map(({ before, after }) => ({ base: stored(before, base), target: stored(after, target) })),
    ...rest,
  };
}

async function ofProfiles(workspace: Workspace, request: PairRequest): Promise<PairedProfiles> {
  if (request.profiles.length > 0)
    throw new Failure("unusable-combination", {
      what: "profiles selected in a comparison of two profiles",
      instead: "name two revisions before the profiles",
    });
  if (request.base === "-" && request.target === "-")
    throw new Failure("unusable-combination", {
      what: "standard input is one profile",
      instead: "name a file as the other one",
    });
  const pair = {
    base: await unread(workspace, request.base, request),
    target: await unread(workspace, request.target, request),
  };
  return { pairs: [pair], onlyBase: [], onlyTarget: [] };
}

async function unread(workspace: Workspace, word: string, { minor, confirm }: PairRequest): Promise<UnreadProfile> {
  const opened = await openedProfile(workspace, { profile: word, ...(minor === undefined ? {} : { minor }), confirm });
  if (opened.isForeign) return { profile: word, version: null, run: () => opened.run(), stacks: () => opened.stacks() };
  const located = await new Locator(workspace, confirm).one(word, () => workspace.version(minor));
  const run = readComparable(workspace, located);
  const version = (located.kind === "object" ? located.version : undefined) ?? run.origin ?? null;
  return localProfile({ profile: located.name, version }, () => run);
}

function localProfile(side: DifferenceSide, read: () => Run): UnreadProfile {
  return { ...side, run: () => Promise.resolve(read()) };
}

/** `profile`: the name that is not a revision. */
async function mixedFailure(workspace: Workspace, { base, target }: PairRequest, profile: string): Promise<Failure> {
  if (profile !== "-" && workspace.files.inspect(profile) === null)
    await profileOrNeither(workspace, () => new Locator(workspace, null).one(profile, () => workspace.version()));
  const what = `'${profile}' is a profile and '${profile === base ? target : base}' a commit`;
  return new Failure("unusable-combination", {
    what,
    instead: "name two profiles (such as REV^0@i) or two revisions",
  });
}
