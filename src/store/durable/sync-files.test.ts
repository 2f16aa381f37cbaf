import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { syncFiles, reportsSyncErrors } from "../objects/incoming-objects.ts";

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

test("many files are synced with one file system sync, a few one by one", async () => {
  const synced: string[] = [];
  const syncAll = async (of: string): Promise<boolean> => {
    synced.push(of);
    return true;
  };
  await syncFiles(folder, files(3), syncAll);
  expect(synced).toEqual([]);
  await syncFiles(folder, files(300), syncAll);
  expect(synced).toEqual([folder]);
});

test("every file is synced if the file system cannot be", async () => {
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
])("syncfs of Linux %s reports failures: %s", (release, expected) => {
  expect(reportsSyncErrors(release)).toBe(expected);
});
