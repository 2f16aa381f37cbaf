import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test.each([
  ["docs/errors.md lists the catalogue as it is", "scripts/error-pages.mjs"],
  ["docs/performance.md has the figures of bench/performance.json", "bench/tables.mjs"],
])("%s", (_, script) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect(stdout + stderr).toBe("");
  expect(status).toBe(0);
});
