import fc from "fast-check";
import { expect, it } from "vitest";
import type { Verdict, VerdictOutcome } from "../../core/verdicts/index.ts";
import type { VersionId } from "../../core/versions/index.ts";
import { changeGroups } from "./change-groups.ts";

const version = (at: number): VersionId => at.toString(16).padStart(40, "0") as VersionId;

function verdict(key: string, outcome: VerdictOutcome, after: number, suspects: readonly number[] = [after]): Verdict {
  return {
    subject: { source: "profile", key, benchmark: key, metric: "time", unit: undefined, better: "lower" },
    outcome,
    before: null,
    after: null,
    delta: 0.1,
    deltaLow: null,
    deltaHigh: null,
    p: 0,
    q: 0,
    test: "",
    reason: null,
    detectable: null,
    since: { before: version(after - 1), after: version(after), suspects: suspects.map(version) },
  };
}

const names = (verdicts: readonly Verdict[]): (readonly [string, number, readonly string[]])[] =>
  changeGroups(verdicts).map(({ after, suspects, verdicts: members }) => [
    after.replace(/^0+/, ""),
    suspects.length,
    members.map(({ subject }) => subject.key),
  ]);

it("groups changes with common suspects, and narrows these down", () => {
  const all = [
    verdict("a", "worse", 5, [4, 5, 6]),
    verdict("b", "worse", 9),
    verdict("c", "better", 6, [5, 6, 7]),
    verdict("d", "inconclusive", 5),
    verdict("e", "worse", 6),
    verdict("f", "worse", 2),
  ];
  expect(names(all)).toEqual([["6", 1, ["a", "c", "e"]]]);
});

it("puts each change in one group at most, whose members share its suspects", () => {
  const changes = fc.array(fc.tuple(fc.nat(12), fc.nat(3)), { maxLength: 12 });
  fc.assert(
    fc.property(changes, (list) => {
      const all = list.map(([at, wide], key) => verdict(`${key}`, "worse", at, range(at - wide, at + wide)));
      const groups = changeGroups(all);
      const members = groups.flatMap(({ verdicts }) => verdicts);
      expect(new Set(members).size).toBe(members.length);
      for (const { suspects, verdicts } of groups) {
        expect(verdicts.length).toBeGreaterThan(1);
        expect(suspects.length).toBeGreaterThan(0);
        for (const each of verdicts) expect(each.since?.suspects).toEqual(expect.arrayContaining([...suspects]));
      }
    }),
  );
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - Math.max(0, from) + 1 }, (_, at) => Math.max(0, from) + at);
}
