import type { VersionId } from "../../core/versions/digest.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Settings } from "../../core/values/setting.ts";
import type { StackProfile } from "../../core/profiles/stack-profile.ts";
import { runStacks } from "../../query/profile/run-stacks.ts";
import { detectUserReader, detectReader, type DetectedReader } from "../../workspace/import/detect-reader.ts";
import { Locator, type Confirm } from "../../workspace/profiles/locate.ts";
import { optionsOf } from "../../workspace/plugins/plugin-options.ts";
import { readRun } from "../../workspace/profiles/read-run.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface ProfileSource {
  /** A file of another profiler, `-`, or a profile as everywhere. */
  readonly profile: string;
  /** The format of the file; absent: as its first bytes tell. */
  readonly from?: string;
  /** Options of the reader of that format. */
  readonly params?: Settings;
  readonly minor?: string;
  readonly confirm: Confirm | null;
}

/** A profile that is there, ours or of another program. Each of both ways to read it can be gone once. */
export interface OpenedProfile {
  /** A program of another's format wrote it: its stacks are there without rows. */
  readonly isForeign: boolean;
  run(): Promise<Run>;
  /** `type`: of a profile of ours, the subtype that is wanted. */
  stacks(type?: string): Promise<StackProfile>;
}

/**
 * Opens what a word of the user means. Fails with `unknown-profile-format`, `profile-not-found` and what readers
 * refuse.
 */
export async function openedProfile(workspace: Workspace, source: ProfileSource): Promise<OpenedProfile> {
  const found = await foreign(workspace, source);
  if (found === null || found.reader === null) return ofOurs(() => storedRun(workspace, source));
  const { reader } = found;
  const guide = { path: source.profile, directory: workspace.world.directory };
  const options = optionsOf(reader, source.params ?? new Map());
  return {
    isForeign: true,
    run: () => reader.read(found.source, options, guide),
    stacks: () => reader.stacks(found.source, options, guide),
  };
}

function ofOurs(run: () => Promise<Run>): OpenedProfile {
  return { isForeign: false, run, stacks: async (type) => runStacks(await run(), type) };
}

/** The file that is meant with its reader; null: a profile of ours is. */
async function foreign(workspace: Workspace, { profile, from }: ProfileSource): Promise<DetectedReader | null> {
  const isFile = profile === "-" || workspace.files.inspect(profile) !== null;
  if (!isFile && from === undefined) return null;
  const found = await detectReader(workspace, profile, from);
  if (found.reader !== null) return found;
  if (isOurs(found.head) && profile !== "-") return null;
  const own = await detectUserReader(workspace.registry, found.head);
  if (own !== null) return { ...found, reader: own };
  throw new Failure("unknown-profile-format", {
    file: profile,
    known: workspace.registry.names("reader"),
    option: "--from",
  });
}

/** A file of ours is one object of JSON. */
function isOurs(head: Uint8Array): boolean {
  return /^\s*\{/.test(new TextDecoder().decode(head.subarray(0, 256)));
}

async function storedRun(workspace: Workspace, { profile, minor, confirm }: ProfileSource): Promise<Run> {
  const version = (): Promise<VersionId> => workspace.version(minor);
  return readRun(workspace, await new Locator(workspace, confirm).one(profile, version));
}
