import type { Digest, VersionId } from "../../core/versions/digest.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { DifferenceSide } from "../../core/profiles/profile-difference.ts";
import type { ListedProfile } from "../../core/profiles/listed-profile.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { StackProfile } from "../../core/profiles/stack-profile.ts";
import { parseProfileTag } from "../../formats/profile/profile-tag.ts";
import { Locator, type Confirm } from "../../workspace/profiles/locate.ts";
import { readRun } from "../../workspace/profiles/read-run.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { openedProfile } from "./open-profile.ts";
import { comparablePairs } from "./profile-differences.ts";

export interface ComparedWords {
  /** A profile, a file of another profiler, or a revision; the target is one of the same. */
  readonly base: string;
  readonly target: string;
  /** Of revisions: only these profiles of the target. */
  readonly profiles: readonly string[];
  /** The revision whose profiles tags and names mean; default: HEAD. */
  readonly minor?: string;
  readonly confirm: Confirm | null;
}

/** A profile that can be read, once. */
export interface UnreadProfile extends DifferenceSide {
  run(): Promise<Run>;
  /** Its stacks alone, which is quicker: of files of other profilers, which tell no machine. */
  stacks?(): Promise<StackProfile>;
}

export interface ProfilePair {
  readonly base: UnreadProfile;
  readonly target: UnreadProfile;
}

export interface PairedProfiles {
  readonly pairs: readonly ProfilePair[];
  /** Configurations that only one of two versions has profiles of. */
  readonly onlyBase: readonly string[];
  readonly onlyTarget: readonly string[];
}

/**
 * The profiles that two words of the user mean, two by two. Fails with `nothing-to-compare`, `profile-not-found`,
 * `unusable-combination`.
 */
export async function pairedProfiles(workspace: Workspace, words: ComparedWords): Promise<PairedProfiles> {
  const [base, target] = [await revisionOf(workspace, words.base), await revisionOf(workspace, words.target)];
  if ((base === null) !== (target === null))
    throw await mixed(workspace, words, base === null ? words.base : words.target);
  const found =
    base === null || target === null
      ? await ofProfiles(workspace, words)
      : await ofVersions(workspace, base, target, words);
  if (found.pairs.length > 0) return found;
  const what = `${words.base} and ${words.target} have no comparable profiles`;
  const instead = "perfkeep log lists which versions have profiles; two profiles of any kind can be named themselves";
  throw new Failure("nothing-to-compare", { what, instead });
}

/** null: the word means a profile. Files and tags come first; a revision needs a repository. */
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
  words: ComparedWords,
): Promise<PairedProfiles> {
  const locator = new Locator(workspace, words.confirm);
  const wanted = new Set<string>();
  for (const word of words.profiles) {
    const located = await locator.one(word, () => Promise.resolve(target));
    if (located.kind === "file") throw new Failure("profile-not-found", { profile: word });
    wanted.add(located.digest);
  }
  const isWanted = ({ object }: ListedProfile): boolean => wanted.size === 0 || wanted.has(object);
  const { pairs, ...rest } = comparablePairs(workspace, base, target, isWanted);
  const stored = ({ object, name }: ListedProfile, version: VersionId): UnreadProfile =>
    ours({ profile: name, version }, () =>
      readRun(workspace, { kind: "object", name: object, digest: object as Digest }),
    );
  return {
    pairs: pairs.map(({ before, after }) => ({ base: stored(before, base), target: stored(after, target) })),
    ...rest,
  };
}

async function ofProfiles(workspace: Workspace, words: ComparedWords): Promise<PairedProfiles> {
  if (words.profiles.length > 0)
    throw new Failure("unusable-combination", {
      what: "two profiles are compared, and no others",
      instead: "name two revisions before the profiles",
    });
  if (words.base === "-" && words.target === "-")
    throw new Failure("unusable-combination", {
      what: "standard input is one profile",
      instead: "name a file as the other one",
    });
  const pair = {
    base: await unread(workspace, words.base, words),
    target: await unread(workspace, words.target, words),
  };
  return { pairs: [pair], onlyBase: [], onlyTarget: [] };
}

async function unread(workspace: Workspace, word: string, { minor, confirm }: ComparedWords): Promise<UnreadProfile> {
  const opened = await openedProfile(workspace, { profile: word, ...(minor === undefined ? {} : { minor }), confirm });
  if (opened.isForeign) return { profile: word, version: null, run: () => opened.run(), stacks: () => opened.stacks() };
  const located = await new Locator(workspace, confirm).one(word, () => workspace.version(minor));
  const run = readRun(workspace, located);
  const version = (located.kind === "object" ? located.version : undefined) ?? run.origin ?? null;
  return ours({ profile: located.name, version }, () => run);
}

function ours(side: DifferenceSide, read: () => Run): UnreadProfile {
  return { ...side, run: () => Promise.resolve(read()) };
}

/** `profile`: the word that is no version. */
async function mixed(workspace: Workspace, { base, target }: ComparedWords, profile: string): Promise<Failure> {
  if (profile !== "-" && workspace.files.inspect(profile) === null)
    await new Locator(workspace, null).one(profile, () => workspace.version());
  const what = `'${profile}' is a profile and '${profile === base ? target : base}' a version`;
  return new Failure("unusable-combination", {
    what,
    instead: "name two profiles (REV^0@i is one of a version) or two revisions",
  });
}
