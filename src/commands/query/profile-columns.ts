import type { Digest, VersionId } from "../../core/versions/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { ListedProfile, Run } from "../../core/profiles/index.ts";
import { parseProfileColumns, type ProfileColumn, ProfileStatistic } from "../../query/profile/index.ts";
import type { VersionColumn } from "../../query/history/index.ts";
import { readRun, VersionLookup } from "../../workspace/profiles/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Profile statistics by commit, with notes for the user. */
export interface ProfileColumns {
  readonly columns: readonly VersionColumn[];
  readonly notes: readonly string[];
}

/**
 * Statistics of profiles registered at commits. Each profile is read once, one at a time. Fails with `bad-option`,
 * `unknown-column`, `unit-mismatch`, `index-damaged`, `object-damaged`.
 */
export function profileColumns(
  workspace: Workspace,
  texts: readonly string[],
  versions: readonly VersionId[],
): ProfileColumns {
  const wanted = texts.flatMap(parseProfileColumns).map((column) => new ProfileStatistic(column));
  const stored = new VersionLookup(workspace);
  for (const version of versions) {
    for (const profile of stored.profiles(version)) {
      const matching = wanted.filter(
        ({ column }) => column.collector === undefined || column.collector === profile.collector,
      );
      if (matching.length === 0) continue;
      const run = runOf(workspace, profile);
      for (const each of matching) each.add(version, run);
    }
  }
  return {
    columns: wanted.map((each) => ({ variable: each.variable(), values: each.values() })),
    notes: wanted.flatMap((each) => notesOn(each, versions.length)),
  };
}

/** Validates column texts before anything is read. Fails with `bad-option` and similar failures. */
export function checkProfileColumns(texts: readonly string[]): readonly ProfileColumn[] {
  return texts.flatMap(parseProfileColumns);
}

function runOf(workspace: Workspace, { object, name }: ListedProfile): Run {
  try {
    return readRun(workspace, { kind: "object", digest: object as Digest, name });
  } catch (error) {
    throw error instanceof Failure ? error.at(name) : error;
  }
}

function notesOn(each: ProfileStatistic, versions: number): string[] {
  const { name } = each.column;
  const without = versions - each.values().size;
  const notes = without === 0 ? [] : [`${name}: ${without} of ${versions} commits have no matching profile`];
  for (const [what, values] of each.mixed) {
    if (values.size < 2) continue;
    const listed = [...values]
      .slice(0, 4)
      .map((value) => value || "none")
      .join(", ");
    notes.push(`${name} combines ${values.size} different ${what}s (${listed}): select one with ${what}=…`);
  }
  return notes;
}
