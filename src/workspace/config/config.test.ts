import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { settingAt } from "../../core/values/setting.ts";
import { readYaml } from "../../formats/text/yaml.ts";
import { writeConfigText } from "./config-file.ts";
import { localTemplate, requireTemplate, sharedTemplate, templateNames } from "./templates.ts";
import { type Config, openConfig, requireKey, sharedConfigPath } from "./config.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-config-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(local: string | null, shared?: string): Promise<Config> {
  if (local !== null) writeFileSync(join(folder, "local.yml"), local);
  if (shared !== undefined) writeFileSync(join(folder, "shared.yml"), shared);
  return openConfig(
    { local: local === null ? null : join(folder, "local.yml"), shared: join(folder, "shared.yml") },
    new Map([["general.paging", "never"]]),
  );
}

test("the first layer that has a key wins", async () => {
  const config = await open(
    "format:\n  status: local\n",
    "format:\n  status: shared\n  shortlog: shared\ngeneral:\n  paging: always\n",
  );
  expect(config.text("format.status")).toBe("local");
  expect(config.text("format.shortlog")).toBe("shared");
  expect(config.text("general.paging")).toBe("never");
  expect(config.find("format.sort_profiles_by")).toMatchObject({ value: "time", layer: { name: "default" } });
  expect(config.lookup("vcs.type")).toBeUndefined();
});

test("gathers the lists of all layers and the defaults", async () => {
  const local = "degradation:\n  strategies:\n    - method: local\n";
  expect((await open(local)).gather("degradation.strategies").map((rule) => settingAt(rule, "method"))).toEqual([
    "local",
    "statistics",
  ]);
  const both = await open(local, "degradation:\n  strategy:\n    - method: shared\n");
  expect(both.gather("degradation.strategies").map((rule) => settingAt(rule, "method"))).toEqual(["local", "shared"]);
});

test("reading needs and creates no files", async () => {
  const config = await open(null);
  expect(config.text("format.shortlog")).toBe("%checksum:6% (%stats%) %desc% %changes%");
  expect(config.texts("cmds")).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test.each(["a: [", "- x", "just text", "a: 1\na: 2"])("reports the position in an invalid file: %j", async (text) => {
  await expect(open(text)).rejects.toThrow(/local\.yml:\d+:\d+: /);
});

test("reports values of a wrong type with their file", async () => {
  const config = await open("cmds:\n  - a: 1\nformat:\n  status: [1]\nprofiles:\n  register_after_run: maybe\n");
  expect(() => config.texts("cmds")).toThrow(/local\.yml: cmds: 'a list' is not a list of texts/);
  expect(() => config.text("format.status")).toThrow("format.status: 'a list' is not a text");
  expect(() => config.text("format")).toThrow("format: 'a section' is not a text");
  expect(() => config.flag("profiles.register_after_run")).toThrow("'maybe' is not yes or no");
});

test("converts numbers and booleans to texts", async () => {
  const config = await open("cmds:\n  - 7\n  - true\nworkloads: one\nprofiles:\n  register_after_run: on\n");
  expect(config.texts("cmds")).toEqual(["7", "true"]);
  expect(config.texts("workloads")).toEqual(["one"]);
  expect(config.flag("profiles.register_after_run")).toBe(true);
});

test("rejects a file that is not text, or too large", async () => {
  writeFileSync(join(folder, "shared.yml"), Uint8Array.of(0x61, 0x3a, 0x20, 0xff));
  await expect(open(null)).rejects.toThrow("not UTF-8");
  writeFileSync(join(folder, "shared.yml"), `a: ${"x".repeat(1 << 20)}`);
  await expect(open(null)).rejects.toThrow("larger than 1 MiB");
  rmSync(join(folder, "shared.yml"));
  writeFileSync(join(folder, "local.yml"), "");
  chmodSync(folder, 0o700);
  await expect(openConfig({ local: folder, shared: join(folder, "shared.yml") })).rejects.toThrow(
    "cannot be read (EISDIR)",
  );
});

test.each(["", ".", "a.", ".a", "a..b", "a b", "a-b", "ä", "a\n", "__proto__."])("%j is not a key", (key) => {
  expect(() => requireKey(key)).toThrow("is not a configuration key");
});

test("prototype members are not values", async () => {
  expect((await open("a: 1\n")).lookup("constructor.name")).toBeUndefined();
  expect((await open("a: 1\n")).lookup("__proto__")).toBeUndefined();
});

test("follows a link of the shared file, but not of a local one", () => {
  writeFileSync(join(folder, "real.yml"), "a: 1\n");
  symlinkSync("real.yml", join(folder, "shared.yml"));
  writeConfigText("shared", join(folder, "shared.yml"), "a: 2\n");
  symlinkSync("real.yml", join(folder, "local.yml"));
  writeConfigText("local", join(folder, "local.yml"), "a: 3\n");
  expect(readFileSync(join(folder, "real.yml"), "utf8")).toBe("a: 2\n");
});

test("the shared file has Perun's path", () => {
  expect(sharedConfigPath({ PERUN_CONFIG_DIR: "/x" }, "/home/u")).toBe("/x/shared.yml");
  expect(sharedConfigPath({ PERUN_CONFIG_DIR: "" }, "/home/u")).toBe("/home/u/.config/perun/shared.yml");
});

test.each(templateNames)("template %s is valid and has its settings", async (name) => {
  const facts = { type: "git", url: "../", commands: ["build/a b", "dist/tool"], workloads: ["workloads/é: 1"] };
  const config = await open(localTemplate(name, facts));
  expect([config.text("vcs.type"), config.text("vcs.url")]).toEqual(["git", "../"]);
  expect(config.find("degradation.strategies")?.layer.name).toBe(name === "master" ? "default" : "local");
  expect(config.texts("execute.pre_run")).toEqual(name === "master" ? [] : ["make"]);
  expect(config.texts("cmds")).toEqual(name === "user" ? ["'build/a b'", "dist/tool"] : []);
  expect(config.texts("workloads")).toEqual(name === "user" ? ["'workloads/é: 1'"] : []);
  expect(config.flag("profiles.register_after_run")).toBe(name === "user");
});

test("the template master is valid when uncommented", () => {
  const text = localTemplate("master", { type: "git", url: "../", commands: [], workloads: [] });
  const bare = text.replace(/^# (?=[a-z-]|  )/gm, "");
  expect(settingAt(readYaml(bare, "local.yml"), "degradation.strategies")).toHaveLength(1);
  expect(settingAt(readYaml(bare, "local.yml"), "cmds")).toEqual(["./build/program --option"]);
});

test("the shared template holds the defaults", async () => {
  const config = await open(null, sharedTemplate());
  const bare = await open(null, "");
  for (const key of ["format.status", "format.shortlog", "degradation.apply"])
    expect(config.lookup(key)).toEqual(bare.lookup(key));
});

test.each(["..", "../", "/repo", "a b", "true", "x ", "1", "", "é", "a: b", "#", "-", "~"])(
  "a template preserves the url %j",
  async (url) => {
    expect(
      (await open(localTemplate("master", { type: "git", url, commands: [], workloads: [] }))).lookup("vcs.url"),
    ).toBe(url);
  },
);

test("an unknown template is rejected", () => {
  expect(() => requireTemplate("admin")).toThrow("unknown configuration template 'admin'");
});
