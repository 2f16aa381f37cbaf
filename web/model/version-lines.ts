import type { VersionColumns } from "../../src/core/pages/columns.ts";

/** A version as lists show it. */
export interface VersionLine {
  /** In the list of versions; the oldest is 0. */
  readonly place: number;
  readonly id: string;
  readonly subject: string;
  readonly author: string;
  readonly date: number;
  readonly profiles: number;
  /** Place of the first parent, -1 where it is not in the list. */
  readonly parent: number;
}

export function versionLine({ facts, arrays }: VersionColumns, place: number): VersionLine | undefined {
  const id = facts.ids[place];
  if (id === undefined) return undefined;
  return {
    place,
    id,
    subject: facts.subjects[place] ?? "",
    author: facts.authors[place] ?? "",
    date: arrays.date[place] ?? 0,
    profiles: arrays.profiles[place] ?? 0,
    parent: arrays.parents[place] ?? -1,
  };
}

/** The place of the version whose id begins like this; -1 where there is none. */
export function placeOfVersion({ facts }: VersionColumns, beginning: string): number {
  return beginning === "" ? -1 : facts.ids.findIndex((id) => id.startsWith(beginning));
}

/** Places of the versions in which all these words stand, the newest first. */
export function fittingVersions(
  { facts }: VersionColumns,
  text: string,
  isWanted: (place: number) => boolean,
): Int32Array {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const fitting: number[] = [];
  for (let place = facts.ids.length - 1; place >= 0; place--) {
    if (!isWanted(place)) continue;
    const line = `${facts.ids[place]} ${facts.subjects[place]} ${facts.authors[place]}`.toLowerCase();
    if (words.every((word) => line.includes(word))) fitting.push(place);
  }
  return Int32Array.from(fitting);
}
