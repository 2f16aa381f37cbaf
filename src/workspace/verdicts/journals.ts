import { isVersionId, type VersionId } from "../../core/versions/index.ts";
import { makeFolder, wrapWriteErrors } from "../../store/durable/index.ts";
import { openBatch, type Batch } from "../jobs/index.ts";
import type { Workspace } from "../workspace.ts";
import { createHash } from "node:crypto";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * Appends the output of measuring a version before a check to `.perun/logs/<version>-precollect.log`, which Perun has
 * too.
 */
export class CollectionLog {
  readonly #folder: string;

  constructor(perun: string) {
    this.#folder = join(perun, "logs");
  }

  add(version: VersionId, text: string): void {
    makeFolder(this.#folder);
    const path = join(this.#folder, `${version}-precollect.log`);
    // A link in a cloned instance may point anywhere.
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
    wrapWriteErrors(path, () => {
      const file = openSync(path, flags, 0o666);
      try {
        for (let bytes = new TextEncoder().encode(text); bytes.length > 0;)
          bytes = bytes.subarray(writeSync(file, bytes));
      } finally {
        closeSync(file);
      }
    });
  }
}

/**
 * One step of a search: the number of a version with the profile that holds it, or why the version cannot be measured.
 */
export type SearchRecord =
  | { readonly version: VersionId; readonly value: number; readonly unit: string; readonly profile: string }
  | { readonly version: VersionId; readonly reason: string };

/** Persists the steps of a search over versions, so that it can resume after a kill. Removed when the search ends. */
export class SearchJournal {
  readonly #batch: Batch;
  #count = 0;

  constructor(workspace: Workspace, facts: unknown, resumes: boolean) {
    const key = createHash("sha256").update(JSON.stringify(facts)).digest("hex");
    this.#batch = openBatch(join(workspace.perun(), "run", "searches"), key, { resumes, now: workspace.world.now() });
  }

  /** Steps of the earlier, interrupted search; call once, before `add`. */
  load(): SearchRecord[] {
    const records: SearchRecord[] = [];
    for (let fields = this.#next(); fields !== null; fields = this.#next()) {
      const record = parseRecord(fields);
      if (record === null) break;
      records.push(record);
      this.#count += 1;
    }
    return records;
  }

  add(record: SearchRecord): void {
    const { version } = record;
    const fields =
      "value" in record ? [version, String(record.value), record.unit, record.profile] : [version, record.reason];
    this.#batch.record(String(this.#count), fields);
    this.#count += 1;
  }

  end(isOver: boolean): void {
    this.#batch.end(isOver);
  }

  #next(): readonly string[] | null {
    return this.#batch.recorded(String(this.#count));
  }
}

/** A damaged record reads as null, so that its version is measured again. */
function parseRecord([version = "", second = "", unit, profile]: readonly string[]): SearchRecord | null {
  if (!isVersionId(version)) return null;
  if (unit === undefined || profile === undefined) return { version, reason: second };
  const value = second === "" ? Number.NaN : Number(second);
  return Number.isFinite(value) ? { version, value, unit, profile } : null;
}
