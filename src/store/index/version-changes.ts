import type { Change } from "../../core/verdicts/change.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { decodeChanges, encodeChanges, type DecodedChanges, type StoredChange } from "../../formats/store/changes.ts";
import { removeDurably, writeIntoShard } from "../durable/durable-file.ts";
import type { StoreLock } from "../durable/lock.ts";
import { readPlainFile } from "../durable/regular-file.ts";
import { memberPath, readablePath } from "../objects/object-paths.ts";

/** The performance changes that checks found for a version (`.changes` beside its index). */
export class StoredChanges {
  readonly #folder: string;
  readonly #lock: StoreLock;

  constructor(folder: string, lock: StoreLock) {
    this.#folder = folder;
    this.#lock = lock;
  }

  /** None when no check stored any; creates nothing. Lines that cannot be parsed are left aside. */
  read(version: VersionId): readonly Change[] {
    const bytes = this.#bytes(version);
    return bytes === null ? [] : decodeChanges(bytes).changes.map(({ line: _, ...change }) => change);
  }

  /**
   * Takes the place of what is outdated, and of changes with the same location, type and command; all other lines stay
   * as they are. Writes only where that makes a difference; a file without lines is removed. Fails with `cannot-write`,
   * `lock-held`.
   */
  replace(version: VersionId, isOutdated: (change: Change) => boolean, found: readonly StoredChange[]): void {
    const wanted = (): Uint8Array => encodeChanges(merged(this.#bytes(version), isOutdated, found));
    if (isSame(this.#bytes(version), wanted())) return;
    this.#lock.hold(() => {
      const path = `${memberPath(this.#folder, version)}.changes`;
      const bytes = wanted();
      if (bytes.length === 0) removeDurably(path);
      else writeIntoShard(this.#folder, path, [bytes]);
    });
  }

  /** The lines as they stand, those that cannot be parsed among them. */
  lines(version: VersionId): readonly string[] {
    const bytes = this.#bytes(version);
    const { changes, unparsed } = decodeChanges(bytes ?? new Uint8Array());
    return [...changes.map(({ line }) => line), ...unparsed];
  }

  /** Makes `lines` all there are; without any the file is removed. Writes only where that makes a difference. */
  replaceLines(version: VersionId, lines: readonly string[]): void {
    this.#lock.hold(() => {
      const bytes = encodeChanges({ changes: [], unparsed: lines });
      if (isSame(this.#bytes(version), bytes)) return;
      const path = `${memberPath(this.#folder, version)}.changes`;
      if (bytes.length === 0) removeDurably(path);
      else writeIntoShard(this.#folder, path, [bytes]);
    });
  }

  #bytes(version: VersionId): Uint8Array | null {
    const path = readablePath(this.#folder, version);
    return path === null ? null : readPlainFile(`${path}.changes`);
  }
}

/** Of several changes with one key the last counts (Perun 0.21). */
function merged(
  bytes: Uint8Array | null,
  isOutdated: (change: Change) => boolean,
  found: readonly StoredChange[],
): DecodedChanges {
  const { changes, unparsed } = decodeChanges(bytes ?? new Uint8Array());
  const news = decodeChanges(encodeChanges({ changes: found, unparsed: [] })).changes;
  const kept = new Map(
    [...changes.filter((change) => !isOutdated(change)), ...news].map((change) => [keyOf(change), change]),
  );
  return { changes: [...kept.values()], unparsed };
}

function keyOf({ location, type, command }: StoredChange): string {
  return JSON.stringify([location, type, command]);
}

function isSame(before: Uint8Array | null, after: Uint8Array): boolean {
  if (before === null) return after.length === 0;
  return before.length === after.length && before.every((byte, i) => byte === after[i]);
}
