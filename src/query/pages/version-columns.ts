import type { VersionId } from "../../core/versions/digest.ts";
import type { VersionColumns } from "../../core/pages/columns.ts";
import type { MinorVersion } from "../../core/versions/version.ts";

/** A version of the history, and how many profiles are registered there. */
export interface PagedVersion {
  readonly version: MinorVersion;
  readonly profiles: number;
}

/** `versions`: the oldest first. */
export function versionColumns(versions: readonly PagedVersion[]): VersionColumns {
  const places = new Map<VersionId, number>(versions.map(({ version }, at) => [version.id, at]));
  const placeOf = (id: VersionId | undefined): number => (id === undefined ? -1 : (places.get(id) ?? -1));
  return {
    facts: {
      ids: versions.map(({ version }) => version.id),
      subjects: versions.map(({ version }) => version.description.split("\n", 1)[0] ?? ""),
      authors: versions.map(({ version }) => version.author),
    },
    arrays: {
      date: Float64Array.from(versions, ({ version }) => version.date),
      parents: Int32Array.from(versions, ({ version }) => placeOf(version.parents[0])),
      profiles: Int32Array.from(versions, ({ profiles }) => profiles),
    },
  };
}
