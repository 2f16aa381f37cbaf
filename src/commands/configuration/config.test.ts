import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { localTemplate } from "../../workspace/config/templates.ts";
import { openConfig } from "../../workspace/config/config.ts";
import { Workspace } from "../../workspace/workspace.ts";
import { editConfigFile, getConfig, resetConfig, setConfig, grantTrust, revokeTrust, showTrust } from "./config.ts";
import { init } from "./init.ts";

let folder: string;
const local = (): string => join(folder, ".perun", "local.yml");
const shared = (): string => join(folder, "home", ".config", "perun", "shared.yml");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-config-"));
  mkdirSync(join(folder, ".perun"));
  writeFileSync(local(), localTemplate("master", { type: "git", url: "../", commands: [], workloads: [] }));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(environment: Record<string, string> = {}): Workspace {
  const world = {
    directory: folder,
    environment: { PATH: process.env["PATH"], HOME: join(folder, "home"), ...environment },
    now: () => 0,
    random: () => 0,
    command: "test",
  };
  return new Workspace(world);
}

async function code(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "fine",
    (error: unknown) => (isFailure(error) ? error.code : String(error)),
  );
}

test("get reads the requested level", async () => {
  mkdirSync(join(shared(), ".."), { recursive: true });
  writeFileSync(shared(), "general:\n  paging: always\n");
  expect(await getConfig(open(), "nearest", "vcs.url")).toEqual({
    key: "vcs.url",
    value: "../",
    text: "../",
    from: "local",
  });
  expect(await getConfig(open(), "nearest", "general.paging")).toMatchObject({ text: "always", from: "shared" });
  expect(await getConfig(open(), "shared", "degradation.apply")).toMatchObject({ text: "all", from: "default" });
  expect((await getConfig(open(), "nearest", "vcs")).text).toBe("type: git\nurl: ../");
  expect(await code(getConfig(open(), "local", "general.paging"))).toBe("unset-config-key");
  expect(await code(getConfig(open(), "nearest", "a b"))).toBe("bad-config-key");
  await expect(getConfig(open(), "nearest", "vcs.typo")).rejects.toThrow("did you mean vcs.type?");
});

test("set keeps comments and converts the text to the type of the key", async () => {
  const before = readFileSync(local(), "utf8");
  for (const [key, text] of [
    ["general.paging", "never"],
    ["profiles.register_after_run", "yes"],
    ["cmds", "./a 'b c'"],
    ["workloads", "[one, 'two three']"],
    ["my.number", "3.5"],
    ["my.text", "007"],
    ["degradation.strategies", "[{method: aat}]"],
    ["general.editor", "5"],
  ] as const) {
    await setConfig(open(), "local", key, text);
  }
  const config = await openConfig({ local: local(), shared: shared() });
  expect([
    config.text("general.paging"),
    config.lookup("profiles.register_after_run"),
    config.texts("cmds"),
    config.texts("workloads"),
  ]).toEqual(["never", true, ["./a 'b c'"], ["one", "two three"]]);
  expect([config.lookup("my.number"), config.lookup("my.text"), config.lookup("general.editor")]).toEqual([
    3.5,
    "007",
    "5",
  ]);
  expect(config.lookup("degradation.strategies")).toEqual([new Map([["method", "aat"]])]);
  for (const line of before.split("\n").filter((text) => text.startsWith("#")))
    expect(readFileSync(local(), "utf8")).toContain(line);
});

test("set refuses invalid values and warns about unknown keys", async () => {
  const before = readFileSync(local(), "utf8");
  expect(await code(setConfig(open(), "local", "profiles.register_after_run", "perhaps"))).toBe("bad-config-value");
  expect(await code(setConfig(open(), "local", "degradation.cutoff", "much"))).toBe("bad-config-value");
  expect(await code(setConfig(open(), "local", "collectors", "[[time]]"))).toBe("bad-config-value");
  expect(await code(setConfig(open(), "local", "generators.workload", "gen"))).toBe("bad-config-value");
  expect(await code(setConfig(open(), "local", "cmds", "[a"))).toBe("bad-config");
  expect(await code(setConfig(open(), "local", "vcs.type.x", "1"))).toBe("config-conflict");
  expect(readFileSync(local(), "utf8")).toBe(before);
  expect((await setConfig(open(), "local", "generl.paging", "x")).warnings).toEqual([
    "nothing reads generl.paging; did you mean general.paging?",
  ]);
});

test("set takes the names of collectors and postprocessors, alone or with options", async () => {
  await setConfig(open(), "local", "collectors", "[time, counters]");
  await setConfig(open(), "local", "postprocessors", "moving-average");
  const config = await open().config();
  expect(config.lookup("collectors")).toEqual(["time", "counters"]);
  expect(config.lookup("postprocessors")).toEqual(["moving-average"]);
});

test("the first set creates the shared file", async () => {
  await setConfig(open(), "shared", "general.paging", "never");
  expect(readFileSync(shared(), "utf8")).toBe("general:\n  paging: never\n");
});

test("set keeps existing trust, but never grants trust to foreign commands", async () => {
  await setConfig(open(), "local", "cmds", "./bench");
  expect(await showTrust(open())).toEqual({ path: join(folder, ".perun"), commands: ["cmds: ./bench"], trusted: true });
  writeFileSync(local(), "cmds:\n  - ./other\n");
  expect((await showTrust(open())).trusted).toBe(false);
  await setConfig(open(), "local", "general.paging", "never");
  expect((await showTrust(open())).trusted).toBe(false);
  expect((await grantTrust(open())).commands).toEqual(["cmds: ./other"]);
  expect((await showTrust(open())).trusted).toBe(true);
  expect((await revokeTrust(open())).trusted).toBe(false);
});

function editor(script: string): string {
  const path = join(folder, "my editor");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return `'${path}'`;
}

test("edit opens a copy in the editor and stores it if it is valid", async () => {
  const EDITOR = editor(`printf 'general:\\n  paging: always\\n' >> "$1"`);
  await editConfigFile(open({ EDITOR }), "local", null);
  expect((await getConfig(open(), "local", "general.paging")).text).toBe("always");
});

test("edit keeps the file if the editor fails or the result is invalid, and keeps the invalid text", async () => {
  const before = readFileSync(local(), "utf8");
  expect(await code(editConfigFile(open({ EDITOR: editor("exit 1") }), "local", null))).toBe("editor-failed");
  expect(await code(editConfigFile(open({ EDITOR: join(folder, "none") }), "local", null))).toBe("editor-failed");
  const refused: unknown = await editConfigFile(open({ EDITOR: editor(`echo 'a: [' > "$1"`) }), "local", null).catch(
    (error: unknown) => error,
  );
  const kept = isFailure(refused, "edit-refused") ? String(refused.data["kept"]) : "";
  expect(readFileSync(kept, "utf8")).toBe("a: [\n");
  rmSync(join(kept, ".."), { recursive: true });
  expect(readFileSync(local(), "utf8")).toBe(before);
});

test("an editor configured by a clone is not started", async () => {
  writeFileSync(
    local(),
    `general:\n  editor: ${editor(`touch '${join(folder, "ran")}'`)}\n`.replace(
      /editor: (.*)/,
      (_, command: string) => `editor: ${JSON.stringify(command)}`,
    ),
  );
  expect(await code(editConfigFile(open(), "local", null))).toBe("not-trusted");
  expect(existsSync(join(folder, "ran"))).toBe(false);
});

test("reset writes a template, keeps vcs, and repairs a damaged file", async () => {
  await setConfig(open(), "local", "vcs.url", "/elsewhere");
  await resetConfig(open(), "local", "developer");
  expect((await getConfig(open(), "local", "vcs.url")).text).toBe("/elsewhere");
  expect((await showTrust(open())).commands).toEqual(["execute.pre_run: make"]);
  writeFileSync(local(), "a: [");
  expect(await code(getConfig(open(), "local", "a"))).toBe("bad-config");
  await resetConfig(open(), "nearest", "master");
  expect((await getConfig(open(), "local", "vcs.type")).text).toBe("git");
  await resetConfig(open(), "shared", "master");
  expect((await getConfig(open(), "shared", "general.paging")).from).toBe("shared");
  expect(readdirSync(join(folder, ".perun"))).toEqual(["local.yml"]);
});

test("init trusts the commands of its own template", async () => {
  rmSync(join(folder, ".perun"), { recursive: true });
  await init(open(), { vcsType: "git", vcsParams: {}, vcsFlags: [], template: "developer" });
  expect(await showTrust(open())).toMatchObject({ commands: ["execute.pre_run: make"], trusted: true });
});
