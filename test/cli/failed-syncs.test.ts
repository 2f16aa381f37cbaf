import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Playground, programPath } from "./program.ts";

const hasStrace = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;

/** More than `init` needs. */
const mostSyncs = 60;

test.skipIf(!hasStrace)("what is said after a failed fsync is true, for every fsync of init", () => {
  const place = new Playground();
  place.commit("first");
  const said: string[] = [];
  for (let at = 1; at <= mostSyncs; at++) {
    const folder = join(place.folder, String(at));
    mkdirSync(folder);
    const trace = join(place.home, "trace");
    const inject = ["-f", "-qq", "-o", trace, "-e", "trace=fsync", "-e", `inject=fsync:error=EIO:when=${at}`];
    const words = [...inject, process.execPath, programPath, "init"];
    const { status, stderr } = spawnSync("strace", words, {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: place.home, LC_ALL: "C.UTF-8" },
      encoding: "utf8",
    });
    if (!readFileSync(trace, "utf8").includes("INJECTED")) {
      expect(status).toBe(0);
      break;
    }
    const [, written, changed] =
      /^perfkeep: error: (?:cannot write (\S+): input|(\S+) was changed, but the change may not survive)/.exec(
        stderr,
      ) ?? [];
    said.push(changed === undefined ? "not written" : "changed");
    expect(existsSync(changed ?? folder), stderr).toBe(true);
    if (written !== undefined) expect(existsSync(written), stderr).toBe(false);
    expect([status, written ?? changed], stderr).toEqual([74, expect.stringContaining(folder)]);
    expect(place.run(["init"], { cwd: folder })).toMatchObject({ status: 0, stderr: "" });
  }
  expect(new Set(said)).toEqual(new Set(["not written", "changed"]));
  expect(said.length).toBeLessThan(mostSyncs);
});

test.skipIf(!hasStrace)("a file of -o that cannot be synced is not written, and nothing is left of it", () => {
  const place = new Playground();
  place.commit("first");
  place.run(["init"]);
  const { folder, home } = place;
  writeFileSync(join(folder, "log.json"), "earlier");
  const inject = ["-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO"];
  const words = [...inject, process.execPath, programPath, "log", "--format", "json", "-o", "log.json"];
  const { status, stderr } = spawnSync("strace", words, {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: home, LC_ALL: "C.UTF-8" },
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([74, expect.stringMatching(/cannot write \S+log\.json: EIO/)]);
  expect(readFileSync(join(folder, "log.json"), "utf8")).toBe("earlier");
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});
