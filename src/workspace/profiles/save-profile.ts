import type { Digest, VersionId } from "../../core/versions/digest.ts";
import { isFailure } from "../../core/failures/failure.ts";
import type { Run } from "../../core/profiles/run.ts";
import { concatenateBytes } from "../../formats/bytes/concatenate.ts";
import { headerOfRun } from "../../formats/profile/profile-header.ts";
import { encodeProfilePieces, normaliseProfile } from "../../formats/profile/profile.ts";
import type { Workspace } from "../workspace.ts";

/** A profile that was measured and is safe on disk. */
export interface SavedProfile {
  readonly name: string;
  readonly version: VersionId;
  readonly type: string;
  readonly cmd: string;
  readonly workload: string;
  readonly collector: string;
  /** Steps after it, in their order. */
  readonly postprocessors: readonly string[];
  /** Where it lies while it is pending; null once it is registered. */
  readonly path: string | null;
  /** The stored object once it is registered; null while it is pending. */
  readonly object: Digest | null;
  /** True when it was measured in a tree with changes; then it is never registered by itself. */
  readonly dirty: boolean;
}

const maxAttempts = 8;

/**
 * Writes a measured run among the pending profiles, under a name that `named` makes from a random suffix and that
 * nothing had before, and registers it at its origin if asked. A kill in between leaves it pending.
 */
export function saveProfile(
  workspace: Workspace,
  run: Run & { readonly origin: VersionId },
  named: (randomSuffix: string) => string,
  register: boolean,
): SavedProfile {
  const pieces: Uint8Array[] = [];
  encodeProfilePieces(run, "pending", "the profile", (piece) => pieces.push(piece));
  const { name, path } = create(workspace, pieces, named);
  const { type, cmd, workload, collector, postprocessors, dirty } = headerOfRun(run, name);
  const facts = { name, version: run.origin, type, cmd, workload, collector, postprocessors, dirty };
  if (!register || dirty) return { ...facts, path, object: null };
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const bytes = concatenateBytes(pieces, size);
  const { objects, versions, pending } = workspace.store();
  const { digest } = objects.put("profile", type, normaliseProfile(bytes, name).body);
  const time = Math.round(workspace.world.now() / 1000);
  versions.add(run.origin, [{ name, time, digest, type, cmd, workload, collector, postprocessors }]);
  pending.remove(name);
  return { ...facts, path: null, object: digest };
}

function create(
  workspace: Workspace,
  pieces: readonly Uint8Array[],
  named: (suffix: string) => string,
): { name: string; path: string } {
  for (let attempt = 1; ; attempt++) {
    const name = named(suffix(workspace.world.random()));
    try {
      return { name, path: workspace.store().pending.create(name, pieces) };
    } catch (error) {
      if (!isFailure(error, "name-taken") || attempt === maxAttempts) throw error;
    }
  }
}

/** Six letters and digits: names of the same second stay apart. */
function suffix(random: number): string {
  return Math.floor(random * 36 ** 6)
    .toString(36)
    .padStart(6, "0");
}
