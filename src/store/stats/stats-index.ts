import { join } from "node:path";
import type { VersionId } from "../../core/versions/index.ts";
import { isFailure } from "../../core/failures/index.ts";
import { isList } from "../../core/values/index.ts";
import { packJson, unpackJson } from "../../formats/store/index.ts";
import { writeDurably, readRegularFile } from "../durable/index.ts";

/** A version with statistics and its commit date: local time `YYYY-mm-dd HH:MM:SS`, as in Perun. */
export interface DatedVersion {
  readonly version: VersionId;
  readonly date: string;
}

const datePattern = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/**
 * Reads `stats/.index`: the versions with statistics, newest first. It can be rebuilt, so a damaged one counts as
 * empty.
 */
export function readStatsIndex(folder: string): DatedVersion[] {
  const path = join(folder, ".index");
  const bytes = readRegularFile(path);
  if (bytes === null) return [];
  try {
    const json = unpackJson(bytes, path);
    return (isList(json) ? json : []).flatMap((entry) => {
      const [version, date] = isList(entry) ? entry : [];
      const isKnown =
        typeof version === "string" && isVersionId(version) && typeof date === "string" && datePattern.test(date);
      return isKnown ? [{ version: version as VersionId, date }] : [];
    });
  } catch (error) {
    if (isFailure(error, "packed-json-damaged")) return [];
    throw error;
  }
}

/** Writes the index, newest first; the sort is stable. */
export function writeStatsIndex(folder: string, versions: readonly DatedVersion[]): void {
  const entries = newestFirst(versions).map(({ version, date }) => [version, date]);
  writeDurably(join(folder, ".index"), [packJson(entries)]);
}

export function newestFirst<V extends { readonly date: string }>(versions: readonly V[]): V[] {
  return versions.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
}

export function isVersionId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}
