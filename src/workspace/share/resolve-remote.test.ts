import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SharingInstance, sharedVersions, withoutImports } from "../../../test/fakes/sharing-instance.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { createStore } from "../../store/store.ts";
import { Workspace } from "../workspace.ts";
import { pull } from "./pull.ts";
import { push } from "./push.ts";
import { resolveRemote } from "./resolve-remote.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-remotes-")));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const environment = { PATH: process.env["PATH"], HOME: scratch, GIT_CONFIG_NOSYSTEM: "1" };
const settings = { filter: {}, replay: withoutImports };
const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
const clone = join(scratch, "clone");

function git(directory: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], {
    cwd: directory,
    encoding: "utf8",
    env: environment,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function workspaceAt(folder: string, settings = "", type = "git"): Workspace {
  createStore(join(folder, ".perun"));
  writeFileSync(join(folder, ".perun", "local.yml"), `vcs:\n  type: ${type}\n  url: ../\n${settings}`);
  return new Workspace({ directory: folder, environment, now: () => 0, random: () => 0.1, command: "test" });
}

beforeAll(() => {
  git(scratch, "init", "--quiet", "--bare", "--initial-branch=main", "central.git");
  git(scratch, "init", "--quiet", "--initial-branch=main", "origin");
  for (const n of [1, 2, 3]) {
    writeFileSync(join(scratch, "origin", "code"), `${n}`);
    git(join(scratch, "origin"), "add", ".");
    git(join(scratch, "origin"), "commit", "--quiet", "-m", `${n}`);
  }
  git(join(scratch, "origin"), "push", "--quiet", "../central.git", "main");
  git(scratch, "clone", "--quiet", "--depth", "1", `file://${scratch}/central.git`, "clone");
});

test("resolves remotes and addresses; folders are relative to the working directory", async () => {
  git(clone, "remote", "add", "other", "https://ada:secret@example.org/x.git");
  git(clone, "remote", "add", "near", "../near.git");
  git(clone, "config", "http.https://example.org/.extraHeader", "Authorization: secret");
  const workspace = workspaceAt(clone);
  const found = async (word?: string): Promise<readonly string[]> => {
    const { name, address } = await resolveRemote(workspace, word, "fetch");
    return [name, address];
  };
  expect(await found()).toEqual(["origin", `file://${scratch}/central.git`]);
  expect(await found("other")).toEqual(["other", "https://ada:secret@example.org/x.git"]);
  expect(await found("near")).toEqual(["near", join(scratch, "near.git")]);
  expect(await found("./here.git")).toEqual([join(clone, "here.git"), join(clone, "here.git")]);
  mkdirSync(join(clone, "plain.git"));
  expect(await found("plain.git")).toEqual([join(clone, "plain.git"), join(clone, "plain.git")]);
  expect(await found("git@host:x.git")).toEqual(["git@host:x.git", "git@host:x.git"]);
  expect(await found("https://ada:secret@example.org/y.git")).toEqual([
    "https://example.org/y.git",
    "https://ada:secret@example.org/y.git",
  ]);
  await expect(found("nowhere")).rejects.toThrow(
    /nowhere is not a remote: the repository has the remotes near, origin, other/,
  );
  expect((await resolveRemote(workspace, "other", "fetch")).connection.settings).toContainEqual([
    "http.https://example.org/.extraheader",
    "Authorization: secret",
  ]);
});

test("uses the push and fetch addresses of git", async () => {
  git(clone, "remote", "add", "two", "read:x.git");
  for (const address of ["write:x.git", "other:x.git"])
    git(clone, "remote", "set-url", "--push", "--add", "two", address);
  git(clone, "remote", "add", "short", "home:x.git");
  git(clone, "config", `url.${scratch}/.insteadOf`, "home:");
  git(clone, "config", "url.ssh://host/.pushInsteadOf", "home:");
  git(clone, "config", "remote.short.promisor", "true");
  git(clone, "config", "remote.short.partialclonefilter", "blob:none");
  const workspace = workspaceAt(clone);
  const both = async (word: string): Promise<readonly string[]> =>
    Promise.all((["fetch", "push"] as const).map(async (way) => (await resolveRemote(workspace, word, way)).address));
  expect(await both("two")).toEqual(["read:x.git", "write:x.git"]);
  expect(await both("short")).toEqual([`${scratch}/x.git`, "ssh://host/x.git"]);
  git(scratch, "init", "--quiet", "--bare", "x.git");
  // insteadOf of the user applies to given addresses, too.
  expect((await pull(workspace, "home:x.git", settings)).hasSharedData).toBe(false);
});

test("an address of the local configuration must be trusted, the name of a remote need not", async () => {
  expect((await resolveRemote(workspaceAt(clone, "share:\n  remote: other\n"), undefined, "fetch")).name).toBe("other");
  await expect(
    resolveRemote(workspaceAt(clone, "share:\n  remote: https://evil.example.org/x\n"), undefined, "fetch"),
  ).rejects.toMatchObject({
    code: "not-trusted",
  });
  expect(
    (await resolveRemote(workspaceAt(clone, "share:\n  remote: https://evil.example.org/x\n"), "origin", "fetch")).name,
  ).toBe("origin");
});

test("ignores logins in keys and messages; rejects ambiguous addresses", async () => {
  const workspace = workspaceAt(clone);
  const found = async (address: string): Promise<{ name: string; key: string }> =>
    resolveRemote(workspace, address, "fetch");
  const { name, key } = await found("https://example.org/x.git");
  expect(await found("https://token@example.org/x.git")).toMatchObject({ name, key });
  expect(await found("https://ada:secret@example.org/x.git")).toMatchObject({ name, key });
  expect((await found("ssh://ada@example.org/x.git")).key).not.toBe((await found("ssh://bob@example.org/x.git")).key);
  for (const login of ["ada:sec/ret", "ada:sec@ret", "ada:sec#ret", "ada:sec ret"]) {
    const output = await found(`https://${login}@example.org/x.git`).then(String, String);
    expect(output).toContain(
      "example.org/x.git is not a remote: it is not a valid URL; in names and passwords %2F encodes a slash",
    );
    expect(output).not.toMatch(/sec|ret/);
  }
});

test("fails without remotes, and reports an unreachable address in one line", async () => {
  const folder = join(scratch, "alone");
  mkdirSync(folder);
  git(folder, "init", "--quiet");
  await expect(resolveRemote(workspaceAt(folder), undefined, "fetch")).rejects.toThrow(
    /there is no remote to share with/,
  );
  await expect(push(workspaceAt(folder), "./missing.git", settings)).rejects.toThrow(
    /^cannot fetch from .*missing\.git: /,
  );
});

test("shares from a shallow clone and a linked worktree without changing the user's repository", async () => {
  git(clone, "worktree", "add", "--quiet", "-b", "side", "../tree");
  const state = (): string =>
    [
      git(clone, "for-each-ref"),
      git(clone, "status", "--porcelain"),
      git(clone, "config", "--list"),
      git(clone, "count-objects", "-v"),
    ].join("");
  writeFileSync(join(clone, ".git/info/exclude"), ".perun\n");
  const [here, there] = [workspaceAt(clone), workspaceAt(join(scratch, "tree"))];
  const before = state();
  const own = new SharingInstance(join(scratch, "model"), "");
  own.add(sharedVersions[0]!, "x.perf", 1);
  const entries = own.store().versions.entries(sharedVersions[0]!);
  here.store().objects.put("profile", "time", own.store().objects.get(entries[0]!.digest).body);
  here.store().versions.add(sharedVersions[0]!, entries);
  await push(here, undefined, settings);
  expect((await pull(there, undefined, settings)).summary.counts).toEqual({
    "profiles added": 1,
    "profiles received": 1,
  });
  expect(state()).toBe(before);
  expect(git(join(scratch, "central.git"), "for-each-ref", "--format=%(refname)").split("\n").filter(Boolean)).toEqual([
    "refs/heads/main",
    "refs/perfkeep/data/v1",
  ]);
});

const noMercurial = spawnSync("hg", ["--version"]).status === 0 ? "" : " (skipped: Mercurial is not installed)";

test.skipIf(noMercurial !== "")(`Mercurial repositories share through a folder${noMercurial}`, async () => {
  const hg = (...args: string[]): string =>
    spawnSync("hg", args, {
      cwd: scratch,
      encoding: "utf8",
      env: { ...environment, HGPLAIN: "1", HGRCPATH: "", HGUSER: "ada" },
    }).stdout.trim();
  hg("init", "first");
  writeFileSync(join(scratch, "first", "code"), "1");
  hg("--cwd", "first", "commit", "--addremove", "-m", "1");
  hg("clone", "--quiet", "first", "second");
  git(scratch, "init", "--quiet", "--bare", "results.git");
  const [here, there] = ["first", "second"].map((name) => workspaceAt(join(scratch, name), "", "hg")) as [
    Workspace,
    Workspace,
  ];
  const version = hg("--cwd", "first", "log", "-r", ".", "-T", "{node}") as VersionId;
  const own = new SharingInstance(join(scratch, "another-model"), "");
  own.add(sharedVersions[0]!, "x.perf", 1);
  const [entry] = own.store().versions.entries(sharedVersions[0]!);
  here.store().objects.put("profile", "time", own.store().objects.get(entry!.digest).body);
  here.store().versions.add(version, [entry!]);
  await expect(push(here, undefined, settings)).rejects.toThrow(/there is no remote to share with/);
  await push(here, "../results.git", settings);
  expect((await pull(there, "../results.git", settings)).summary.counts).toEqual({
    "profiles added": 1,
    "profiles received": 1,
  });
  expect(there.store().versions.entries(version)).toEqual(here.store().versions.entries(version));
});

describe("programs of the repository's own configuration", () => {
  let home: string;
  let canary: string;
  let hostile: string;
  beforeEach(() => {
    home = mkdtempSync(join(scratch, "hostile-"));
    canary = join(home, "canary");
    hostile = join(home, "clone");
    git(home, "init", "--quiet", hostile);
    git(hostile, "commit", "--quiet", "--allow-empty", "-m", "x");
    git(home, "init", "--quiet", "--bare", "there.git");
    git(hostile, "remote", "add", "origin", join(home, "there.git"));
    workspaceAt(hostile);
  });

  const opened = (variables: Readonly<Record<string, string>> = {}): Workspace =>
    new Workspace({
      directory: hostile,
      environment: { ...environment, HOME: home, ...variables },
      now: () => 0,
      random: () => 0.1,
      command: "test",
    });

  test.each([
    ["core.sshCommand", "ssh://localhost/x.git"],
    ["core.askPass", "ssh://localhost/x.git"],
    ["core.gitProxy", "git://localhost/x.git"],
    ["credential.helper", "ssh://localhost/x.git"],
    ["credential.https://example.org.helper", "ssh://localhost/x.git"],
    ["remote.origin.uploadpack", null],
    ["remote.origin.receivepack", null],
    ["http.saveCookies", "ssh://localhost/x.git"],
  ])("%s is refused before it can run", async (name, address) => {
    if (address !== null) git(hostile, "remote", "set-url", "origin", address);
    git(hostile, "config", name, `touch ${canary}; false`);
    for (const share of [pull, push])
      await expect(share(opened(), undefined, settings)).rejects.toMatchObject({ code: "not-trusted", exit: 77 });
    expect(existsSync(canary)).toBe(false);
  });

  test("a confirmed program runs, and is not asked for again", async () => {
    git(hostile, "remote", "set-url", "origin", "ssh://localhost/x.git");
    git(hostile, "config", "core.sshCommand", `touch ${canary}; false`);
    git(hostile, "config", "remote.other.uploadpack", "unused");
    const asked: (readonly string[])[] = [];
    const confirm = async (_: string, commands: readonly string[]): Promise<boolean> => asked.push(commands) > 0;
    await expect(pull(opened(), undefined, { ...settings, confirm })).rejects.toThrow("cannot");
    expect(existsSync(canary)).toBe(true);
    await expect(pull(opened(), undefined, settings)).rejects.toThrow("cannot");
    expect(asked).toEqual([[`core.sshcommand: touch ${canary}; false`]]);
  });

  test("settings of the user and of the environment need no trust", async () => {
    writeFileSync(join(home, ".gitconfig"), `[core]\n\tsshCommand = true\n[credential]\n\thelper = x\n`);
    git(hostile, "config", "credential.helper", "");
    git(hostile, "config", "http.saveCookies", "false");
    git(hostile, "config", "url.https://example.org/.insteadOf", "short:");
    const variables = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.askPass", GIT_CONFIG_VALUE_0: "true" };
    await expect(pull(opened(variables), undefined, settings)).resolves.toMatchObject({ hasSharedData: false });
  });

  test("hooks of a folder that the configuration names need trust; those of a given folder do not", async () => {
    const hook = join(home, "there.git/hooks/post-receive");
    mkdirSync(join(home, "there.git/hooks"), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
    await expect(push(opened(), undefined, settings)).rejects.toMatchObject({
      code: "not-trusted",
      data: { commands: [`hook: ${hook}`] },
    });
    git(hostile, "config", `url.${home}/.pushInsteadOf`, "ssh://short/");
    await expect(push(opened(), "ssh://short/there.git", settings)).rejects.toMatchObject({ code: "not-trusted" });
    await expect(push(opened(), join(home, "there.git"), settings)).resolves.toMatchObject({ sent: [] });
    expect(existsSync(canary)).toBe(false);
  });
});
