import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { detectVcs } from "./detect-vcs.ts";

const folder = mkdtempSync(join(tmpdir(), "perfkeep-detect-vcs-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("detects the nearest repository, preferring git, and defaults to git", () => {
  for (const path of ["hg/.hg", "hg/a/b/.tagit", "hg/both/.git", "hg/both/.hg"])
    mkdirSync(join(folder, path), { recursive: true });
  mkdirSync(join(folder, "hg/linked"));
  writeFileSync(join(folder, "hg/linked/.git"), "gitdir: elsewhere\n");
  const detected = (path: string): string => detectVcs(join(folder, path));
  expect(["hg", "hg/a", "hg/not/there", "hg/a/b", "hg/a/b/c"].map(detected)).toEqual([
    "hg",
    "hg",
    "hg",
    "tagit",
    "tagit",
  ]);
  expect(["hg/both", "hg/linked", "none"].map(detected)).toEqual(["git", "git", "git"]);
});
