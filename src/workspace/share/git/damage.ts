import { Failure, isFailure } from "../../../core/failures/index.ts";
import type { GitProgram } from "./git-program.ts";

/** A damaged entry of a remote; `path` as stored by git, one character per byte. */
export interface DamagedEntry {
  readonly path: string;
  readonly failure: Failure;
}

/** Beyond this number everything is refused. */
const maxEntries = 10_000;

/** Collects damaged entries, which are skipped. Without a collector the first one fails the operation. */
export class Damage {
  readonly #entries = new Map<string, Failure>();

  get entries(): readonly DamagedEntry[] {
    return [...this.#entries].map(([path, failure]) => ({ path, failure }));
  }

  /** Records the failure of an entry; rethrows any other error. */
  note(path: string, failure: unknown): void {
    if (!isFailure(failure, "share-refused") || this.#entries.size >= maxEntries) throw failure;
    this.#entries.set(path, failure);
  }
}

/** The commit that last changed the entry, as `1a2b3c4d of 2026-11-22`; null if unknown. */
export async function introducedBy(git: GitProgram, commit: string, path: string): Promise<string | null> {
  const { status, stdout } = await git.run([...logCommand, "-1", "--format=%h of %cs", commit, "--", path]);
  const text = stdout.trim();
  return status === 0 && /^[0-9a-f]{4,40} of \d{4}-\d\d-\d\d$/.test(text) ? text : null;
}

/** Ids of earlier blobs at `path`, latest first. */
export async function previousBlobs(git: GitProgram, commit: string, path: string): Promise<readonly string[]> {
  const { stdout } = await git.run([
    ...logCommand,
    "-100",
    "--format=",
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-renames",
    commit,
    "--",
    path,
  ]);
  // :<old mode> <new mode> <old blob> <new blob> <status>
  return [...stdout.matchAll(/:100644 \d{6} ([0-9a-f]{40}) [0-9a-f]{40} [A-Z]/g)].map(([, id]) => id!);
}

const logCommand = ["--literal-pathspecs", "log", "--full-history"];
