import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { StoreLock } from "./lock.ts";
import { ownIdentity, type ProcessIdentity } from "./process-identity.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
  path = join(folder, "lock");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tokenOf = (digit: string): string => digit.repeat(32);

function plant(at: string, token: string, owner: Partial<ProcessIdentity>): void {
  writeFileSync(at, JSON.stringify({ ...ownIdentity(), command: "perfkeep add", token, ...owner }));
}

/** A pid that no longer belongs to a process. */
function deadPid(): number {
  return spawnSync("true").pid;
}

function shortTimeoutLock(): StoreLock {
  return new StoreLock(path, "perfkeep test", 20);
}

test("holds while the action runs, also nested, and leaves no files", () => {
  const lock = shortTimeoutLock();
  const record = lock.hold(() => lock.hold(() => readFileSync(path, "utf8")));
  expect(JSON.parse(record)).toMatchObject({ pid: process.pid, command: "perfkeep test" });
  expect(readdirSync(folder)).toEqual([]);
});

test("is released when the action fails", () => {
  const lock = shortTimeoutLock();
  expect(() =>
    lock.hold(() => {
      throw new Error("inner");
    }),
  ).toThrow("inner");
  expect(existsSync(path)).toBe(false);
});

test("waits for a living owner, then names it", () => {
  plant(path, tokenOf("a"), { pid: process.ppid, start: null });
  try {
    shortTimeoutLock().hold(() => expect.unreachable());
  } catch (error) {
    expect(isFailure(error, "lock-held")).toBe(true);
    expect((error as Error).message).toContain(
      `process ${process.ppid} on ${ownIdentity().host} (perfkeep add) since 20`,
    );
  }
  expect(readdirSync(folder)).toEqual(["lock"]);
});

test.each<[string, () => Partial<ProcessIdentity>]>([
  ["its pid is gone", () => ({ pid: deadPid() })],
  ["its pid belongs to a later process", () => ({ pid: process.pid, start: "1" })],
  ["the machine was rebooted", () => ({ boot: "former" })],
])("the lock is inherited when %s", (_why, owner) => {
  plant(path, tokenOf("a"), owner());
  expect(shortTimeoutLock().hold(() => readdirSync(folder))).toEqual(["lock"]);
  expect(readdirSync(folder)).toEqual([]);
});

test.each<[string, Partial<ProcessIdentity>]>([
  ["another host", { host: "elsewhere" }],
  ["another machine of the same name", { machine: "f".repeat(32) }],
  ["another container", { namespace: "pid:[1]" }],
])("the lock of %s is not stolen, and the remedy says why", (_where, owner) => {
  plant(path, tokenOf("a"), { ...owner, pid: deadPid() });
  try {
    shortTimeoutLock().hold(() => expect.unreachable());
  } catch (error) {
    expect(isFailure(error, "lock-held") && error.remedy).toContain("cannot check");
  }
});

test("a chain of dead heirs is inherited from its end", () => {
  const pid = deadPid();
  plant(path, tokenOf("a"), { pid });
  plant(`${path}-${tokenOf("a")}`, tokenOf("b"), { pid });
  plant(`${path}-${tokenOf("b")}`, tokenOf("c"), { pid });
  expect(shortTimeoutLock().hold(() => readdirSync(folder))).toEqual(["lock"]);
  expect(readdirSync(folder)).toEqual([]);
});

test("a living heir is the owner, although the lock names a dead process", () => {
  plant(path, tokenOf("a"), { pid: deadPid() });
  plant(`${path}-${tokenOf("a")}`, tokenOf("b"), { pid: process.ppid, start: null });
  expect(() => shortTimeoutLock().hold(() => expect.unreachable())).toThrow(`process ${process.ppid}`);
});

test("obsolete claims do not block and are removed by the next heir", () => {
  plant(path, tokenOf("a"), { pid: deadPid() });
  plant(`${path}-${tokenOf("d")}`, tokenOf("e"), { pid: deadPid() });
  shortTimeoutLock().hold(() => undefined);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  "",
  "{}",
  "[1]",
  '{"pid":0}',
  "\u0000\u0001",
  JSON.stringify({ ...ownIdentity(), pid: -1, command: "x", token: tokenOf("a") }),
])("an invalid lock file (%j) is left unchanged", (text) => {
  writeFileSync(path, text);
  expect(() => shortTimeoutLock().hold(() => expect.unreachable())).toThrow("was not written by perfkeep");
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("a lock that leads to itself is left unchanged", () => {
  plant(path, tokenOf("a"), { pid: deadPid() });
  plant(`${path}-${tokenOf("a")}`, tokenOf("a"), { pid: deadPid() });
  expect(() => shortTimeoutLock().hold(() => expect.unreachable())).toThrow("was not written by perfkeep");
});

test("a symbolic link at the lock's path is not followed", () => {
  mkdirSync(join(folder, "other"));
  symlinkSync(join(folder, "other", "file"), path);
  expect(() => shortTimeoutLock().hold(() => expect.unreachable())).toThrow("symbolic link");
  expect(readdirSync(join(folder, "other"))).toEqual([]);
});
