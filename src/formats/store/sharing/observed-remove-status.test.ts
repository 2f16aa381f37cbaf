import fc from "fast-check";
import { expect, test } from "vitest";
import { itemsHeldAt, standings, tallyOf } from "./observed-remove-status.ts";
import { withLocalChanges, type KnownSet } from "./observed-remove-changes.ts";
import { emptySet, mergeSharedSets, type SharedSet } from "./observed-remove-set.ts";

const naming = {
  keyOf: (text: string): string => text.slice(0, 1),
  identityOf: (text: string): string => text.slice(0, 1),
};

/** Created by two instances with their own ids. */
const instance = (digit: string): { hold(known: KnownSet, ...held: string[]): KnownSet } => {
  let given = 0;
  return {
    hold: (known, ...held) =>
      withLocalChanges(known, held, { ...naming, idOf: () => digit + String(given++).padStart(15, "0") }),
  };
};

const nothing: KnownSet = { set: emptySet, absent: new Set() };
const all = (): boolean => true;
const object = (map: ReadonlyMap<string, string>): Record<string, string> => Object.fromEntries([...map].toSorted());

test("every item has a standing", () => {
  const [ada, bob] = [instance("a"), instance("b")];
  const both = ada.hold(nothing, "a", "b", "c", "d");
  // Bob removed b and added e and f; Ada removed c, added g, and did not want f.
  const there: SharedSet = bob.hold(both, "a", "c", "d", "e", "f").set;
  const here: KnownSet = { ...ada.hold(both, "a", "b", "d", "g"), absent: new Set("f") };
  const known = standings(here, there, naming, (identity) => identity !== "d");
  expect(object(known)).toEqual({ a: "=", b: "x", c: "d", d: "o", e: "<", f: "a", g: ">" });
  expect([...itemsHeldAt(known)].toSorted()).toEqual(["a", "b", "d", "g"]);
  expect(tallyOf(known, itemsHeldAt(known))).toEqual({ outgoing: 2, removed: 1, incoming: 1, removedRemotely: 1 });
  expect(tallyOf(known, new Set("abdgh"))).toMatchObject({ outgoing: 3, removed: 1 });
  expect(tallyOf(known, new Set("bdge"))).toMatchObject({ outgoing: 2, removed: 2, incoming: 0 });
});

test("two forms of one item are the same unless their identities differ", () => {
  const here = instance("a").hold(nothing, "a later");
  const there = instance("b").hold(nothing, "a earlier").set;
  expect(object(standings(here, there, naming, all))).toEqual({ a: "=" });
  const apart = { ...naming, identityOf: (text: string): string => text };
  expect(object(standings(here, there, apart, all))).toEqual({ "a earlier": "<", "a later": "x" });
});

test("after a pull nothing is incoming, after a push nothing is outgoing", () => {
  const texts = fc.subarray(["a", "b", "c", "d"]);
  fc.assert(
    fc.property(texts, texts, texts, (common, held, others) => {
      const [ada, bob] = [instance("a"), instance("b")];
      const both = ada.hold(nothing, ...common);
      const here = ada.hold(both, ...held);
      const theirs = bob.hold(both, ...others).set;
      const merged: KnownSet = { ...nothing, set: mergeSharedSets(here.set, theirs) };
      const pulled = standings(merged, theirs, naming, all);
      expect(tallyOf(pulled, itemsHeldAt(pulled))).toMatchObject({ incoming: 0, removedRemotely: 0 });
      const pushed = standings(here, merged.set, naming, all);
      expect(tallyOf(pushed, itemsHeldAt(pushed))).toMatchObject({ outgoing: 0, removed: 0 });
      const known = standings(here, theirs, naming, all);
      expect([...itemsHeldAt(known)].toSorted()).toEqual(held.toSorted());
    }),
  );
});
