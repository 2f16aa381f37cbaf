import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { codeOf, MeasuredProject } from "../../../test/fakes/measured-project.ts";
import { collectBeforeCheck, type CollectBeforeCheck } from "./collect-before-check.ts";

let project: MeasuredProject;

beforeEach(() => {
  project = new MeasuredProject();
  for (const word of ["one", "two", "three"]) project.commit(word);
});

afterEach(() => project.remove());

const wanted: CollectBeforeCheck = { revision: undefined, scope: "head", isWanted: true, confirm: async () => true };

const matrix = "cmds: [./bench, cat no-such-file]\ncollectors: [{name: time, params: {warmup: 0, repeat: 1}}]\n";
const always = "degradation: {collect_before_check: true, log_collect: true}\n";

function registered(revision: string): number {
  return project.open().registered(project.git("rev-parse", revision) as never).length;
}

const log = (revision: string): string =>
  join(project.path, ".perun", "logs", `${project.git("rev-parse", revision)}-precollect.log`);

test("measures and registers a commit and its parents once, and logs output", async () => {
  project.configure(`${matrix.replace(", cat no-such-file", "")}${always}`);
  const first = await collectBeforeCheck(project.open(), { ...wanted, isWanted: false });
  expect([
    first.kept.length,
    registered("HEAD"),
    registered("HEAD~1"),
    registered("HEAD~2"),
    project.pending(),
  ]).toEqual([2, 1, 1, 0, []]);
  expect(readFileSync(log("HEAD"), "utf8")).toMatch(/^\.\/bench by time: time-.*\.perf\nthree\n$/);
  expect((await collectBeforeCheck(project.open(), wanted)).kept).toEqual([]);
  expect(
    (await collectBeforeCheck(project.open(), { ...wanted, scope: "all" })).kept.map(({ version }) => version),
  ).toEqual([project.git("rev-parse", "HEAD~2")]);
});

test("reports and logs failures, and ignores profiles with other steps", async () => {
  project.configure(`${matrix}${always}`);
  const result = await collectBeforeCheck(project.open(), { ...wanted, revision: "HEAD~2" });
  expect([result.kept.length, result.failed.map(({ failure }) => failure.code)]).toEqual([1, ["command-failed"]]);
  expect(readFileSync(log("HEAD~2"), "utf8")).toContain("cat no-such-file failed: ");
  project.configure(
    `cmds: [./bench]\ncollectors: [{name: time, params: {repeat: 1}}]\npostprocessors: [{name: normalizer}]\n`,
  );
  expect((await collectBeforeCheck(project.open(), { ...wanted, revision: "HEAD~2" })).kept).toHaveLength(1);
});

test("measures only if requested or configured, and fails without trust only if requested", async () => {
  project.configure(matrix);
  expect((await collectBeforeCheck(project.open(), { ...wanted, isWanted: false })).kept).toEqual([]);
  project.configure(`${matrix}${always}`);
  const notices: string[] = [];
  const notice = (text: string): void => void notices.push(text);
  await collectBeforeCheck(project.open(), { ...wanted, isWanted: false, confirm: null }, { notice });
  expect(await codeOf(collectBeforeCheck(project.open(), { ...wanted, confirm: null }))).toBe("not-trusted");
  project.configure(always);
  expect(await codeOf(collectBeforeCheck(project.open(), wanted))).toBe("nothing-to-run");
  await collectBeforeCheck(project.open(), { ...wanted, isWanted: false }, { notice });
  expect(notices.map((text) => text.split(": ")[1])).toEqual([
    "the configured commands are not trusted (perfkeep trust)",
    "no commands and collectors are configured",
  ]);
  expect(registered("HEAD")).toBe(0);
});

test("does not follow a log that is a symbolic link", async () => {
  project.configure(`${matrix}${always}`);
  mkdirSync(join(project.path, ".perun", "logs"), { recursive: true });
  symlinkSync(join(project.folder, "elsewhere"), log("HEAD~2"));
  const revision = "HEAD~2";
  const result = await collectBeforeCheck(project.open(), { ...wanted, revision }).catch((error: unknown) => error);
  expect(existsSync(join(project.folder, "elsewhere"))).toBe(false);
  expect(result).toMatchObject({ code: "cannot-write" });
});
