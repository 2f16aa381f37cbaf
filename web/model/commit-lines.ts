import type { VersionColumns } from "../../src/core/pages/index.ts";

/** A commit as shown in lists. */
export interface CommitLine {
  /** Index in the list of commits; the oldest is 0. */
  readonly index: number;
  readonly id: string;
  readonly subject: string;
  readonly author: string;
  readonly date: number;
  readonly profiles: number;
  /** Index of the first parent, -1 if it is not in the list. */
  readonly parent: number;
}

export function commitLine({ facts, arrays }: VersionColumns, index: number): CommitLine | undefined {
  const id = facts.ids[index];
  if (id === undefined) return undefined;
  return {
    index,
    id,
    subject: facts.subjects[index] ?? "",
    author: facts.authors[index] ?? "",
    date: arrays.date[index] ?? 0,
    profiles: arrays.profiles[index] ?? 0,
    parent: arrays.parents[index] ?? -1,
  };
}

/** The index of the first commit whose id starts with the prefix; -1 if there is none. */
export function indexOfCommit({ facts }: VersionColumns, prefix: string): number {
  return prefix === "" ? -1 : facts.ids.findIndex((id) => id.startsWith(prefix));
}

/** Indexes of the selected commits that contain all words of `text`, newest first. */
export function matchingCommits(
  { facts }: VersionColumns,
  text: string,
  isSelected: (index: number) => boolean,
): Int32Array {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const matching: number[] = [];
  for (let index = facts.ids.length - 1; index >= 0; index--) {
    if (!isSelected(index)) continue;
    const line = `${facts.ids[index]} ${facts.subjects[index]} ${facts.authors[index]}`.toLowerCase();
    if (words.every((word) => line.includes(word))) matching.push(index);
  }
  return Int32Array.from(matching);
}

/**
 * The index of the commit that a user names by a tag, a branch, `HEAD` or the start of its id, with `~2` or `^` for
 * first parents; -1 if it is not in the list.
 */
export function resolveCommit(versions: VersionColumns, revision: string): number {
  const [, name = "", steps = ""] = /^(.*?)((?:[~]\d*|\^)*)$/.exec(revision.trim()) ?? [];
  const named = versions.facts.names.find(([, each]) => each === name)?.[0];
  let index = named ?? (/^[0-9a-f]{4,}$/i.test(name) ? indexOfCommit(versions, name.toLowerCase()) : -1);
  for (const [, count] of steps.matchAll(/[~^](\d*)/g))
    for (let left = Number(count === "" ? 1 : count); left > 0 && index >= 0; left--)
      index = versions.arrays.parents[index] ?? -1;
  return index;
}
