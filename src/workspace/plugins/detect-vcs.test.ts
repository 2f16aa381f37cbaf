import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { detectVcs } from "./detect-vcs.ts";

const folder = mkdtempSync(join(tmpdir(), "perfkeep-found-vcs-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the nearest repository counts, of several in one folder that of git, and where there is none it is git", () => {
  for (const path of ["hg/.hg", "hg/a/b/.tagit", "hg/both/.git", "hg/both/.hg"])
    mkdirSync(join(folder, path), { recursive: true });
  mkdirSync(join(folder, "hg/linked"));
  writeFileSync(join(folder, "hg/linked/.git"), "gitdir: elsewhere\n");
  const found = (path: string): string => detectVcs(join(folder, path));
  expect(["hg", "hg/a", "hg/not/there", "hg/a/b", "hg/a/b/c"].map(found)).toEqual(["hg", "hg", "hg", "tagit", "tagit"]);
  expect(["hg/both", "hg/linked", "none"].map(found)).toEqual(["git", "git", "git"]);
});
