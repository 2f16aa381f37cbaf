import { counted } from "../../core/text/index.ts";
import { groupBy } from "../../core/values/index.ts";
import type { Since, Verdict } from "../../core/verdicts/index.ts";
import { abbreviate, type VersionId } from "../../core/versions/index.ts";

/** Changes of several series that may have one cause. */
export interface ChangeGroup {
  /** Where most of them changed. */
  readonly after: VersionId;
  /** The suspects that all of them have, the oldest first. */
  readonly suspects: readonly VersionId[];
  /** At least two, in the given order. */
  readonly verdicts: readonly Verdict[];
}

interface Located extends Verdict {
  readonly since: Since;
}

/** Groups worse and better verdicts that have suspects in common. A verdict is in one group at most. */
export function changeGroups(verdicts: readonly Verdict[]): ChangeGroup[] {
  const groups: { suspects: readonly VersionId[]; readonly members: Located[] }[] = [];
  const bySuspect = new Map<VersionId, (typeof groups)[number][]>();
  for (const verdict of verdicts) {
    if (!isLocated(verdict)) continue;
    const own = new Set(verdict.since.suspects);
    const near = [...new Set(verdict.since.suspects.flatMap((each) => bySuspect.get(each) ?? []))];
    const known = near.find(({ suspects }) => suspects.some((each) => own.has(each)));
    if (known === undefined) {
      const made = { suspects: verdict.since.suspects, members: [verdict] };
      groups.push(made);
      for (const each of own) bySuspect.set(each, [...(bySuspect.get(each) ?? []), made]);
    } else {
      known.members.push(verdict);
      known.suspects = known.suspects.filter((each) => own.has(each));
    }
  }
  return groups.flatMap(({ suspects, members }) =>
    members.length < 2 ? [] : [{ after: commonest(members), suspects, verdicts: members }],
  );
}

/** The members of a group follow its first one. */
export function inGroups(verdicts: readonly Verdict[], groups: readonly ChangeGroup[]): Verdict[] {
  const groupOf = new Map(groups.flatMap((group) => group.verdicts.map((each) => [each, group] as const)));
  const shown = new Set<ChangeGroup>();
  return verdicts.flatMap((each) => {
    const group = groupOf.get(each);
    if (group === undefined) return [each];
    if (shown.has(group)) return [];
    shown.add(group);
    return group.verdicts;
  });
}

/** Number of changes of a group by outcome, and of the suspects that all have. */
export interface GroupCounts {
  readonly after: VersionId;
  readonly suspects: number;
  readonly worse: number;
  readonly better: number;
}

export function groupCounts({ after, suspects, verdicts }: ChangeGroup): GroupCounts {
  const countOf = (wanted: string): number => verdicts.filter(({ outcome }) => outcome === wanted).length;
  return { after, suspects: suspects.length, worse: countOf("worse"), better: countOf("better") };
}

/** `c4103010 changed 3 series (2 worse, 1 better); suspects in common: 2 commits` */
export function groupText({ after, suspects, worse, better }: GroupCounts): string {
  const counts = [worse > 0 ? `${worse} worse` : "", better > 0 ? `${better} better` : ""].filter(
    (each) => each !== "",
  );
  const common = suspects === 1 ? "" : `; suspects in common: ${counted(suspects, "commit")}`;
  return `${abbreviate(after)} changed ${worse + better} series (${counts.join(", ")})${common}`;
}

function isLocated(verdict: Verdict): verdict is Located {
  return verdict.since !== null && (verdict.outcome === "worse" || verdict.outcome === "better");
}

/** The most frequent position; of equally frequent ones the first. */
function commonest(members: readonly Located[]): VersionId {
  const positions = [...groupBy(members, ({ since }) => since.after)];
  return positions.reduce((most, next) => (next[1].length > most[1].length ? next : most))[0];
}
