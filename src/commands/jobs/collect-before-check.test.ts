import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { codeOf, MeasuredProject } from "../../../test/fakes/measured-project.ts";
import { collectBeforeCheck, type CollectBeforeCheck } from "./collect-before-check.ts";

let place: MeasuredProject;

beforeEach(() => {
  place = new MeasuredProject();
  for (const word of ["one", "two", "three"]) place.commit(word);
});

afterEach(() => place.remove());

const wanted: CollectBeforeCheck = { revision: undefined, scope: "head", isWanted: true, confirm: async () => true };

const matrix = "cmds: [./bench, cat no-such-file]\ncollectors: [{name: time, params: {warmup: 0, repeat: 1}}]\n";
const always = "degradation: {collect_before_check: true, log_collect: true}\n";

function registered(revision: string): number {
  return place.open().registered(place.git("rev-parse", revision) as never).length;
}

const log = (revision: string): string =>
  join(place.path, ".perun", "logs", `${place.git("rev-parse", revision)}-precollect.log`);

test("the version and its parents are measured once, registered, and what was said is kept", async () => {
  place.configure(`${matrix.replace(", cat no-such-file", "")}${always}`);
  const first = await collectBeforeCheck(place.open(), { ...wanted, isWanted: false });
  expect([first.kept.length, registered("HEAD"), registered("HEAD~1"), registered("HEAD~2"), place.pending()]).toEqual([
    2,
    1,
    1,
    0,
    [],
  ]);
  expect(readFileSync(log("HEAD"), "utf8")).toMatch(/^\.\/bench by time: time-.*\.perf\nthree\n$/);
  expect((await collectBeforeCheck(place.open(), wanted)).kept).toEqual([]);
  expect(
    (await collectBeforeCheck(place.open(), { ...wanted, scope: "all" })).kept.map(({ version }) => version),
  ).toEqual([place.git("rev-parse", "HEAD~2")]);
});

test("what fails is told and logged, and a profile after other steps does not count", async () => {
  place.configure(`${matrix}${always}`);
  const result = await collectBeforeCheck(place.open(), { ...wanted, revision: "HEAD~2" });
  expect([result.kept.length, result.failed.map(({ failure }) => failure.code)]).toEqual([1, ["command-failed"]]);
  expect(readFileSync(log("HEAD~2"), "utf8")).toContain("cat no-such-file failed: ");
  place.configure(
    `cmds: [./bench]\ncollectors: [{name: time, params: {repeat: 1}}]\npostprocessors: [{name: normalizer}]\n`,
  );
  expect((await collectBeforeCheck(place.open(), { ...wanted, revision: "HEAD~2" })).kept).toHaveLength(1);
});

test("nothing is measured unless it is wanted, and without trust only where it was asked for", async () => {
  place.configure(matrix);
  expect((await collectBeforeCheck(place.open(), { ...wanted, isWanted: false })).kept).toEqual([]);
  place.configure(`${matrix}${always}`);
  const notices: string[] = [];
  const notice = (text: string): void => void notices.push(text);
  await collectBeforeCheck(place.open(), { ...wanted, isWanted: false, confirm: null }, { notice });
  expect(await codeOf(collectBeforeCheck(place.open(), { ...wanted, confirm: null }))).toBe("not-trusted");
  place.configure(always);
  expect(await codeOf(collectBeforeCheck(place.open(), wanted))).toBe("nothing-to-run");
  await collectBeforeCheck(place.open(), { ...wanted, isWanted: false }, { notice });
  expect(notices.map((text) => text.split(": ")[1])).toEqual([
    "what the configuration names is not trusted (perfkeep trust)",
    "the configuration names no commands and collectors",
  ]);
  expect(registered("HEAD")).toBe(0);
});

test("a log that is a link is not followed", async () => {
  place.configure(`${matrix}${always}`);
  mkdirSync(join(place.path, ".perun", "logs"), { recursive: true });
  symlinkSync(join(place.folder, "elsewhere"), log("HEAD~2"));
  const revision = "HEAD~2";
  const result = await collectBeforeCheck(place.open(), { ...wanted, revision }).catch((error: unknown) => error);
  expect(existsSync(join(place.folder, "elsewhere"))).toBe(false);
  expect(result).toMatchObject({ code: "cannot-write" });
});
