import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { syncFiles, tellsFailures } from "./sync-files.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sync-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function files(count: number): string[] {
  const names = Array.from({ length: count }, (_, n) => `${n}`);
  for (const name of names) writeFileSync(join(folder, name), name);
  return names;
}

test("the file system is synced for many files, and each of a few", async () => {
  const asked: string[] = [];
  const whole = async (of: string): Promise<boolean> => {
    asked.push(of);
    return true;
  };
  await syncFiles(folder, files(3), whole);
  expect(asked).toEqual([]);
  await syncFiles(folder, files(300), whole);
  expect(asked).toEqual([folder]);
});

test("where the file system cannot be synced every file is", async () => {
  const names = files(300);
  rmSync(join(folder, "299"));
  await expect(syncFiles(folder, names, async () => false)).rejects.toMatchObject({
    code: "cannot-write",
    data: { errno: "ENOENT" },
  });
  await syncFiles(folder, names.slice(0, 299), async () => false);
});

test("many files are synced on this machine", () => syncFiles(folder, files(300)));

test.each([
  ["5.17.0-generic", true],
  ["6.1.0-18-amd64", true],
  ["5.15.0-91-generic", false],
  ["4.18.0-553.el8", false],
  ["unknown", false],
])("syncing a file system of Linux %s tells of failures: %s", (release, expected) => {
  expect(tellsFailures(release)).toBe(expected);
});
