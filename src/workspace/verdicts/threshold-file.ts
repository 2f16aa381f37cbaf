import { join } from "node:path";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Subject } from "../../core/measurements/index.ts";
import type { SubjectThreshold } from "../../core/verdicts/index.ts";
import { decodeThresholds, encodeThresholds } from "../../formats/store/index.ts";
import { writeDurably } from "../../store/durable/index.ts";
import type { Workspace } from "../workspace.ts";

/** Name of the versioned file of thresholds at the root of the repository. */
export const thresholdsName = "perfkeep.thresholds.yml";

const maxFileBytes = 1 << 24;
/** Without a usable repository there are no thresholds. */
const noRepositoryCodes = ["not-a-repository", "repository-not-trusted", "vcs-missing"] as const;

/** Calibrated thresholds by subject. */
export class Thresholds {
  readonly #byKey: ReadonlyMap<string, SubjectThreshold>;

  constructor(all: readonly SubjectThreshold[]) {
    this.#byKey = new Map(all.map((each) => [each.key, each]));
  }

  /** undefined: not calibrated. */
  thresholdFor({ key }: Subject): SubjectThreshold | undefined {
    return this.#byKey.get(key);
  }

  /** Merges with `newer`, which takes precedence. */
  mergedWith(newer: readonly SubjectThreshold[]): SubjectThreshold[] {
    return [...new Map([...this.#byKey, ...newer.map((each) => [each.key, each] as const)]).values()];
  }
}

/** Path of the file, which need not exist; null outside of a repository. */
export async function thresholdsPath(workspace: Workspace): Promise<string | null> {
  try {
    return join((await workspace.vcs()).root, thresholdsName);
  } catch (error) {
    if (noRepositoryCodes.some((code) => isFailure(error, code))) return null;
    throw error;
  }
}

/** Reads the file; a missing file has no thresholds. Fails with `bad-threshold`, `unreadable-file`. */
export async function readThresholds(workspace: Workspace): Promise<Thresholds> {
  const path = await thresholdsPath(workspace);
  const facts = path === null ? null : workspace.files.inspect(path);
  if (path === null || facts === null) return new Thresholds([]);
  if (facts.size > maxFileBytes) throw badThreshold("it is larger than 16 MiB");
  return new Thresholds(decodeThresholds(decodeUtf8(workspace.files.read(path)), thresholdsName));
}

/** Replaces the file atomically. Fails with `cannot-write`. */
export function writeThresholds(path: string, all: readonly SubjectThreshold[]): void {
  writeDurably(path, [new TextEncoder().encode(encodeThresholds(all))]);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw badThreshold("it is not UTF-8");
    throw error;
  }
}

function badThreshold(reason: string): Failure {
  return new Failure("bad-threshold", { file: thresholdsName, line: 1, reason });
}
