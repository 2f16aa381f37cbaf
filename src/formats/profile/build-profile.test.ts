import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonObject, JsonNumber, type Json } from "../../core/values/json.ts";
import { isFailure } from "../../core/failures/failure.ts";
import { headerOfRun, readProfileHeader } from "./profile-header.ts";
import { profileOf, type Subject } from "./build-profile.ts";
import { decodeProfile, encodeProfile, encodeProfilePieces, normaliseProfile } from "./profile.ts";

const frames: readonly Json[] = ["main", "a", "déjà"].map((name, at) =>
  jsonObject({ function: name, source: "a.c", line: JsonNumber.integer(at) }),
);
const uid = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom(...frames));
const trace = fc.array(fc.constantFrom(...frames), { maxLength: 4 });
const columns = fc.uniqueArray(
  fc.oneof(
    fc.record({
      name: fc.constantFrom("amount", "order", "x"),
      type: fc.constant("integer" as const),
      values: fc.array(fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(-0, 2 ** 60)), { maxLength: 3 }),
    }),
    fc.record({
      name: fc.constantFrom("amount", "y"),
      type: fc.constant("float" as const),
      values: fc.array(fc.double(), { maxLength: 3 }).map((values) => Float64Array.from(values)),
    }),
  ),
  { selector: ({ name }) => name, maxLength: 4 },
);
const subject: fc.Arbitrary<Subject> = fc.record({
  properties: fc.oneof(
    fc.record({ uid, trace, type: fc.constantFrom("time", "mixed") }).map(jsonObject),
    uid.map((each) => jsonObject({ uid: each })),
  ),
  columns,
});

function runOf(subjects: readonly Subject[], dirty: boolean) {
  const units = { time: "s", "time(x)": "1" };
  const machine = jsonObject({ dirty });
  const collector = { name: "c", params: jsonObject({ a: frames }) };
  return profileOf({ type: "time", cmd: "./a", workload: "w", units, collector, machine, subjects });
}

test("a new run equals the run decoded from either of its encoded forms", () => {
  fc.assert(
    fc.property(fc.array(subject, { maxLength: 6 }), fc.boolean(), (subjects, dirty) => {
      const run = runOf(subjects, dirty);
      const stored = encodeProfile(run);
      expect(decodeProfile(stored)).toEqual(run);
      const pending = encodeProfile(run, "pending");
      expect(normaliseProfile(pending, "f").body).toEqual(stored);
      expect(headerOfRun(run, "f")).toEqual(readProfileHeader(pending, "f"));
    }),
  );
});

test("the pieces of a large profile add up to its bytes", () => {
  const values = Float64Array.from({ length: 300_000 }, (_, at) => at / 8);
  const properties = jsonObject({ uid: "a", trace: Array.from({ length: 50_000 }, (_, at) => frames[at % 3]!) });
  const run = runOf([{ properties, columns: [{ name: "amount", type: "float", values }] }], false);
  const pieces: Uint8Array[] = [];
  encodeProfilePieces(run, "pending", "f", (piece) => pieces.push(piece));
  expect(pieces.length).toBeGreaterThan(3);
  expect(Buffer.concat(pieces).equals(encodeProfile(run, "pending"))).toBe(true);
});

test("headerOfRun fails for a run without a type", () => {
  const run = runOf([], false);
  try {
    headerOfRun({ ...run, fixed: new Map() }, "f");
    expect.unreachable();
  } catch (error) {
    expect(isFailure(error, "not-a-profile")).toBe(true);
  }
});
