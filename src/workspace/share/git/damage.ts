import { Failure, isFailure } from "../../../core/failures/failure.ts";
import type { GitProgram } from "./git-program.ts";

/** An entry of a remote that cannot be used: its path as git has it, a character for each byte. */
export interface DamagedEntry {
  readonly path: string;
  readonly failure: Failure;
}

/** More are not counted: then all of it is refused. */
const maxEntries = 10_000;

/**
 * Entries of a remote that were left out since they cannot be used. Where there is none of this the first of them
 * refuses everything.
 */
export class Damage {
  readonly #entries = new Map<string, Failure>();

  get entries(): readonly DamagedEntry[] {
    return [...this.#entries].map(([path, failure]) => ({ path, failure }));
  }

  /** Takes the failure of one entry; throws whatever is none of that. */
  note(path: string, failure: unknown): void {
    if (!isFailure(failure, "share-refused") || this.#entries.size >= maxEntries) throw failure;
    this.#entries.set(path, failure);
  }
}

/** `1a2b3c4d of 2026-11-22`: the commit that made the entry what it is; null where git cannot tell. */
export async function introducedBy(git: GitProgram, commit: string, path: string): Promise<string | null> {
  const { status, stdout } = await git.run([...logCommand, "-1", "--format=%h of %cs", commit, "--", path]);
  const told = stdout.trim();
  return status === 0 && /^[0-9a-f]{4,40} of \d{4}-\d\d-\d\d$/.test(told) ? told : null;
}

/** What stood at `path` before, the latest first: ids of blobs. */
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
  // :<mode before> <mode after> <blob before> <blob after> <what happened>
  return [...stdout.matchAll(/:100644 \d{6} ([0-9a-f]{40}) [0-9a-f]{40} [A-Z]/g)].map(([, id]) => id!);
}

const logCommand = ["--literal-pathspecs", "log", "--full-history"];
