import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { Playground, programPath } from "./program.ts";

const hasStrace = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;

test.skipIf(!hasStrace)("a report without an experiment that the disk could not read is no success", () => {
  const place = new Playground();
  place.commit("first");
  const { folder, home } = place;
  writeFileSync(join(folder, "ping.exp"), "*experiment ping\n*parameter size int\n*result time float\n");
  writeFileSync(join(folder, "ping.inp"), "TABLE size pos=1\nTABLE time pos=2\n");
  writeFileSync(join(folder, "ping.txt"), "1 2.5\n2 3.5\n");
  for (const words of [
    ["init"],
    ["experiment", "create", "ping.exp"],
    ["import", "-e", "ping", "-d", "ping.inp", "ping.txt"],
  ])
    expect(place.run(words)).toMatchObject({ status: 0 });
  const [trace, page] = [join(home, "trace"), join(folder, "page.html")];
  const database = join(folder, ".perun/experiments.duckdb");
  const report = (...more: string[]) => {
    rmSync(page, { force: true });
    const words = [
      "-f",
      "-qq",
      "-o",
      trace,
      "-P",
      database,
      "-e",
      "trace=pread64",
      ...more,
      process.execPath,
      programPath,
    ];
    return spawnSync("strace", [...words, "report", "-o", page, "--no-cache"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: home, LC_ALL: "C.UTF-8" },
      encoding: "utf8",
    });
  };
  expect(report()).toMatchObject({ status: 0 });
  const statuses = new Set<number | null>();
  for (let at = 1, isHit = true; isHit; at += 2) {
    const { status, stderr } = report("-e", `inject=pread64:error=EIO:when=${at}`);
    isHit = readFileSync(trace, "utf8").includes("INJECTED");
    if (status === 0) expect(textsOf(page)).not.toContain("Input/output error");
    else expect(stderr).toMatch(/^perfkeep: error: cannot read \S+experiments\.duckdb: /);
    expect(existsSync(page)).toBe(status === 0);
    statuses.add(status);
  }
  expect(statuses).toEqual(new Set([74, 0]));
});

/** The data of a page. */
function textsOf(page: string): string {
  const data = /(?<=<script type="application\/octet-stream" id="[^"]*">)[^<]*/g;
  const blocks = readFileSync(page, "utf8").match(data) ?? [];
  return blocks.map((block) => inflateSync(Buffer.from(block, "base64")).toString()).join("\n");
}
