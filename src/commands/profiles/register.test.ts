import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { timeProfile } from "../../../test/cli/program.ts";
import { MeasuredProject } from "../../../test/fakes/measured-project.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { add } from "./register.ts";

let place: MeasuredProject;

beforeEach(() => {
  place = new MeasuredProject();
  place.commit("one");
  mkdirSync(join(place.path, ".perun", "jobs"));
});

afterEach(() => place.remove());

const usual = { keepProfile: false, force: false, allowDirty: false, confirm: null };

const fileOf = (name: string): string => join(place.path, ".perun", "jobs", name);

function write(name: string, origin: string, amount: number): string {
  writeFileSync(fileOf(name), timeProfile({ origin, amounts: [amount], workload: name }));
  return fileOf(name);
}

function registered(): string[] {
  return place
    .open()
    .registered(place.head() as VersionId)
    .map(({ name }) => name);
}

test("many profiles at once: those that can be are registered, the others are told and stay where they are", async () => {
  const head = place.head();
  const profiles = Array.from({ length: 110 }, (_, at) =>
    write(`p${at}.perf`, at % 50 === 7 ? "f".repeat(40) : head, at),
  );
  const { added, failed } = await add(place.open(), { ...usual, profiles });
  expect(failed.map(({ name, failure }) => [name, failure.code])).toEqual(
    [7, 57, 107].map((at) => [`p${at}.perf`, "wrong-origin"]),
  );
  expect(added.every(({ state, version }) => state === "added" && version === head)).toBe(true);
  expect(registered()).toEqual(added.map(({ name }) => name).toSorted());
  expect(readdirSync(join(place.path, ".perun", "jobs")).toSorted()).toEqual(failed.map(({ name }) => name).toSorted());
});

test("the index of a version is written once for a hundred profiles, not once for each", async () => {
  const head = place.head();
  const index = join(place.path, ".perun", "objects", head.slice(0, 2), head.slice(2));
  await add(place.open(), { ...usual, profiles: [write("first.perf", head, 1)] });
  const before = statSync(index).ino;
  await add(place.open(), {
    ...usual,
    profiles: Array.from({ length: 100 }, (_, at) => write(`p${at}.perf`, head, 2 + at)),
  });
  // The generation before the last one stays beside the index: it is the one of the first profile.
  expect(statSync(`${index}.prev`).ino).toBe(before);
  expect(registered()).toHaveLength(101);
});

test("when the index cannot be read, all profiles are told of and stay", async () => {
  const head = place.head();
  await add(place.open(), { ...usual, profiles: [write("first.perf", head, 1)] });
  writeFileSync(join(place.path, ".perun", "objects", head.slice(0, 2), head.slice(2)), "pidx and something else");
  const profiles = ["a.perf", "b.perf"].map((name, at) => write(name, head, 2 + at));
  const { added, failed } = await add(place.open(), { ...usual, profiles });
  expect(added).toEqual([]);
  expect(failed.map(({ name, failure }) => [name, failure.code])).toEqual([
    ["a.perf", "index-damaged"],
    ["b.perf", "index-damaged"],
  ]);
  expect(profiles.every((path) => existsSync(path))).toBe(true);
});
