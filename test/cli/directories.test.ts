import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Playground, scratchFolder } from "./program.ts";

/** Runs shell commands with the program as `$P`. */
function shell(script: string): { status: number | null; stderr: string } {
  const { program } = new Playground();
  return spawnSync("sh", ["-c", script], {
    cwd: scratchFolder(),
    env: { ...process.env, P: `${process.execPath} ${program}`, GIT_CEILING_DIRECTORIES: "/" },
    encoding: "utf8",
  });
}

test.each([
  ["that was deleted", "mkdir gone && cd gone && rmdir ../gone && $P status", "no longer exists"],
  ["with a name that is not UTF-8", 'd=$(printf \'x\\377\') && mkdir "$d" && cd "$d" && $P init', "is not UTF-8"],
])("a working directory %s is refused in one line", (_, script, problem) => {
  const { status, stderr } = shell(script);
  expect([status, stderr.trim().split("\n").length]).toEqual([2, 1]);
  expect(stderr).toContain(problem);
});

test("a folder with ? in its name is no place for a database, and another one works", () => {
  const place = new Playground();
  const cwd = join(place.folder, "a?b");
  mkdirSync(cwd);
  place.write("reports.csv", "benchmark,value\nparse,1\nparse,2\n");
  const words = ["import", "../reports.csv", "--db"];
  const refused = place.run([...words, "here.duckdb"], { cwd });
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("with '?' in its name")]);
  expect(place.run([...words, "../there.duckdb"], { cwd }).status).toBe(0);
  expect([existsSync(join(cwd, "here.duckdb")), existsSync(join(place.folder, "there.duckdb"))]).toEqual([false, true]);
});
