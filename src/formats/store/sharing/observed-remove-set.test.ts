import fc from "fast-check";
import { expect, test } from "vitest";
import { isFailure } from "../../../core/failures/failure.ts";
import { displayTexts, withLocalChanges, type KnownSet, type SetNaming } from "./observed-remove-changes.ts";
import { decodeSharedSet, emptySet, encodeSharedSet, mergeSharedSets, type SharedSet } from "./observed-remove-set.ts";

const ids = fc.constantFrom(..."0123456789abcdef").map((digit) => digit.repeat(16));
const texts = fc.constantFrom("a", "b c", "ü +", "😀", "￿");
const sets: fc.Arbitrary<SharedSet> = fc
  .record({ additions: fc.array(fc.tuple(ids, texts)), ended: fc.array(ids) })
  .map(({ additions, ended }) => mergeSharedSets({ additions: new Map(additions), ended: new Set(ended) }, emptySet));

const bytes = (set: SharedSet): string => new TextDecoder().decode(encodeSharedSet(set));
const decoded = (text: string): SharedSet => decodeSharedSet(new TextEncoder().encode(text), "sets/x");

test("round-trips", () => {
  fc.assert(
    fc.property(sets, (set) => {
      expect(decoded(bytes(set))).toEqual(set);
    }),
  );
  expect(bytes({ additions: new Map([["0".repeat(16), "x"]]), ended: new Set(["1".repeat(16)]) })).toBe(
    "+ 0000000000000000 x\n- 1111111111111111\n",
  );
});

test("a merge is commutative, associative and idempotent", () => {
  fc.assert(
    fc.property(sets, sets, sets, (a, b, c) => {
      expect(bytes(mergeSharedSets(a, b))).toBe(bytes(mergeSharedSets(b, a)));
      expect(bytes(mergeSharedSets(mergeSharedSets(a, b), c))).toBe(bytes(mergeSharedSets(a, mergeSharedSets(b, c))));
      expect(bytes(mergeSharedSets(a, a))).toBe(bytes(a));
      expect(bytes(mergeSharedSets(mergeSharedSets(a, b), b))).toBe(bytes(mergeSharedSets(a, b)));
    }),
  );
});

test.each([
  ["+ 0000000000000000 x", "its last line is cut off"],
  ["* 0000000000000000 x\n", "line 1 is neither"],
  ["+ 00000000000000 x\n", "line 1 is neither"],
  ["+ 0000000000000000\n", "line 1 is neither"],
  ["- 0000000000000000 x\n", "line 1 is neither"],
  ["\n", "line 1 is neither"],
  ["+ 1111111111111111 x\n+ 0000000000000000 x\n", "line 2 is out of order"],
  ["+ 0000000000000000 x\n+ 0000000000000000 x\n", "line 2 is out of order"],
  ["+ 0000000000000000 x\n+ 0000000000000000 y\n", "an id is given twice"],
  ["+ 0000000000000000 x\n- 0000000000000000\n", "has ended and still stands"],
])("an invalid file is refused: %j", (text, reason) => {
  expect(() => decoded(text)).toThrow(reason);
});

test("any bytes are read or refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        expect(encodeSharedSet(decodeSharedSet(bytes, "x"))).toEqual(bytes);
      } catch (error) {
        expect(isFailure(error, "share-refused")).toBe(true);
      }
    }),
  );
});

const naming = (who: string): SetNaming => {
  let given = 0;
  return { keyOf: (text) => text[0]!, idOf: () => `${who}${String(given++).padStart(15, "0")}` };
};
const nothing: KnownSet = { set: emptySet, absent: new Set() };
const shown = ({ set }: KnownSet, name: SetNaming): string[] =>
  [...displayTexts(set.additions.values(), name.keyOf).values()].toSorted();

test("unknown held items were added, known items that are not held were removed", () => {
  const name = naming("a");
  const first = withLocalChanges(nothing, ["x1", "y1"], name);
  expect(shown(first, name)).toEqual(["x1", "y1"]);
  expect(withLocalChanges(first, ["x1", "y1"], name)).toEqual(first);
  const second = withLocalChanges(first, ["y1"], name);
  expect(shown(second, name)).toEqual(["y1"]);
  expect(second.set.ended.size).toBe(1);
});

test("a text in another form replaces the former one, even if that sorts first", () => {
  const name = naming("a");
  const known = withLocalChanges(withLocalChanges(nothing, ["x1"], name), ["x2"], name);
  expect(shown(known, name)).toEqual(["x2"]);
  expect([...known.set.additions.values()]).toEqual(["x2"]);
});

test("a deliberately absent item is not removed, and adding it in any form ends nothing", () => {
  const name = naming("a");
  const known: KnownSet = { ...withLocalChanges(nothing, ["x1", "y1"], name), absent: new Set(["x"]) };
  expect(withLocalChanges(known, ["y1"], name)).toEqual(known);
  expect(withLocalChanges(known, ["x1", "y1"], name).absent.size).toBe(0);
  const other = withLocalChanges(known, ["x2", "y1"], name);
  expect([...other.set.additions.values()].toSorted()).toEqual(["x1", "x2", "y1"]);
  expect(withLocalChanges(other, ["x2", "y1"], name)).toEqual(other);
});

test("a concurrent addition wins over a removal that did not see it", () => {
  const [ada, bob] = [naming("a"), naming("b")];
  const common = withLocalChanges(nothing, ["x1"], ada);
  const removed = withLocalChanges(common, [], ada);
  const added = withLocalChanges(nothing, ["x1"], bob);
  expect([...mergeSharedSets(removed.set, added.set).additions.values()]).toEqual(["x1"]);
});

/** Steps of a history: an instance, and the text it holds for a key, or a sync. */
const acts = fc.array(
  fc.record({
    who: fc.nat({ max: 2 }),
    act: fc.constantFrom("add", "add", "remove", "rename", "push", "pull"),
    text: fc.constantFrom("x1", "x2", "y1", "z1"),
  }),
  { maxLength: 40 },
);

test("500 histories of two or three instances converge after all have pushed and pulled", () => {
  fc.assert(
    fc.property(acts, fc.integer({ min: 2, max: 3 }), (history, count) => {
      let remote = emptySet;
      const people = Array.from({ length: count }, (_, i) => ({
        known: nothing,
        held: new Set<string>(),
        name: naming("abc"[i]!),
      }));
      const push = (person: (typeof people)[0]): void => {
        person.known = withLocalChanges(person.known, person.held, person.name);
        remote = decoded(bytes(mergeSharedSets(remote, person.known.set)));
      };
      const pull = (person: (typeof people)[0]): void => {
        const { set } = withLocalChanges(person.known, person.held, person.name);
        person.known = { set: mergeSharedSets(set, remote), absent: new Set() };
        person.held = new Set(shown(person.known, person.name));
      };
      for (const { who, act, text } of history) {
        const person = people[who % count]!;
        if (act === "push") push(person);
        else if (act === "pull") pull(person);
        else if (act === "remove") person.held.delete(text);
        else {
          for (const other of person.held) if (act === "rename" || other[0] === text[0]) person.held.delete(other);
          person.held.add(text);
        }
      }
      for (const person of people) push(person);
      for (const person of people) pull(person);
      for (const { held, known } of people) {
        expect([...held].toSorted()).toEqual([...people[0]!.held].toSorted());
        expect(bytes(known.set)).toBe(bytes(remote));
      }
    }),
    { numRuns: 500 },
  );
});
