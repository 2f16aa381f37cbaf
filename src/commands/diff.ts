import type { VersionId } from "../core/digest.ts";
import { Failure, isFailure } from "../core/errors.ts";
import type { ListedProfile } from "../core/profile-order.ts";
import { parseProfileTag } from "../formats/profile-tag.ts";
import type { DifferenceOptions } from "../query/difference/profile-difference.ts";
import { Locator, type Confirm } from "../workspace/locate.ts";
import { readRun } from "../workspace/read-run.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { ComparedVersions } from "../core/profile-difference.ts";
import { comparedProfiles, versionDifferences, type ReadProfile } from "./profile-differences.ts";

export interface DiffOptions extends DifferenceOptions {
  /** A profile or a revision; the target is one of the same. */
  readonly base: string;
  readonly target: string;
  /** Of revisions: only these profiles of the target. */
  readonly profiles: readonly string[];
  readonly confirm: Confirm | null;
}

/**
 * How two profiles, or the profiles of two versions, differ. Fails with `nothing-to-compare` when no two profiles are comparable or count the same,
 * `profile-not-found`, `unusable-combination`.
 */
export async function diff(workspace: Workspace, options: DiffOptions): Promise<ComparedVersions> {
  const [base, target] = [await revisionOf(workspace, options.base), await revisionOf(workspace, options.target)];
  if ((base === null) !== (target === null)) throw await mixed(workspace, options, base === null ? options.base : options.target);
  const found =
    base === null || target === null ? await ofProfiles(workspace, options) : await ofVersions(workspace, base, target, options);
  if (found.compared.length === 0) {
    const what = `${options.base} and ${options.target} have no comparable profiles`;
    const instead = "perfkeep log lists which versions have profiles; two profiles of any kind can be named themselves";
    throw new Failure("nothing-to-compare", { what, instead });
  }
  if (found.compared.every(({ differences }) => differences.length === 0)) {
    const what = `the profiles of ${options.base} and ${options.target} have no amounts of the same kind`;
    throw new Failure("nothing-to-compare", { what, instead: "compare profiles of the same collector" });
  }
  return found;
}

/** null: the word means a profile. Files and tags come first; a revision needs a repository. */
async function revisionOf(workspace: Workspace, word: string): Promise<VersionId | null> {
  if (workspace.files.inspect(word) || parseProfileTag(word) !== null) return null;
  try {
    return await (await workspace.vcs()).resolve(word);
  } catch (error) {
    if (isFailure(error, "unknown-revision") || isFailure(error, "not-a-repository") || isFailure(error, "vcs-missing")) return null;
    throw error;
  }
}

async function ofVersions(workspace: Workspace, base: VersionId, target: VersionId, options: DiffOptions): Promise<ComparedVersions> {
  const locator = new Locator(workspace, options.confirm);
  const wanted = new Set<string>();
  for (const word of options.profiles) {
    const located = await locator.one(word, () => Promise.resolve(target));
    if (located.kind === "file") throw new Failure("profile-not-found", { profile: word });
    wanted.add(located.digest);
  }
  const isWanted = ({ object }: ListedProfile): boolean => wanted.size === 0 || wanted.has(object);
  return versionDifferences(workspace, base, target, options, isWanted);
}

async function ofProfiles(workspace: Workspace, options: DiffOptions): Promise<ComparedVersions> {
  if (options.profiles.length > 0)
    throw new Failure("unusable-combination", {
      what: "two profiles are compared, and no others",
      instead: "name two revisions before the profiles",
    });
  const locator = new Locator(workspace, options.confirm);
  const read = async (word: string): Promise<ReadProfile> => {
    const located = await locator.one(word, () => workspace.version());
    const run = readRun(workspace, located);
    const version = located.kind === "object" ? located.version : undefined;
    return { run, profile: located.name, version: version ?? run.origin ?? null };
  };
  const [base, target] = [await read(options.base), await read(options.target)];
  return { compared: [comparedProfiles(base, target, options)], onlyBase: [], onlyTarget: [] };
}

/** `profile`: the word that is no version. */
async function mixed(workspace: Workspace, { base, target }: DiffOptions, profile: string): Promise<Failure> {
  await new Locator(workspace, null).one(profile, () => workspace.version());
  const what = `'${profile}' is a profile and '${profile === base ? target : base}' a version`;
  return new Failure("unusable-combination", { what, instead: "name two profiles (REV^0@i is one of a version) or two revisions" });
}
