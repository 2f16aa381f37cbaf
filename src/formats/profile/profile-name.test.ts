import fc from "fast-check";
import { expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { type NameFacts, profileName } from "./profile-name.ts";

const facts: NameFacts = {
  collector: "time",
  postprocessors: [],
  cmd: "./bin/bench --n 10",
  workload: "in put/a&b.txt",
  type: "time",
  origin: "0123456789abcdef0123456789abcdef01234567",
  time: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  counter: 7,
  params: new Map([["time.repeat", "10"]]),
};

test.each([
  ["%collector%-%cmd%-%workload%-%date%", "time-[bench_--n_10]-[a_b.txt]-2026-01-02-03-04-05-k3.perf"],
  ["%postprocessors%.%counter%.%time.repeat%.100%%", "_.7.10.100%-k3.perf"],
  ["%origin%", "0123456789abcdef0123456789abcdef01234567-k3.perf"],
  ["-x/../%type%", "_-x_.._time-k3.perf"],
  ["", "_-k3.perf"],
])("%s", (template, name) => {
  expect(profileName(template, facts, "k3")).toBe(name);
});

test("an empty workload is [_], as Perun names it", () => {
  expect(profileName("%cmd%-%workload%", { ...facts, workload: "" }, "k")).toBe("[bench_--n_10]-[_]-k.perf");
});

test("postprocessors are listed", () => {
  expect(profileName("%postprocessors%", { ...facts, postprocessors: ["a", "b"] }, "k")).toBe("after-a-and-b-k.perf");
});

test("the failure of an unknown token lists the valid ones", () => {
  try {
    profileName("%nope%", facts, "k");
    expect.unreachable();
  } catch (error) {
    expect(isFailure(error, "unknown-choice") && error.remedy).toContain("time.repeat");
  }
});

test("any command gives a valid file name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme", maxLength: 300 }), (cmd, workload) => {
      const name = profileName("%cmd%%workload%", { ...facts, cmd, workload }, "k");
      expect(name).not.toMatch(/[/\\\p{Cc}]|^[-.]/u);
      expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(200);
    }),
  );
});
