import { groupBy } from "../../core/values/index.ts";
import type { Since, Verdict } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";

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

function isLocated(verdict: Verdict): verdict is Located {
  return verdict.since !== null && (verdict.outcome === "worse" || verdict.outcome === "better");
}

/** The most frequent position; of equally frequent ones the first. */
function commonest(members: readonly Located[]): VersionId {
  const positions = [...groupBy(members, ({ since }) => since.after)];
  return positions.reduce((most, next) => (next[1].length > most[1].length ? next : most))[0];
}
