import { join } from "node:path";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { decodeTriage, encodeTriage, type TriageFile } from "../../formats/store/triage.ts";
import { writeDurably } from "../../store/durable/durable-file.ts";
import type { Workspace } from "../workspace.ts";

/** Name of the tracked file of decisions at the root of the repository. */
export const triageName = "perfkeep.triage";

const maxFileBytes = 1 << 24;
/** Where there is no repository that one may look into, nothing was decided. */
const noRepositoryCodes = ["not-a-repository", "repository-not-trusted", "vcs-missing"] as const;

/** Path of the file of decisions, there or not; null outside of any repository. */
export async function triagePath(workspace: Workspace): Promise<string | null> {
  try {
    return join((await workspace.vcs()).root, triageName);
  } catch (error) {
    if (noRepositoryCodes.some((code) => isFailure(error, code))) return null;
    throw error;
  }
}

/** What was decided; an empty file where there is none. Fails with `bad-triage`, `unreadable-file`. */
export async function readTriage(workspace: Workspace): Promise<TriageFile> {
  const path = await triagePath(workspace);
  const facts = path === null ? null : workspace.files.inspect(path);
  if (path === null || facts === null) return { lines: [] };
  if (facts.size > maxFileBytes) throw badTriage("it is larger than 16 MiByte");
  return decodeTriage(decodeUtf8(workspace.files.read(path)), triageName);
}

/** Writes the file in one step. Fails with `cannot-write`. */
export function writeTriage(path: string, file: TriageFile): void {
  writeDurably(path, [new TextEncoder().encode(encodeTriage(file))]);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw badTriage("its bytes are no UTF-8");
    throw error;
  }
}

function badTriage(reason: string): Failure {
  return new Failure("bad-triage", { file: triageName, line: 1, column: 1, reason });
}
