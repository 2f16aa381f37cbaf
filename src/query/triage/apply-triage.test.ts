import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { VersionId } from "../../core/versions/digest.ts";
import type { TriageEntry, TriageScope, TriageState } from "../../core/verdicts/triage.ts";
import type { Since, Verdict, VerdictOutcome } from "../../core/verdicts/verdict.ts";
import { renamedKeys, applyTriage } from "./apply-triage.ts";

const order = Array.from({ length: 8 }, (_, at) => String(at).repeat(40) as VersionId);
const at = (position: number): VersionId => order[position] as VersionId;
const any: TriageScope = { kind: "any" };
const version = (position: number): TriageScope => ({ kind: "version", version: at(position).slice(0, 9) });
const range = (after: number | null, until: number | null): TriageScope => ({
  kind: "range",
  after: after === null ? null : at(after).slice(0, 7),
  until: until === null ? null : at(until).slice(0, 7),
});

/** First seen at `after`, unmeasured since `before`. */
function since(before: number, after: number): Since {
  return { before: at(before), after: at(after), suspects: order.slice(before + 1, after + 1) };
}

function verdict(when: Since | null, word: VerdictOutcome = "worse", key = "k"): Verdict {
  const subject = { source: "experiment", key, benchmark: "b", metric: "m", unit: undefined, better: "lower" } as const;
  const nothing = {
    before: null,
    after: null,
    delta: 0.1,
    deltaLow: null,
    deltaHigh: null,
    p: null,
    test: "",
    q: null,
    detectable: null,
  };
  return { subject, outcome: word, ...nothing, reason: null, since: when };
}

const says = (state: TriageState, scope: TriageScope, note: string = state): TriageEntry => ({
  key: "k",
  scope,
  state,
  to: null,
  note,
});

function outcome(entries: readonly TriageEntry[], when: Since | null, word?: VerdictOutcome): string {
  const [one] = applyTriage([verdict(when, word)], entries, order, "f");
  return `${one?.triage?.state ?? "undecided"} ${one?.fails === true ? "fails" : "passes"}`;
}

describe("changes for the worse", () => {
  test.each([
    ["nothing decided", [], since(2, 3), "undecided fails"],
    ["accepted for good", [says("accepted", any)], since(2, 3), "accepted passes"],
    ["accepted for good, version unknown", [says("accepted", any)], null, "accepted passes"],
    ["accepted at its version", [says("accepted", version(3))], since(2, 3), "accepted passes"],
    ["accepted at a suspect", [says("accepted", version(2))], since(0, 3), "accepted passes"],
    ["accepted at the last good version", [says("accepted", version(2))], since(2, 3), "undecided fails"],
    ["accepted elsewhere", [says("accepted", version(5))], since(2, 3), "undecided fails"],
    ["accepted at a version, version unknown", [says("accepted", version(3))], null, "undecided fails"],
    ["expected from a version on", [says("expected", range(2, null))], since(2, 3), "expected passes"],
    ["expected after it", [says("expected", range(3, null))], since(2, 3), "undecided fails"],
    ["expected up to it", [says("expected", range(null, 3))], since(2, 3), "expected passes"],
    ["expected before it", [says("expected", range(0, 2))], since(2, 3), "undecided fails"],
    ["fixed later", [says("fixed", version(5))], since(2, 3), "fixed passes"],
    ["fixed by that version", [says("fixed", version(3))], since(2, 3), "fixed passes"],
    ["fixed before", [says("fixed", version(2))], since(2, 3), "came-back fails"],
    ["fixed, whenever", [says("fixed", any)], since(2, 3), "came-back fails"],
    ["went away later", [says("went-away", version(5))], since(2, 3), "went-away passes"],
    ["went away before", [says("went-away", version(2))], since(2, 3), "undecided fails"],
    [
      "fixed, and the second coming accepted",
      [says("fixed", version(1)), says("accepted", version(3))],
      since(2, 3),
      "accepted passes",
    ],
    [
      "fixed, and pardoned in general",
      [says("fixed", version(1)), says("accepted", any)],
      since(2, 3),
      "came-back fails",
    ],
    [
      "fixed at an unknown version",
      [{ ...says("fixed", any), scope: { kind: "version", version: "abcdef0" } }],
      since(2, 3),
      "undecided fails",
    ],
    [
      "accepted up to an unknown version",
      [{ ...says("accepted", any), scope: { kind: "range", after: null, until: "abcdef0" } }],
      since(2, 3),
      "undecided fails",
    ],
  ] as const)("%s", (_, entries, when, expected) => {
    expect(outcome(entries, when)).toBe(expected);
  });

  test("follow decisions under all names of a subject", () => {
    const names = ["a b", "b k"].map((pair): TriageEntry => {
      const [key = "", to = ""] = pair.split(" ");
      return { key, scope: any, state: "renamed", to, note: "" };
    });
    expect(outcome([...names, { ...says("accepted", any), key: "a" }], null)).toBe("accepted passes");
    expect(outcome([{ ...says("accepted", any), key: "a" }], null)).toBe("undecided fails");
  });
});

test.each(["better", "same", "inconclusive"] as const)("ignores what is %s", (word) => {
  expect(outcome([says("fixed", any), says("accepted", any)], since(2, 3), word)).toBe("undecided passes");
});

test("the order of the entries does not matter", () => {
  const scope = fc.oneof(
    fc.constant(any),
    fc.nat(7).map(version),
    fc.tuple(fc.nat(7), fc.nat(7)).map(([a, b]) => range(a, b)),
  );
  const entry = fc
    .record({
      state: fc.constantFrom("accepted", "expected", "fixed", "went-away"),
      scope,
      note: fc.constantFrom("x", "y"),
    })
    .map(({ state, scope: where, note }) => says(state, where, note));
  const entries = fc.array(entry, { maxLength: 6 });
  fc.assert(
    fc.property(
      entries.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      fc.nat(6),
      ([list, shuffled], position) => {
        const verdicts = [verdict(since(position, position + 1)), verdict(null)];
        expect(applyTriage(verdicts, shuffled, order, "f")).toEqual(applyTriage(verdicts, list, order, "f"));
      },
    ),
  );
});

test.each([["a b", "b a"], ["a a"], ["a b", "a c"]])("rejects cyclic and ambiguous names: %s %s", (...pairs) => {
  const entries = pairs.map((pair): TriageEntry => ({
    ...says("renamed", any),
    key: pair[0] as string,
    to: pair[2] as string,
  }));
  expect(() => renamedKeys(entries, "f")).toThrow("f: 'a' is renamed in a cycle, or to two names");
});

test("follows a long chain of names in one walk", () => {
  const entries = Array.from({ length: 20_000 }, (_, n): TriageEntry => ({
    ...says("renamed", any),
    key: `n${n}`,
    to: `n${n + 1}`,
  }));
  const newest = renamedKeys(entries, "f");
  expect(new Set(newest.values())).toEqual(new Set(["n20000"]));
});
