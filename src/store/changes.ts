import type { Change } from "../core/change.ts";
import type { VersionId } from "../core/digest.ts";
import { decodeChanges } from "../formats/changes.ts";
import { readPlainFile } from "./plain-file.ts";
import { readablePath } from "./shards.ts";

/** The performance changes that checks found for a version (`.changes` beside its index). */
export class StoredChanges {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** None when no check stored any; creates nothing. Lines that cannot be parsed are left aside. */
  read(version: VersionId): readonly Change[] {
    const path = readablePath(this.#folder, version);
    const bytes = path === null ? null : readPlainFile(`${path}.changes`);
    return bytes === null ? [] : decodeChanges(bytes).changes.map(({ line: _, ...change }) => change);
  }
}
