import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BlobPack } from "./blob-pack.ts";

let folder: string;
let repository: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "blob-pack-"));
  repository = join(folder, "git");
  git("init", "--quiet", "--bare", repository);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", ["-c", "safe.directory=*", ...args], {
    cwd: args[0] === "init" ? folder : repository,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** Sizes at the borders of one to four bytes of an entry's header, and enough blobs for most first bytes of ids. */
const texts = [0, 1, 15, 16, 2047, 2048, 262_143, 262_144, ...Array.from({ length: 400 }, (_, at) => at + 20)].map(
  (length, at) => `${at} `.repeat(length).slice(0, length),
);

test("git reads and verifies the blobs of a pack, with given streams and without", async () => {
  const pack = new BlobPack(folder);
  const ids = texts.map((text, at) => {
    const bytes = Buffer.from(text);
    return at % 2 === 0 ? pack.add(bytes) : pack.add(bytes, deflateSync(bytes, { level: at % 10 }));
  });
  expect(pack.add(Buffer.from(texts[5]!))).toBe(ids[5]);
  await pack.store(repository);
  expect(git("fsck", "--no-progress", "--no-dangling")).toBe("");
  expect(git("verify-pack", ...packs(".idx"))).toBe("");
  for (const at of [0, 1, 2, 3, 4, 5, 6, 7, 8, 200, texts.length - 1])
    expect(git("cat-file", "blob", ids[at]!)).toBe(texts[at]);
  expect(git("count-objects", "-v")).toContain(`in-pack: ${new Set(ids).size}`);
  expect(readdirSync(folder)).toEqual(["git"]);
});

test("leaves nothing without blobs, and nothing once it is discarded", async () => {
  await new BlobPack(folder).store(repository);
  const discarded = new BlobPack(folder);
  discarded.add(Buffer.from("x"));
  discarded.discard();
  expect(packs("")).toEqual([]);
  expect(readdirSync(folder)).toEqual(["git"]);
});

function packs(end: string): string[] {
  const path = join(repository, "objects", "pack");
  return readdirSync(path)
    .filter((name) => name.endsWith(end))
    .map((name) => join(path, name));
}
