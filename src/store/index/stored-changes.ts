import type { Change } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { decodeChanges, encodeChanges, type DecodedChanges, type StoredChange } from "../../formats/store/index.ts";
import { readRegularFile, removeDurably, type StoreLock, writeIntoShard } from "../durable/index.ts";
import { memberPath, readablePath } from "../objects/index.ts";

/** The performance changes that checks detected for a version, stored in `.changes` next to its index. */
export class StoredChanges {
  readonly #folder: string;
  readonly #lock: StoreLock;

  constructor(folder: string, lock: StoreLock) {
    this.#folder = folder;
    this.#lock = lock;
  }

  /** Empty if no check stored any. Skips lines that cannot be parsed. */
  read(version: VersionId): readonly Change[] {
    const bytes = this.#bytes(version);
    return bytes === null ? [] : decodeChanges(bytes).changes.map(({ line: _, ...change }) => change);
  }

  /**
   * Replaces outdated changes and those with the same location, type and command; keeps all other lines. Writes only if
   * something differs and removes an empty file. Fails with `cannot-write`, `lock-held`.
   */
  replace(version: VersionId, isOutdated: (change: Change) => boolean, detected: readonly StoredChange[]): void {
    const encode = (): Uint8Array => encodeChanges(mergeChanges(this.#bytes(version), isOutdated, detected));
    if (bytesEqual(this.#bytes(version), encode())) return;
    this.#lock.hold(() => this.#write(version, encode()));
  }

  /** All stored lines, including those that cannot be parsed. */
  lines(version: VersionId): readonly string[] {
    const bytes = this.#bytes(version);
    const { changes, unparsed } = decodeChanges(bytes ?? new Uint8Array());
    return [...changes.map(({ line }) => line), ...unparsed];
  }

  /** Replaces all lines. Writes only if something differs and removes an empty file. */
  replaceLines(version: VersionId, lines: readonly string[]): void {
    this.#lock.hold(() => {
      const bytes = encodeChanges({ changes: [], unparsed: lines });
      if (!bytesEqual(this.#bytes(version), bytes)) this.#write(version, bytes);
    });
  }

  #write(version: VersionId, bytes: Uint8Array): void {
    const path = `${memberPath(this.#folder, version)}.changes`;
    if (bytes.length === 0) removeDurably(path);
    else writeIntoShard(this.#folder, path, [bytes]);
  }

  #bytes(version: VersionId): Uint8Array | null {
    const path = readablePath(this.#folder, version);
    return path === null ? null : readRegularFile(`${path}.changes`);
  }
}

/** The last of several changes with the same key wins, as in Perun 0.21. */
function mergeChanges(
  bytes: Uint8Array | null,
  isOutdated: (change: Change) => boolean,
  detected: readonly StoredChange[],
): DecodedChanges {
  const { changes, unparsed } = decodeChanges(bytes ?? new Uint8Array());
  const added = decodeChanges(encodeChanges({ changes: detected, unparsed: [] })).changes;
  const byKey = new Map(
    [...changes.filter((change) => !isOutdated(change)), ...added].map((change) => [keyOf(change), change]),
  );
  return { changes: [...byKey.values()], unparsed };
}

function keyOf({ location, type, command }: StoredChange): string {
  return JSON.stringify([location, type, command]);
}

function bytesEqual(before: Uint8Array | null, after: Uint8Array): boolean {
  if (before === null) return after.length === 0;
  return before.length === after.length && before.every((byte, i) => byte === after[i]);
}
