import type { VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Run, StackProfile } from "../../core/profiles/index.ts";
import type { Settings } from "../../core/values/index.ts";
import { runStacks } from "../../query/profile/index.ts";
import { detectUserReader, detectReader, readGuide, type DetectedReader } from "../../workspace/import/index.ts";
import { Locator, type Confirm, readRun } from "../../workspace/profiles/index.ts";
import { optionsOf } from "../../workspace/plugins/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface ProfileSource {
  /** A file or folder of another profiler, `-`, or a perfkeep profile. */
  readonly profile: string;
  /** Format of the file; default: auto-detect. */
  readonly from?: string;
  /** Options of the format's reader. */
  readonly params?: Settings;
  readonly minor?: string;
  readonly confirm: Confirm | null;
}

/** An opened profile of perfkeep or another program. It can be read once, as run or stacks. */
export interface OpenedProfile {
  /** A foreign profile, whose stacks can be read without rows. */
  readonly isForeign: boolean;
  run(): Promise<Run>;
  /** `type`: subtype, for perfkeep profiles. */
  stacks(type?: string): Promise<StackProfile>;
}

/**
 * Opens a profile by name or path. Fails with `unknown-profile-format`, `profile-not-found` and failures of readers.
 */
export async function openedProfile(workspace: Workspace, source: ProfileSource): Promise<OpenedProfile> {
  const found = await foreignReader(workspace, source);
  if (found === null || found.reader === null) return perfkeepProfile(() => storedRun(workspace, source));
  const { reader } = found;
  const guide = readGuide(workspace, source.profile, workspace.world.directory);
  const options = optionsOf(reader, source.params ?? new Map());
  return {
    isForeign: true,
    run: () => reader.read(found.source, options, guide),
    stacks: () => reader.stacks(found.source, options, guide),
  };
}

function perfkeepProfile(run: () => Promise<Run>): OpenedProfile {
  return { isForeign: false, run, stacks: async (type) => runStacks(await run(), type) };
}

/** The file with its reader; null: a perfkeep profile. */
async function foreignReader(workspace: Workspace, { profile, from }: ProfileSource): Promise<DetectedReader | null> {
  const { files } = workspace;
  const isFile = profile === "-" || files.inspect(profile) !== null || files.isFolder(profile);
  if (!isFile && from === undefined) return null;
  const found = await detectReader(workspace, profile, from);
  if (found.reader !== null) return found;
  if (isPerfkeepProfile(found.head) && profile !== "-") return null;
  const own = await detectUserReader(workspace.registry, found.head);
  if (own !== null) return { ...found, reader: own };
  throw new Failure("unknown-profile-format", {
    file: profile,
    known: workspace.registry.names("reader"),
    option: "--from",
  });
}

/** perfkeep profiles are JSON objects. */
function isPerfkeepProfile(head: Uint8Array): boolean {
  return /^\s*\{/.test(new TextDecoder().decode(head.subarray(0, 256)));
}

async function storedRun(workspace: Workspace, { profile, minor, confirm }: ProfileSource): Promise<Run> {
  const version = (): Promise<VersionId> => workspace.version(minor);
  return readRun(workspace, await new Locator(workspace, confirm).one(profile, version));
}
