import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Failure } from "../../core/failures/index.ts";
import { NewFile } from "../durable/index.ts";
import { NewArchive } from "./dump-archive.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "perfkeep-archive-"));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

test.each([0, 1, 5])("a disk that is full after %d pieces fails the member and leaves no file", async (left) => {
  const full = new Failure("cannot-write", { path: "a.tar.gz", reason: "ENOSPC: no space left on device, write" });
  let pieces = left;
  vi.spyOn(NewFile.prototype, "write").mockImplementation(() => {
    if (pieces-- === 0) throw full;
  });
  const archive = new NewArchive(join(folder, "a.tar.gz"));
  const member = Array.from({ length: 64 }, () => randomBytes(1 << 16));
  await expect(archive.add("large", 64 * (1 << 16), member)).rejects.toBe(full);
  await archive.discard();
  expect(readdirSync(folder)).toEqual([]);
});
