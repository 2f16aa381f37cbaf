import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { timeProfile } from "../../../test/cli/program.ts";
import { MeasuredProject } from "../../../test/fakes/measured-project.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { add } from "./register.ts";

let project: MeasuredProject;

beforeEach(() => {
  project = new MeasuredProject();
  project.commit("one");
  mkdirSync(join(project.path, ".perun", "jobs"));
});

afterEach(() => project.remove());

const defaults = { keepProfile: false, force: false, allowDirty: false, confirm: null };

const fileOf = (name: string): string => join(project.path, ".perun", "jobs", name);

function write(name: string, origin: string, amount: number): string {
  writeFileSync(fileOf(name), timeProfile({ origin, amounts: [amount], workload: name }));
  return fileOf(name);
}

function registered(): string[] {
  return project
    .open()
    .registered(project.head() as VersionId)
    .map(({ name }) => name);
}

test("registers many profiles at once, and reports and keeps those that fail", async () => {
  const head = project.head();
  const profiles = Array.from({ length: 110 }, (_, at) =>
    write(`p${at}.perf`, at % 50 === 7 ? "f".repeat(40) : head, at),
  );
  const { added, failed } = await add(project.open(), { ...defaults, profiles });
  expect(failed.map(({ name, failure }) => [name, failure.code])).toEqual(
    [7, 57, 107].map((at) => [`p${at}.perf`, "wrong-origin"]),
  );
  expect(added.every(({ state, version }) => state === "added" && version === head)).toBe(true);
  expect(registered()).toEqual(added.map(({ name }) => name).toSorted());
  expect(readdirSync(join(project.path, ".perun", "jobs")).toSorted()).toEqual(
    failed.map(({ name }) => name).toSorted(),
  );
});

test("registers profiles where they were measured, if asked to", async () => {
  const old = project.head();
  project.commit("next");
  const head = project.head();
  const profiles = [write("old.perf", old, 1), write("new.perf", head, 2), write("foreign.perf", "f".repeat(40), 3)];
  const { added, failed } = await add(project.open(), { ...defaults, profiles, atOrigin: true });
  expect(added.map(({ name, version }) => [name, version])).toEqual([
    ["old.perf", old],
    ["new.perf", head],
  ]);
  expect(failed.map(({ name, failure }) => [name, failure.code])).toEqual([["foreign.perf", "wrong-origin"]]);
  const named = await add(project.open(), {
    ...defaults,
    profiles: [write("older.perf", old, 4)],
    atOrigin: true,
    minor: head,
  });
  expect(named.failed.map(({ failure }) => failure.code)).toEqual(["wrong-origin"]);
  const short = [
    write("short.perf", old.slice(0, 8), 5),
    write("none.perf", "0123abcd", 6),
    write("word.perf", "HEAD", 7),
  ];
  const resolved = await add(project.open(), { ...defaults, profiles: short, atOrigin: true });
  expect(resolved.added.map(({ name, version }) => [name, version])).toEqual([["short.perf", old]]);
  expect(resolved.failed.map(({ failure }) => failure.code)).toEqual(["unknown-revision", "missing-origin"]);
});

test("refuses files whose modification time the index cannot hold", async () => {
  const path = write("late.perf", project.head(), 1);
  utimesSync(path, 4_294_967_296, 4_294_967_296);
  const { added, failed } = await add(project.open(), { ...defaults, profiles: [path] });
  expect([added, failed.map(({ failure }) => failure.code)]).toEqual([[], ["time-out-of-range"]]);
  expect(registered()).toEqual([]);
});

test("writes the index of a commit once for many profiles", async () => {
  const head = project.head();
  const index = join(project.path, ".perun", "objects", head.slice(0, 2), head.slice(2));
  await add(project.open(), { ...defaults, profiles: [write("first.perf", head, 1)] });
  const before = statSync(index).ino;
  await add(project.open(), {
    ...defaults,
    profiles: Array.from({ length: 100 }, (_, at) => write(`p${at}.perf`, head, 2 + at)),
  });
  // The previous generation stays next to the index: it has the first profile.
  expect(statSync(`${index}.prev`).ino).toBe(before);
  expect(registered()).toHaveLength(101);
});

test("reports and keeps only the profiles of a commit whose index cannot be written", async () => {
  const old = project.head();
  await add(project.open(), { ...defaults, profiles: [write("first.perf", old, 9)] });
  project.commit("next");
  const head = project.head();
  mkdirSync(join(project.path, ".perun", "objects", old.slice(0, 2), `${old.slice(2)}.prev`));
  const profiles = [old, head].flatMap((origin, at) => [
    write(`a${at}.perf`, origin, at),
    write(`b${at}.perf`, origin, 2 + at),
  ]);
  const { added, failed } = await add(project.open(), { ...defaults, profiles, atOrigin: true });
  expect(added.map(({ name, version }) => [name, version])).toEqual([
    ["a1.perf", head],
    ["b1.perf", head],
  ]);
  expect(failed.map(({ name, failure }) => [name, failure.code])).toEqual(
    ["a0.perf", "b0.perf"].map((name) => [name, "cannot-write"]),
  );
  expect(profiles.map((path) => existsSync(path))).toEqual([true, true, false, false]);
});

test("reports and keeps all profiles if the index cannot be read", async () => {
  const head = project.head();
  await add(project.open(), { ...defaults, profiles: [write("first.perf", head, 1)] });
  writeFileSync(join(project.path, ".perun", "objects", head.slice(0, 2), head.slice(2)), "pidx and something else");
  const profiles = ["a.perf", "b.perf"].map((name, at) => write(name, head, 2 + at));
  const { added, failed } = await add(project.open(), { ...defaults, profiles });
  expect(added).toEqual([]);
  expect(failed.map(({ name, failure }) => [name, failure.code])).toEqual([
    ["a.perf", "index-damaged"],
    ["b.perf", "index-damaged"],
  ]);
  expect(profiles.every((path) => existsSync(path))).toBe(true);
});
