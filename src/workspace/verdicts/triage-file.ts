import { join } from "node:path";
import { Failure, isFailure } from "../../core/failures/index.ts";
import { decodeTriage, encodeTriage, type TriageFile } from "../../formats/store/index.ts";
import { writeDurably } from "../../store/durable/index.ts";
import type { Workspace } from "../workspace.ts";

/** Name of the versioned file of triage decisions at the root of the repository. */
export const triageName = "perfkeep.triage";

const maxFileBytes = 1 << 24;
/** Without a usable repository there are no decisions. */
const noRepositoryCodes = ["not-a-repository", "repository-not-trusted", "vcs-missing"] as const;

/** Path of the file, which need not exist; null outside of a repository. */
export async function triagePath(workspace: Workspace): Promise<string | null> {
  try {
    return join((await workspace.vcs()).root, triageName);
  } catch (error) {
    if (noRepositoryCodes.some((code) => isFailure(error, code))) return null;
    throw error;
  }
}

/** Reads the decisions; none if the file is missing. Fails with `bad-triage`, `unreadable-file`. */
export async function readTriage(workspace: Workspace): Promise<TriageFile> {
  const path = await triagePath(workspace);
  const facts = path === null ? null : workspace.files.inspect(path);
  if (path === null || facts === null) return { lines: [] };
  if (facts.size > maxFileBytes) throw badTriage("it is larger than 16 MiB");
  return decodeTriage(decodeUtf8(workspace.files.read(path)), triageName);
}

/** Replaces the file atomically. Fails with `cannot-write`. */
export function writeTriage(path: string, file: TriageFile): void {
  writeDurably(path, [new TextEncoder().encode(encodeTriage(file))]);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw badTriage("it is not UTF-8");
    throw error;
  }
}

function badTriage(reason: string): Failure {
  return new Failure("bad-triage", { file: triageName, line: 1, column: 1, reason });
}
