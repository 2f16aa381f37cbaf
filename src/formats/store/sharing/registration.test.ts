import fc from "fast-check";
import { expect, test } from "vitest";
import type { Digest } from "../../../core/versions/digest.ts";
import { readRegistration, registrationKey, registrationText } from "./remote-record.ts";

const digest = "ab".repeat(20) as Digest;

test("round-trips", () => {
  const names = fc.string({ minLength: 1, unit: "grapheme" }).filter((name) => !/[\n\r\u2028\u2029]/.test(name));
  const collectors = fc.string({ unit: "grapheme", maxLength: 20 });
  fc.assert(
    fc.property(fc.nat({ max: 0xffff_ffff }), collectors, names, (time, collector, name) => {
      const registration = { digest, time, collector, name };
      expect(readRegistration(registrationText(registration))).toEqual(registration);
      expect(registrationKey(registrationText(registration))).toBe(`${digest} ${name}`);
    }),
  );
  expect(registrationText({ digest, time: 7, collector: "", name: "a b.perf" })).toBe(
    `${digest} 0000000007 - a b.perf`,
  );
});

test.each([
  "",
  digest,
  `${digest} 0000000007 time`,
  `${digest} 7 time a`,
  `${digest} 9999999999 time a`,
  `${digest} 0000000007 % a`,
  `${digest} 0000000007 ti%6de a`,
  `${digest.toUpperCase()} 0000000007 time a`,
  `${digest}  0000000007 time a`,
])("invalid text is refused: %j", (text) => {
  expect(readRegistration(text)).toBeNull();
});
