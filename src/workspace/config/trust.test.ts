import { chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { type Config, openConfig } from "./config.ts";
import { Trust, trustFolder } from "./trust.ts";

let folder: string;
let instance: string;
let trust: Trust;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-trust-"));
  instance = join(folder, "clone", ".perun");
  mkdirSync(instance, { recursive: true });
  trust = new Trust(join(folder, "state"), instance);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function config(text: string, at = instance): Promise<Config> {
  writeFileSync(join(at, "local.yml"), text);
  return openConfig({ local: join(at, "local.yml"), shared: join(folder, "shared.yml") });
}

const hostile = `cmds:
  - ./bench
workloads:
  - --output=/etc/passwd
execute:
  pre_run:
    - curl evil
collectors:
  - name: time
    params:
      repeat: 2
general:
  editor: ./editor
`;

test("an unknown configuration is refused, and its commands are listed", async () => {
  const error = await trust.require(await config(hostile), null).catch((failure: unknown) => failure);
  expect(isFailure(error, "not-trusted") && [error.exit, error.data["commands"]]).toEqual([
    77,
    [
      "cmds: ./bench",
      "workloads: --output=/etc/passwd",
      `collectors: {"name":"time","params":{"repeat":2}}`,
      "execute.pre_run: curl evil",
      "general.editor: ./editor",
    ],
  ]);
  expect(readdirSync(folder)).toEqual(["clone"]);
});

test("a configuration without commands needs no trust", async () => {
  await trust.require(await config("vcs:\n  type: git\ncmds:\nworkloads: []\n"), null);
  expect(trust.covers(await config(""))).toBe(true);
});

test("a confirmation is stored, readable by the user only", async () => {
  const confirm = vi.fn(async () => true);
  await trust.require(await config(hostile), confirm);
  await trust.require(await config(hostile), null);
  expect(confirm).toHaveBeenCalledOnce();
  const [file = ""] = readdirSync(join(folder, "state"));
  expect(statSync(join(folder, "state", file)).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "state")).mode & 0o777).toBe(0o700);
});

test("a refusal is not remembered", async () => {
  await expect(trust.require(await config(hostile), async () => false)).rejects.toThrow("unconfirmed commands");
  expect(trust.covers(await config(hostile))).toBe(false);
});

test.each([
  ["another command", hostile.replace("./bench", "./bench2")],
  ["another argument", hostile.replace("passwd", "shadow")],
  ["another parameter", hostile.replace("repeat: 2", "repeat: 3")],
  ["another step before", hostile.replace("    - curl evil", "    - curl evil\n    - rm x")],
  ["another editor", hostile.replace("./editor", "vi")],
  ["a generator", `${hostile}generators:\n  workload:\n    - id: x\n      external_generator: ./gen\n`],
])("%s is asked about again", async (_, text) => {
  trust.grant(await config(hostile));
  expect(trust.covers(await config(text))).toBe(false);
  expect(trust.covers(await config(hostile))).toBe(true);
});

test("comments, display and order of other keys do not matter", async () => {
  trust.grant(await config(hostile));
  expect(trust.covers(await config(`# hello\nformat:\n  status: x\n${hostile}`))).toBe(true);
});

test("the same configuration at another path is not trusted", async () => {
  trust.grant(await config(hostile));
  const copy = join(folder, "copy", ".perun");
  cpSync(instance, copy, { recursive: true });
  expect(new Trust(join(folder, "state"), copy).covers(await config(hostile, copy))).toBe(false);
});

test("trust can be revoked", async () => {
  expect(trust.grant(await config(hostile))).toHaveLength(5);
  trust.revoke();
  trust.revoke();
  expect(trust.covers(await config(hostile))).toBe(false);
});

test.runIf(process.getuid?.() === 0)("an instance of another user is refused, trusted or not", async () => {
  trust.grant(await config(hostile));
  chownSync(instance, 12345, 12345);
  await expect(trust.require(await config(hostile), async () => true)).rejects.toThrow("uid 12345");
});

test("records are stored outside of repositories", () => {
  expect(trustFolder({ XDG_STATE_HOME: "/s" }, "/home/u")).toBe("/s/perfkeep/trust");
  expect(trustFolder({}, "/home/u")).toBe("/home/u/.local/state/perfkeep/trust");
});

test("programs of remotes are confirmed one by one, apart from the configuration", async () => {
  const [ssh, helper] = ["core.sshCommand: x", "credential.helper: y"] as const;
  const confirm = vi.fn(async () => true);
  await expect(trust.requirePrograms([ssh], null)).rejects.toThrow("unconfirmed commands: core.sshCommand: x");
  await trust.requirePrograms([ssh], confirm);
  await trust.requirePrograms([ssh, helper], confirm);
  await trust.requirePrograms([helper, ssh], null);
  expect(confirm.mock.calls).toEqual([
    [join(folder, "clone"), [ssh]],
    [join(folder, "clone"), [helper]],
  ]);
  expect(trust.covers(await config(hostile), [ssh])).toBe(false);
  trust.grant(await config(hostile));
  expect(trust.covers(await config(hostile), [ssh, helper])).toBe(true);
  trust.grant(await config(hostile), [ssh]);
  expect(trust.covers(await config(hostile), [helper])).toBe(false);
  trust.revoke();
  expect(readdirSync(join(folder, "state"))).toEqual([]);
});
