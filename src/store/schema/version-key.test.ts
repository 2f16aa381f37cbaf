import fc from "fast-check";
import { expect, test } from "vitest";
import { compareValues } from "../../core/values/value.ts";
import { versionKey, versionOfKey } from "./version-key.ts";

const component = fc.oneof(
  fc.nat(120).map(String),
  fc.constantFrom("rc", "beta", "a", "b", "Z", "Rc", "007", "12345678901234567890"),
);
const version = fc.array(component, { minLength: 1, maxLength: 5 }).map((components) => components.join("."));

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

test("keys sort like versions and decode to them", () => {
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(order(versionKey(a), versionKey(b))).toBe(compareValues(a, b, "version"));
      expect(versionOfKey(versionKey(a))).toBe(a);
    }),
    { numRuns: 2000 },
  );
});

test("versions sort in the expected order", () => {
  const sorted = ["1.0rc1", "1.0", "1.0a", "1.0.b", "1.0.1", "1.2", "1.9", "1.10", "2"];
  expect(sorted.toReversed().toSorted((a, b) => (versionKey(a) < versionKey(b) ? -1 : 1))).toEqual(sorted);
});
