import { expect, test } from "vitest";
import { machineClass, machineFact } from "./machine-facts.ts";
import { sameMachine } from "./machine-relation.ts";

test("the class has the facts that equal machines share, in any order of the report", () => {
  const facts = [
    ["host", "runner-17"],
    ["cpu", "AMD  EPYC 7763"],
    ["cpus", "4"],
    ["boot_time", "2024-01-01"],
  ] as const;
  expect(machineClass(facts)).toBe("cpu=AMD EPYC 7763; cpus=4");
  expect(machineClass(facts.toReversed())).toBe(machineClass(facts));
});

test.each([[[["host", "a"]]], [[["cpu", " "]]], [[["threads", "8"]]], [[]]] as const)(
  "the class of %j is unknown",
  (facts) => {
    expect(machineClass(facts as never)).toBeNull();
  },
);

test("the release of the kernel is no part of a class", () => {
  const azure = (release: string): string | null =>
    machineClass([["platform", `Linux-${release}-azure-x86_64-with-glibc2.35`]]);
  expect(azure("5.15.0-1053")).toBe("platform=Linux-x86_64-with-glibc2.35");
  expect(azure("6.2.0-1012")).toBe(azure("5.15.0-1053"));
});

test.each([
  ["num-cpus", "identity"],
  ["GOARCH", "identity"],
  ["load_avg", "incident"],
  ["threads", undefined],
  ["size", undefined],
] as const)("%s is %s", (name, kind) => {
  expect(machineFact(name)).toBe(kind);
});

test.each([
  ["cpu=a; cpus=4", "cpu=a; cpus=4", "same"],
  ["cpu=a; cpus=4", "cpu=a", "same"],
  ["cpu=a; cpus=4", "cpu=b; cpus=4", "other"],
  ["cpu=a", "os=linux", "unknown"],
  ["cpu=a", "5f2c", "unknown"],
  ["5f2c", "5f2d", "other"],
  [null, "cpu=a", "unknown"],
] as const)("%s and %s are %s", (a, b, relation) => {
  expect([sameMachine(a, b), sameMachine(b, a)]).toEqual([relation, relation]);
});
