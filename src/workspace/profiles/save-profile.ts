import type { Digest, VersionId } from "../../core/versions/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import { concatenateBytes } from "../../formats/bytes/index.ts";
import { headerOfRun, encodeProfilePieces, normaliseProfile } from "../../formats/profile/index.ts";
import type { Workspace } from "../workspace.ts";

/** A measured profile on disk. */
export interface SavedProfile {
  readonly name: string;
  readonly version: VersionId;
  readonly type: string;
  readonly cmd: string;
  readonly workload: string;
  readonly collector: string;
  /** Postprocessors in order of application. */
  readonly postprocessors: readonly string[];
  /** Path while pending; null once registered. */
  readonly path: string | null;
  /** Object once registered; null while pending. */
  readonly object: Digest | null;
  /** Measured in a tree with uncommitted changes; such profiles are not registered automatically. */
  readonly dirty: boolean;
}

const maxAttempts = 8;

/**
 * Writes a run as a pending profile under an unused name, which `makeName` derives from a random suffix, and optionally
 * registers it at its origin. A kill in between leaves it pending. `exact`: the suffix is empty if that name is unused.
 */
export function saveProfile(
  workspace: Workspace,
  run: Run & { readonly origin: VersionId },
  makeName: (randomSuffix: string) => string,
  { register, exact = false }: { readonly register: boolean; readonly exact?: boolean },
): SavedProfile {
  const chunks: Uint8Array[] = [];
  encodeProfilePieces(run, "pending", "the profile", (chunk) => chunks.push(chunk));
  const taken = new Set(exact ? workspace.registered(run.origin).map((profile) => profile.name) : []);
  const { name, path } =
    exact && !taken.has(makeName("")) ? createFirst(workspace, chunks, makeName) : create(workspace, chunks, makeName);
  const { type, cmd, workload, collector, postprocessors, dirty } = headerOfRun(run, name);
  const facts = { name, version: run.origin, type, cmd, workload, collector, postprocessors, dirty };
  if (!register || dirty) return { ...facts, path, object: null };
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const bytes = concatenateBytes(chunks, size);
  const { objects, versions, pending } = workspace.store();
  const { digest } = objects.put("profile", type, normaliseProfile(bytes, name).body);
  const time = Math.round(workspace.world.now() / 1000);
  versions.add(run.origin, [{ name, time, digest, type, cmd, workload, collector, postprocessors }]);
  pending.remove(name);
  return { ...facts, path: null, object: digest };
}

function createFirst(
  workspace: Workspace,
  chunks: readonly Uint8Array[],
  makeName: (suffix: string) => string,
): { name: string; path: string } {
  const name = makeName("");
  try {
    return { name, path: workspace.store().pending.create(name, chunks) };
  } catch (error) {
    if (isFailure(error, "name-taken")) return create(workspace, chunks, makeName);
    throw error;
  }
}

function create(
  workspace: Workspace,
  chunks: readonly Uint8Array[],
  makeName: (suffix: string) => string,
): { name: string; path: string } {
  for (let attempt = 1; ; attempt++) {
    const name = makeName(suffix(workspace.world.random()));
    try {
      return { name, path: workspace.store().pending.create(name, chunks) };
    } catch (error) {
      if (!isFailure(error, "name-taken") || attempt === maxAttempts) throw error;
    }
  }
}

/** Six letters and digits, so that names of the same second differ. */
function suffix(random: number): string {
  return Math.floor(random * 36 ** 6)
    .toString(36)
    .padStart(6, "0");
}
